import { gunzipSync } from 'node:zlib';
import { type Context, Hono } from 'hono';
import { type BoardAnswer, type KingdomRow, served } from '../../domain/boards/leaderboard.ts';
import type { Day } from '../../domain/days.ts';
import { capital } from '../../domain/figures.ts';
import { GAMES, type GameId } from '../../domain/games/games.ts';
import { BOUGHT_DAYS, FREE_DAYS } from '../../domain/kingdoms/chart-days.ts';
import { chartQuery, kingdomAnswer, kingdomParam, nearbyKingdoms } from '../../domain/kingdoms/contract.ts';
import { answer } from '../answer.ts';
import { Refusal } from '../errors.ts';
import { freshManifest, manifestAtHand, nearestPart } from '../gateways/board-cache.ts';
import { edgeKept } from '../gateways/edge-cache.ts';
import { answers } from '../middleware/answers.ts';
import { keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { boughtHistory } from '../models/kingdoms/governors.ts';
import { kingdomPage, kingdomsNear } from '../models/kingdoms/kingdoms.ts';

const EDGE_SECONDS = 60;
const TOP = 15;

interface TopKingdoms {
  kingdoms: { id: number; name: string; score: number | null }[];
  /** The day at whose end they were ranked so. */
  kingdoms_day: Day | null;
}

const NO_BOARD: TopKingdoms = { kingdoms: [], kingdoms_day: null };

/** The 15 mightiest kingdoms, from the published board: no visitor makes the database rank them. */
async function topKingdoms(context: Context<UserEnv>, game: GameId): Promise<TopKingdoms> {
  const now = Date.now();
  const manifest = manifestAtHand(now) ?? (await freshManifest(context.env.STORE, now));
  const board = served(manifest[game], 'kingdom-power', now);
  if (!board) return NO_BOARD;
  const set = { game, board: 'kingdom-power', day: board.day, version: board.board.version } as const;
  const bytes = await nearestPart(context.env.STORE, set, 'page-0');
  if (!bytes) return NO_BOARD;
  const { data } = JSON.parse(gunzipSync(bytes).toString()) as { data: BoardAnswer<KingdomRow> };
  const { kingdom } = GAMES[game];
  const list = data.rankings.slice(0, TOP).map(({ kingdom_id, total_power }) => ({
    id: kingdom_id,
    name: `${capital(kingdom.one)} ${kingdom_id}`,
    score: total_power,
  }));
  return { kingdoms: list, kingdoms_day: board.day };
}

async function pageAnswer(context: Context<UserEnv>, game: GameId, id: number, days: number) {
  const page = await kingdomPage(context.get('db'), game, id, days);
  return page && { ...page, ...(await topKingdoms(context, game)) };
}

export const kingdoms = new Hono<UserEnv>({ strict: false })
  .get(
    '/kingdoms/:id',
    keyScope('read'),
    signedIn,
    validate('param', kingdomParam),
    validate('query', chartQuery),
    answers(kingdomAnswer),
    async (context) => {
      const { id } = context.req.valid('param');
      const { game, days } = context.req.valid('query');
      const found = await edgeKept(context, `kingdoms/${game}/${id}/${days}`, EDGE_SECONDS, () =>
        pageAnswer(context, game, id, days),
      );
      if (!found) throw new Refusal('not_found', `${GAMES[game].kingdom.one} ${id} was never scanned.`);
      const user = context.get('user');
      const bought = user.role === 'admin' || (await boughtHistory(context.get('db'), user.id, game, id));
      if (days > FREE_DAYS && !bought)
        throw new Refusal('unpaid', `${days} days open with the 90-day history of ${GAMES[game].kingdom.one} ${id}.`);
      return answer(context, { ...found, days_open: bought ? BOUGHT_DAYS : FREE_DAYS });
    },
  )
  .get(
    '/kingdoms/:id/nearby',
    keyScope('read'),
    signedIn,
    validate('param', kingdomParam),
    answers(nearbyKingdoms),
    async (context) => answer(context, await kingdomsNear(context.get('db'), context.req.valid('param').id)),
  );
