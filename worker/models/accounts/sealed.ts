import { WEBHOOK_CHANNELS, type WebhookChannel } from '../../../domain/accounts/webhooks.ts';
import type { Db } from '../../db/open.ts';
import { auditStatement } from '../service/audit.ts';

/** Encrypted secrets in the database. The id of their key in SESSION_KEYS stands before the first dot. */

interface Place {
  table: string;
  column: string;
  /** The owner that a secret is bound to (see `seal`). */
  ownerOf(userId: string): string;
}

/** The owner for a webhook's URL. */
export const webhookOwner = (channel: WebhookChannel, userId: string): string => `${channel}:${userId}`;

/** Every column with encrypted secrets, one row per user. */
const PLACES: readonly Place[] = [
  { table: 'two_factor', column: 'secret', ownerOf: (userId) => userId },
  ...WEBHOOK_CHANNELS.map((channel) => ({
    table: 'notifications',
    column: channel,
    ownerOf: (userId: string) => webhookOwner(channel, userId),
  })),
];

interface Sealed {
  place: Place;
  user_id: string;
  sealed: string;
}

/** Returns up to `limit` secrets per column that a key in `keys` other than the current one encrypted. */
export async function sealedOtherwise(
  db: Db,
  current: string,
  keys: readonly string[],
  limit: number,
): Promise<Sealed[]> {
  const found: Sealed[] = [];
  for (const place of PLACES) {
    const { results } = await db.$client
      .prepare(
        `SELECT user_id, ${place.column} AS sealed FROM ${place.table}
         WHERE substr(${place.column}, 1, instr(${place.column}, '.') - 1) IN (SELECT value FROM json_each(?)) LIMIT ?`,
      )
      .bind(JSON.stringify(keys.filter((key) => key !== current)), limit)
      .all<{ user_id: string; sealed: string }>();
    found.push(...results.map((row) => ({ place, ...row })));
  }
  return found;
}

/** Replaces a secret with its re-encrypted form, unless it changed since it was read. */
export async function replaceSealed(
  db: Db,
  { place: { table, column }, user_id, sealed }: Sealed,
  anew: string,
): Promise<void> {
  await db.$client
    .prepare(`UPDATE ${table} SET ${column} = ? WHERE user_id = ? AND ${column} = ?`)
    .bind(anew, user_id, sealed)
    .run();
}

/** Counts the secrets encrypted by each key. A key with none may be removed. */
export async function sealedByKey(db: Db): Promise<Map<string, number>> {
  const each = PLACES.map(
    ({ table, column }) => `SELECT substr(${column}, 1, instr(${column}, '.') - 1) AS id FROM ${table}
      WHERE ${column} IS NOT NULL`,
  );
  const { results } = await db.$client
    .prepare(`SELECT id, count(*) AS count FROM (${each.join(' UNION ALL ')}) GROUP BY id`)
    .all<{ id: string; count: number }>();
  return new Map(results.map(({ id, count }) => [id, count]));
}

/** Records in the audit log that secrets were re-encrypted, and how many are left for other keys. */
export async function noteResealed(db: Db, detail: { key: string; sealed: number; left: number }, now: number) {
  await auditStatement(
    db,
    { userId: null, actor: 'system', action: 'secrets.resealed', subject: detail.key, detail },
    now,
  ).run();
}
