import { networkOf } from '../../../domain/accounts/network.ts';
import type { Db } from '../../db/open.ts';

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

/**
 * Returns the id of the user with this name and whether they signed in from this network before; null for an unknown
 * name.
 */
export const familiarityOf = (
  db: Db,
  username: string,
  address: string,
): Promise<{ id: string; from_known_address: 0 | 1 } | null> =>
  db.$client
    .prepare(
      `SELECT id, EXISTS (SELECT 1 FROM known_addresses k WHERE k.user_id = users.id AND k.address = ?2)
         AS from_known_address
       FROM users WHERE username_key = ?1`,
    )
    .bind(username.toLowerCase(), networkOf(address))
    .first();

/** Returns the networks that a user signed in from, most recent first. */
export async function listKnownAddresses(db: Db, userId: string): Promise<{ address: string; last_seen_at: number }[]> {
  const { results } = await db.$client
    .prepare('SELECT address, last_seen_at FROM known_addresses WHERE user_id = ? ORDER BY last_seen_at DESC, address')
    .bind(userId)
    .all<{ address: string; last_seen_at: number }>();
  return results;
}
