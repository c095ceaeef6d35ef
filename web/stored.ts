/** Text in local storage. Storage may be disabled, so nothing may depend on it. */

/** Returns a stored text, or null. */
export function stored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Stores a text; null removes it. */
export function store(name: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // Storage may be disabled or full.
  }
}
