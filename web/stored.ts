/** What the browser remembers from visit to visit, as text. Storage can be switched off; nothing may depend on it. */

/** What is remembered under that name, or null. */
export function stored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Remembers a text; null forgets it. */
export function store(name: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // As above.
  }
}
