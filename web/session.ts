/**
 * The user's name in the browser (specification, section 3: under the key 'user'). It only says whom to expect, so
 * that the first picture is right; whether someone is signed in is the server's to say (api/account.ts).
 */
const KEY = 'user';

/** The name of the user who signed in here last and did not sign out, or null. */
export function storedUser(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // Storage can be switched off; then everybody starts as a visitor.
    return null;
  }
}

/** Remembers the user, or forgets with null. */
export function storeUser(user: string | null): void {
  try {
    if (user === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, user);
  } catch {
    // As above: nothing depends on it.
  }
}
