import { WEBHOOK_CHANNELS, type WebhookChannel } from '../../../domain/accounts/webhooks.ts';
import type { Db } from '../../db/open.ts';
import { auditStatement } from '../service/audit.ts';

/** Secrets in the database, sealed by a key of SESSION_KEYS whose id stands before the first dot. */

interface Place {
  table: string;
  column: string;
  /** What a secret is bound to (`seal`'s owner). */
  ownerOf(userId: string): string;
}

/** To whom a webhook is sealed. */
export const webhookOwner = (channel: WebhookChannel, userId: string): string => `${channel}:${userId}`;

/** Every column that holds sealed secrets, a row a user. */
const PLACES: readonly Place[] = [
  { table: 'two_factor', column: 'secret', ownerOf: (userId) => userId },
  ...WEBHOOK_CHANNELS.map((channel) => ({
    table: 'notifications',
    column: channel,
    ownerOf: (userId: string) => webhookOwner(channel, userId),
  })),
];

export interface Sealed {
  place: Place;
  user_id: string;
  sealed: string;
}

/** Some of the secrets that another key than the current one sealed and one of `keys` opens. */
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

/** Puts a newly sealed secret in the place of the one that was read, unless that was changed meanwhile. */
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

/** How many secrets each key has sealed: one that has none left may be taken out. */
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

/** Notes that secrets were sealed anew, and whether any other key is still needed. */
export async function noteResealed(db: Db, detail: { key: string; sealed: number; left: number }, now: number) {
  await auditStatement(
    db,
    { userId: null, actor: 'system', action: 'secrets.resealed', subject: detail.key, detail },
    now,
  ).run();
}
