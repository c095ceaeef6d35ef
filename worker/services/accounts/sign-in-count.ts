import { networkOf } from '../../../domain/accounts/network.ts';
import type { Db } from '../../db/open.ts';
import { familiarityOf } from '../../models/accounts/known-addresses.ts';

/** Who tries a password, as far as that is known before the password is looked at. */
export interface Trying {
  username: string;
  address: string;
  /** The user and the random id of the device token that the browser shows (a token of ours, so not made up). */
  device: { userId: string; id: string } | null;
}

/**
 * What a try to sign in is counted under. A browser that the user has signed in with counts by itself, and so does a
 * network that he has signed in from: strangers who try one password after the other use up their own tries, not his.
 */
export async function signInCount(db: Db, { username, address, device }: Trying): Promise<string> {
  const name = username.toLowerCase();
  const user = await familiarityOf(db, name, address);
  if (user && device?.userId === user.id) return `device:${device.id}`;
  // What is typed as a name stands behind a word of ours, or it could be another one's count.
  return user?.from_known_address ? `address:${networkOf(address)}:${name}` : `name:${name}`;
}
