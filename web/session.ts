import { store, stored } from './stored.ts';

/**
 * The user's name in the browser (specification, section 3: under the key 'user'). It is only a hint for the first
 * render; the server decides who is signed in (api/account.ts).
 */
const KEY = 'user';

/** Returns the name of the user who last signed in and has not signed out, or null. */
export const storedUser = (): string | null => stored(KEY);

/** Stores the user name; null removes it. */
export const storeUser = (user: string | null): void => store(KEY, user);
