import type * as z from 'zod';
import type { BotKingdoms } from '../../../domain/fleet/contract.ts';
import type { GameId } from '../../../domain/games/games.ts';
import {
  type BotAnswer,
  type BotsQuery,
  type botListing,
  type botsOfId,
  OFFLINE,
} from '../../../domain/service/admin.ts';
import type { Db } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { type FolderSeen, folderReport } from '../../gateways/folder-reports.ts';
import { BOTS_PER_PAGE, botsNamed, isOnline, type ListedBot, pageOfBots } from '../../models/fleet/bot-lists.ts';

const FIRST_KINGDOMS = 10;

/** What a bot declared (JSON), with the first kingdoms of each game. */
const scansOf = (kingdoms: string | null): BotAnswer['scans'] =>
  kingdoms === null
    ? null
    : Object.entries(JSON.parse(kingdoms) as BotKingdoms).map(([game, those]) => ({
        game: game as GameId,
        count: those === 'all' ? null : those.length,
        first: those === 'all' ? [] : those.slice(0, FIRST_KINGDOMS),
      }));

const restOf = ({ retired_at, paused_at, group_paused }: ListedBot): BotAnswer['rest'] =>
  retired_at !== null ? 'retired' : paused_at !== null ? 'paused' : group_paused ? 'group paused' : null;

const shownBot = (bot: ListedBot, now: number): BotAnswer => ({
  bot_id: bot.bot_id,
  group: bot.group,
  group_id: bot.group_id,
  account_game: bot.account_game,
  kingdom_id: bot.kingdom_id,
  account_ip: bot.account_ip,
  governor_id: bot.governor_id,
  packets_count: bot.packets_count,
  tasking_count: bot.tasking_count,
  tasking_count_failed: bot.tasking_count_failed,
  kingdom_titles: bot.kingdom_titles === 1,
  discord_titles: bot.discord_titles === 1,
  last_connected: isOnline(bot, now) ? Math.floor(bot.last_connected_at / 1000) : null,
  error: bot.error,
  rest: restOf(bot),
  seen_at: bot.last_connected_at,
  scans: scansOf(bot.kingdoms),
});

/** Returns a page of each group's bots, the number of bots, and how many are at the addresses with most of them. */
export async function showBots(
  db: Db,
  { group, page }: BotsQuery,
  now = Date.now(),
): Promise<z.infer<typeof botListing>> {
  const { bots, counts, addresses } = await pageOfBots(db, { key: group === OFFLINE ? null : group, page }, now);
  const byKey = <Row>(rows: readonly Row[], keyOf: (row: Row) => string | null): [string, Row[]][] => [
    ...Map.groupBy(rows, (row) => keyOf(row) ?? OFFLINE),
  ];
  const shown = bots.map((bot) => shownBot(bot, now));
  return {
    bots: Object.fromEntries(byKey(shown, (bot) => (bot.last_connected === null ? null : bot.group))),
    summary: Object.fromEntries(
      byKey(addresses, ({ key }) => key).map(([key, rows]) => [
        key,
        Object.fromEntries(rows.map(({ address, count }) => [address || 'unknown', count])),
      ]),
    ),
    counts: Object.fromEntries(counts.map(({ key, count }) => [key ?? OFFLINE, count])),
    per_page: BOTS_PER_PAGE,
  };
}

/** Returns the bots with one id, by group. @throws Refusal not_found. */
export async function showBot(db: Db, botId: string, now = Date.now()): Promise<z.infer<typeof botsOfId>> {
  const rows = (await botsNamed(db, botId)).map((bot) => shownBot(bot, now));
  if (rows.length === 0) throw notFound('bot');
  return Object.fromEntries(Map.groupBy(rows, ({ group }) => group));
}

/** Returns the reports of the bots of a name about the files that they read, one per group. @throws Refusal not_found. */
export async function showBotFiles(db: Db, store: R2Bucket, botId: string): Promise<FolderSeen[]> {
  const bots = await botsNamed(db, botId);
  if (bots.length === 0) throw notFound('bot');
  return Promise.all(bots.map(({ group_id }) => folderReport(store, group_id, botId)));
}
