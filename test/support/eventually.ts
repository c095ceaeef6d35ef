import { vi } from 'vitest';

/** Repeats a check until it passes, as long as a busy machine may take, and returns its result. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 30_000, interval: 30 });
