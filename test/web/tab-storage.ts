import { afterEach, beforeEach, vi } from 'vitest';

/** Gives each test of the file a tab's storage of its own, which Node has not; answers what is stored. */
export function withTabStorage(): Map<string, string> {
  const stored = new Map<string, string>();
  beforeEach(() => {
    stored.clear();
    vi.stubGlobal('sessionStorage', {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, text: string) => void stored.set(name, text),
      removeItem: (name: string) => void stored.delete(name),
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });
  return stored;
}
