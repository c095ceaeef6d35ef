import { afterEach, beforeEach } from 'vitest';

declare global {
  var __reached: Set<string> | undefined;
}

declare module 'vitest' {
  interface TaskMeta {
    /** Functions reached by the test, by their keys (mutants.ts). */
    reached?: string[];
    /** Those reached between the test before and this one: by the file itself, or by its hooks. */
    reachedBefore?: string[];
  }
}

const reached = new Set<string>();
globalThis.__reached = reached;

const taken = (): string[] => {
  const all = [...reached];
  reached.clear();
  return all;
};

beforeEach(({ task }) => {
  task.meta.reachedBefore = taken();
});

afterEach(({ task }) => {
  task.meta.reached = taken();
});
