import { afterEach, beforeEach, vi } from 'vitest';

/** Gives each test its own session storage, which Node lacks. Returns its content. */
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
