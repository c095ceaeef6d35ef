import type { BotsAct } from '../../../domain/fleet/admin-contract.ts';
import type { Db } from '../../db/open.ts';
import type { bots } from '../../db/schema.ts';
import { type AuditEntry, auditIfChanged } from '../service/audit.ts';
import { ONLINE_MS } from './bots.ts';
import { BOT_ACTS } from './groups.ts';

/** Lists of bots for admins: one for each name of a group, and one for offline bots, whose key is null. */

export interface ListedBot extends Omit<typeof bots.$inferSelect, 'kingdom_titles' | 'discord_titles'> {
  kingdom_titles: 0 | 1;
  discord_titles: 0 | 1;
  group: string;
  group_paused: 0 | 1;
}

export const BOTS_PER_PAGE = 50;
/** Addresses counted in a list: those with most bots. */
const ADDRESSES = 50;

const JOINED = 'bots JOIN bot_groups ON bot_groups.id = group_id';
const SHOWN = `bots.*, name AS "group", bot_groups.paused_at IS NOT NULL AS group_paused`;
/** SQL: the list that a bot is in, if bots are offline that were last heard of before ?1. */
const KEY = 'iif(last_connected_at > ?1, name, NULL)';

interface BotPages {
  bots: ListedBot[];
  counts: { key: string | null; count: number }[];
  addresses: { key: string | null; address: string; count: number }[];
}

/** Returns a page (from 1) of every list, or of the one with this key, by group and id. Retired bots are in none. */
export async function pageOfBots(
  db: Db,
  { key, page }: { key?: string | null | undefined; page: number },
  now: number,
): Promise<BotPages> {
  const wanted = `retired_at IS NULL AND ${key === undefined ? '1' : `${KEY} IS ?2`}`;
  const prepared = (sql: string, ...more: unknown[]) =>
    db.$client.prepare(sql).bind(now - ONLINE_MS, ...(key === undefined ? [] : [key]), ...more);
  const [bots, counts, addresses] = await db.$client.batch([
    prepared(
      `SELECT ${SHOWN} FROM (
         SELECT group_id AS its_group, bot_id AS its_id,
           row_number() OVER (PARTITION BY ${KEY} ORDER BY name, bot_id) AS nth
         FROM ${JOINED} WHERE ${wanted})
       JOIN bots ON group_id = its_group AND bot_id = its_id JOIN bot_groups ON bot_groups.id = group_id
       WHERE nth > ? AND nth <= ? ORDER BY name, bot_id`,
      (page - 1) * BOTS_PER_PAGE,
      page * BOTS_PER_PAGE,
    ),
    db.$client
      .prepare(`SELECT ${KEY} AS key, count(*) AS count FROM ${JOINED} WHERE retired_at IS NULL GROUP BY 1`)
      .bind(now - ONLINE_MS),
    prepared(
      `SELECT key, address, count FROM (
         SELECT *, row_number() OVER (PARTITION BY key ORDER BY count DESC, address) AS nth FROM (
           SELECT ${KEY} AS key, account_ip AS address, count(*) AS count FROM ${JOINED} WHERE ${wanted} GROUP BY 1, 2))
       WHERE nth <= ${ADDRESSES} ORDER BY nth`,
    ),
  ]);
  return {
    bots: (bots?.results ?? []) as ListedBot[],
    counts: (counts?.results ?? []) as BotPages['counts'],
    addresses: (addresses?.results ?? []) as BotPages['addresses'],
  };
}

/** Returns the bots with one id, by group. */
export async function botsNamed(db: Db, botId: string): Promise<ListedBot[]> {
  const { results } = await db.$client
    .prepare(`SELECT ${SHOWN} FROM ${JOINED} WHERE bot_id = ? ORDER BY name`)
    .bind(botId)
    .all<ListedBot>();
  return results;
}

export const isOnline = (bot: Pick<ListedBot, 'last_connected_at'>, now: number): boolean =>
  bot.last_connected_at > now - ONLINE_MS;

/** Pauses or resumes the bots of a list, in one batch with the log entry. Returns how many changed. */
export async function actOnList(
  db: Db,
  act: BotsAct,
  key: string | null,
  entry: AuditEntry,
  now = Date.now(),
): Promise<number> {
  const [changed] = await db.$client.batch([
    db.$client
      .prepare(
        `UPDATE bots ${BOT_ACTS[act]} retired_at IS NULL
           AND (group_id, bot_id) IN (SELECT group_id, bot_id FROM ${JOINED} WHERE ${KEY} IS ?2)`,
      )
      .bind(now - ONLINE_MS, key, now),
    auditIfChanged(db, entry, now),
  ]);
  return changed?.meta.changes ?? 0;
}
