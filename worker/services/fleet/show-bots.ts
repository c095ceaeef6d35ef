import type * as z from 'zod';
import type { BotKingdoms } from '../../../domain/fleet/contract.ts';
import type { GameId } from '../../../domain/games/games.ts';
import type { BotAnswer, botListing, botsOfId } from '../../../domain/service/admin.ts';
import type { Db } from '../../db/open.ts';
import { notFound } from '../../errors.ts';
import { folderReport } from '../../gateways/folder-reports.ts';
import { isOnline, type ListedBot, listBots } from '../../models/service/overview.ts';

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
  kingdom_titles: bot.kingdom_titles,
  discord_titles: bot.discord_titles,
  last_connected: isOnline(bot, now) ? Math.floor(bot.last_connected_at / 1000) : null,
  error: bot.error,
  rest: restOf(bot),
  seen_at: bot.last_connected_at,
  scans: scansOf(bot.kingdoms),
});

/** Groups bots. Offline bots are under the key 'null', as in the specification. */
const grouped = (rows: readonly BotAnswer[]): Record<string, BotAnswer[]> =>
  Object.fromEntries(Map.groupBy(rows, (bot) => (bot.last_connected === null ? 'null' : bot.group)));

const countsByAddress = (rows: readonly BotAnswer[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(rows, ({ account_ip }) => account_ip || 'unknown')].map(([address, all]) => [address, all.length]),
  );

/** Returns all bots, and per group the number of bots at each address. */
export async function showBots(db: Db, now = Date.now()): Promise<z.infer<typeof botListing>> {
  const bots = grouped((await listBots(db)).map((bot) => shownBot(bot, now)));
  const summary = Object.fromEntries(Object.entries(bots).map(([key, rows]) => [key, countsByAddress(rows)]));
  return { bots, summary };
}

/** Returns the bots with one id, by group. @throws Refusal not_found. */
export async function showBot(db: Db, botId: string, now = Date.now()): Promise<z.infer<typeof botsOfId>> {
  const rows = (await listBots(db, botId)).map((bot) => shownBot(bot, now));
  if (rows.length === 0) throw notFound('bot');
  return Object.fromEntries(Map.groupBy(rows, ({ group }) => group));
}

/** Returns a bot's report about the files that it reads. @throws Refusal not_found. */
export async function showBotFiles(db: Db, store: R2Bucket, botId: string): ReturnType<typeof folderReport> {
  const [bot] = await listBots(db, botId);
  if (!bot) throw notFound('bot');
  return folderReport(store, bot.group_id, bot.bot_id);
}
