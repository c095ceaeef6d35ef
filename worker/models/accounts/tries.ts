import { networkOf } from '../../../domain/accounts/network.ts';
import { MINUTE_MS } from '../../../domain/days.ts';
import type { Db } from '../../db/open.ts';
import { tooOften } from '../../errors.ts';

/**
 * Attempts counted in the database, because Cloudflare's rate limiters count per location, so a guesser in a hundred
 * locations would get a hundred times the limit.
 */

/**
 * Attempts allowed a minute at passwords of one account or session, and mails that strangers request to one address.
 */
export const TRIES = { password: 20, mail: 3 };
type Tried = keyof typeof TRIES;

/** SQL that counts an attempt in the epoch minute ?1 under the key that `key` selects, and returns the count. */
const countSql = (key: string): string => `
  INSERT INTO tries (key, minute, count) ${key}
  ON CONFLICT (key) DO UPDATE
    SET count = CASE minute WHEN excluded.minute THEN count + 1 ELSE 1 END, minute = excluded.minute
  RETURNING count`;

const minuteOf = (time: number): number => Math.floor(time / MINUTE_MS);

/** Refuses an attempt above the limit. */
function refuseAbove(tried: Tried, count: number): void {
  if (count > TRIES[tried]) throw tooOften(tried, TRIES[tried]);
}

/** Counts an attempt under each of the keys, and refuses it if one is above the limit. */
export async function countTry(db: Db, tried: Tried, keys: readonly string[], now = Date.now()): Promise<void> {
  const statement = db.$client.prepare(countSql(`SELECT ?2, ?1, 1 WHERE true`));
  const counted = await db.$client.batch<{ count: number }>(
    keys.map((key) => statement.bind(minuteOf(now), `${tried} ${key}`)),
  );
  for (const { results } of counted) refuseAbove(tried, results[0]?.count ?? 0);
}

/** A sign-in attempt whose password is not checked yet. */
export interface SignInAttempt {
  username: string;
  address: string;
  /** User and random id of the browser's device token, whose signature was verified. */
  device: { userId: string; id: string } | null;
}

/**
 * Counts a sign-in attempt and refuses it above the limit. Browsers and networks that the user has signed in from are
 * counted separately, so that strangers guessing passwords use up their own attempts, not the user's.
 */
export async function countSignIn(
  db: Db,
  { username, address, device }: SignInAttempt,
  now = Date.now(),
): Promise<void> {
  // Prefixed, so that a name typed by the caller cannot equal another kind of key.
  const key = `
    SELECT 'password ' || coalesce(
      (SELECT 'device:' || ?4 FROM users WHERE username_key = ?2 AND id = ?3),
      (SELECT 'address:' || ?5 || ':' || ?2 FROM users JOIN known_addresses known ON known.user_id = users.id
       WHERE username_key = ?2 AND known.address = ?5),
      'name:' || ?2), ?1, 1 WHERE true`;
  const count = await db.$client
    .prepare(countSql(key))
    .bind(minuteOf(now), username.toLowerCase(), device?.userId ?? '', device?.id ?? '', networkOf(address))
    .first<number>('count');
  refuseAbove('password', count ?? 0);
}
