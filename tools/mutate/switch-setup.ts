import { afterEach, beforeEach, inject, TestRunner, vi } from 'vitest';

declare global {
  var __bent: ((id: number) => boolean) | undefined;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Mutants that need no more trials. */
    settled: number[];
    /** The most tests of the file that try a mutant. */
    most: number;
  }
  interface TaskMeta {
    /** Mutants that this test noticed, and those it did not. */
    killed?: number[];
    passed?: number[];
  }
}

/** Longer tests are left to the individual trials. */
const LONGEST_MS = 5_000;

const touched = new Set<number>();
const settled = new Set(inject('settled'));
const mostTries = inject('most');
const tries = new Map<number, number>();
let on = -1;
/** True if a mutant has broken state that later tests need. */
let torn = false;
globalThis.__bent = (id) => {
  touched.add(id);
  return id === on;
};

const inWorkerd = typeof navigator === 'object' && navigator.userAgent === 'Cloudflare-Workers';
/** Imported by a variable, so that the type check does not follow it into another project. */
const HELD = '../../test/worker/hold-answers.ts';
const answers: { brokenSince(): string[] } | null = inWorkerd ? await import(/* @vite-ignore */ HELD) : null;

async function passes(test: () => unknown, most: number, id = -1): Promise<boolean> {
  on = id;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const late = new Promise((_, refuse) => {
      timer = setTimeout(() => refuse(new Error('too late')), most);
    });
    await Promise.race([test(), late]);
    return (answers?.brokenSince().length ?? 0) === 0;
  } catch {
    answers?.brokenSince();
    return false;
  } finally {
    on = -1;
    clearTimeout(timer);
    vi.useRealTimers();
  }
}

beforeEach(() => touched.clear());

afterEach(async ({ task }) => {
  const found = [...touched].filter((id) => !settled.has(id) && (tries.get(id) ?? 0) < mostTries);
  if (torn || found.length === 0 || task.result?.errors?.length) return;
  const test = TestRunner.getTestFn(task) as () => unknown;
  const began = performance.now();
  if (!(await passes(test, LONGEST_MS))) return;
  const most = 2_000 + 6 * (performance.now() - began);
  task.meta.killed = [];
  task.meta.passed = [];
  for (const id of found) {
    tries.set(id, (tries.get(id) ?? 0) + 1);
    if (await passes(test, most, id)) {
      task.meta.passed.push(id);
      continue;
    }
    // A failure counts only if the same test still passes without the mutant.
    torn = !(await passes(test, most));
    if (torn) return;
    settled.add(id);
    task.meta.killed.push(id);
  }
});
