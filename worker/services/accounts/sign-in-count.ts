import { networkOf } from '../../../domain/accounts/network.ts';
import type { Db } from '../../db/open.ts';
import { familiarityOf } from '../../models/accounts/known-addresses.ts';

/** A sign-in attempt, as far as known before the password is checked. */
export interface Trying {
  username: string;
  address: string;
  /** User and random id of the browser's device token, whose signature was verified. */
  device: { userId: string; id: string } | null;
}

/**
 * Returns the key under which a sign-in attempt is counted. Browsers and networks that the user has signed in from are
 * counted separately, so that strangers guessing passwords use up their own attempts, not the user's.
 */
export async function signInCount(db: Db, { username, address, device }: Trying): Promise<string> {
  const name = username.toLowerCase();
  const user = await familiarityOf(db, name, address);
  if (user && device?.userId === user.id) return `device:${device.id}`;
  // Prefixed, so that a name typed by the caller cannot equal another kind of key.
  return user?.from_known_address ? `address:${networkOf(address)}:${name}` : `name:${name}`;
}
