import { afterEach, beforeEach } from 'vitest';

declare global {
  var __reached: Set<string> | undefined;
}

declare module 'vitest' {
  interface TaskMeta {
    /** Functions reached by the test, by their keys (mutants.ts). */
    reached?: string[];
    /** Functions reached between the previous test and this one, by the file itself or its hooks. */
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
