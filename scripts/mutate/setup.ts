import { afterEach } from 'vitest';

declare global {
  var __reached: Set<string> | undefined;
}

declare module 'vitest' {
  interface TaskMeta {
    /** Functions reached since the test before, as `file:start`. */
    reached?: string[];
  }
}

const reached = new Set<string>();
globalThis.__reached = reached;

afterEach(({ task }) => {
  task.meta.reached = [...reached];
  reached.clear();
});
