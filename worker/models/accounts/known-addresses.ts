import { eq, sql } from 'drizzle-orm';
import { networkOf } from '../../../domain/accounts/network.ts';
import type { Db } from '../../db/open.ts';
import { users } from '../../db/schema.ts';
import type { User } from './user.ts';

const MOST_ADDRESSES = 20;

/** Returns the statements that record the network of a sign-in. Keeps a user's 20 most recent networks. */
export const knownAddressStatements = (db: Db, userId: string, address: string, now: number): D1PreparedStatement[] =>
  // Without Cloudflare in front there is no address, and all users would seem to share one.
  address === ''
    ? []
    : [
        db.$client
          .prepare(
            `INSERT INTO known_addresses (user_id, address, last_seen_at) VALUES (?, ?, ?)
             ON CONFLICT (user_id, address) DO UPDATE SET last_seen_at = excluded.last_seen_at`,
          )
          .bind(userId, networkOf(address), now),
        db.$client
          .prepare(
            `DELETE FROM known_addresses WHERE user_id = ?1 AND address NOT IN
               (SELECT address FROM known_addresses WHERE user_id = ?1 ORDER BY last_seen_at DESC, address LIMIT ?2)`,
          )
          .bind(userId, MOST_ADDRESSES),
      ];

/** A user who signs in. Read in one statement, so that a second factor switched on meanwhile cannot be missed. */
interface SigningIn {
  user: User;
  two_factor: boolean;
}

/** Returns the user with this name, or null. */
export async function signInUser(db: Db, username: string): Promise<SigningIn | null> {
  const [found] = await db
    .select({
      user: users,
      two_factor: sql`EXISTS (SELECT 1 FROM two_factor WHERE user_id = ${users.id}
        AND confirmed_at IS NOT NULL)`.mapWith(Boolean),
    })
    .from(users)
    .where(eq(users.username_key, username.toLowerCase()));
  return found ?? null;
}

/** Returns the networks that a user signed in from, most recent first. */
export async function listKnownAddresses(db: Db, userId: string): Promise<{ address: string; last_seen_at: number }[]> {
  const { results } = await db.$client
    .prepare('SELECT address, last_seen_at FROM known_addresses WHERE user_id = ? ORDER BY last_seen_at DESC, address')
    .bind(userId)
    .all<{ address: string; last_seen_at: number }>();
  return results;
}
