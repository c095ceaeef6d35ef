import { store, stored } from './stored.ts';

/**
 * The user's name in the browser (specification, section 3: under the key 'user'). It only says whom to expect, so
 * that the first picture is right; whether someone is signed in is the server's to say (api/account.ts).
 */
const KEY = 'user';

/** The name of the user who signed in here last and did not sign out, or null: then everybody starts as a visitor. */
export const storedUser = (): string | null => stored(KEY);

/** Remembers the user, or forgets with null. */
export const storeUser = (user: string | null): void => store(KEY, user);
