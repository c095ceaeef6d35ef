import { type Context, Hono } from 'hono';
import { capital } from '../../domain/figures.ts';
import { GAMES, type GameId } from '../../domain/games/games.ts';
import { BOUGHT_DAYS, FREE_DAYS } from '../../domain/kingdoms/chart-days.ts';
import { chartQuery, kingdomAnswer, kingdomParam, nearbyKingdoms } from '../../domain/kingdoms/contract.ts';
import { answer } from '../answer.ts';
import { Refusal } from '../errors.ts';
import { edgeKept } from '../gateways/edge-cache.ts';
import { answers } from '../middleware/answers.ts';
import { keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { boughtHistory } from '../models/kingdoms/governors.ts';
import { kingdomPage, kingdomsNear } from '../models/kingdoms/kingdoms.ts';
import { topKingdoms } from '../services/boards/board-rows.ts';

const EDGE_SECONDS = 60;
const TOP = 15;

/** The strongest kingdoms, and the day at whose end they were ranked so; null before the first board. */
async function strongest(store: R2Bucket, game: GameId) {
  const { rows, day } = await topKingdoms(store, game, TOP);
  const kingdoms = rows.map(({ kingdom_id, total_power }) => ({
    id: kingdom_id,
    name: `${capital(GAMES[game].kingdom.one)} ${kingdom_id}`,
    score: total_power,
  }));
  return { kingdoms, kingdoms_day: day };
}

async function pageAnswer(context: Context<UserEnv>, game: GameId, id: number, days: number) {
  const page = await kingdomPage(context.get('db'), game, id, days);
  return page && { ...page, ...(await strongest(context.env.STORE, game)) };
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
