import { type Context, Hono } from 'hono';
import { GAMES, type GameId } from '../../domain/games/games.ts';
import { BOUGHT_DAYS, FREE_DAYS } from '../../domain/kingdoms/chart-days.ts';
import { chartQuery, governorAnswer, governorParam, nearbyGovernors } from '../../domain/kingdoms/contract.ts';
import type { Row } from '../../domain/scans/rows.ts';
import { answer } from '../answer.ts';
import { Refusal } from '../errors.ts';
import { edgeKept } from '../gateways/edge-cache.ts';
import { answers } from '../middleware/answers.ts';
import { keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { boughtHistory, type GovernorPage, governorPage, governorsNearId } from '../models/kingdoms/governors.ts';
import { governorChanges } from '../services/scans/governor-changes.ts';

const EDGE_SECONDS = 60;

const pointsOf = (points: GovernorPage['points']): Record<string, number | null> =>
  Object.fromEntries((points ?? []).map((value, tier) => [`killpoints_t${tier + 1}`, value]));

/** The specification's profile: every column of the newest row, and the names that it gives to some of them. */
function profileOf({ governor, row, points }: GovernorPage) {
  return {
    ...row,
    ...pointsOf(points),
    governor_id: governor.governor_id,
    name: governor.name,
    home_kingdom: governor.kingdom_id,
    alliance: governor.alliance_tag,
    power: governor.power,
    deads: figureOf(row, GAMES[governor.game].roles.deads),
    town_center: figureOf(row, GAMES[governor.game].roles.hall),
  };
}

const figureOf = (row: Row, key: string): number | null => (row[key] as number | null | undefined) ?? null;

/** The same for every user who may see so many days: made once a minute. */
async function pageAnswer(context: Context<UserEnv>, game: GameId, id: number, days: number) {
  const db = context.get('db');
  const page = await governorPage(db, game, id, days);
  if (!page) return null;
  return {
    game,
    free: profileOf(page),
    captured_at: page.governor.captured_at,
    last_read: page.last_read && {
      captured_at: page.last_read.captured_at,
      profile: { ...page.last_read.row, ...pointsOf(page.last_read.points) },
    },
    quality: page.quality,
    days: page.days,
    history: page.history,
    near: page.near,
    subscription: { changes: await governorChanges(db, context.env.STORE, page) },
  };
}

export const governors = new Hono<UserEnv>({ strict: false })
  .get(
    '/governors/:id',
    keyScope('read'),
    signedIn,
    validate('param', governorParam),
    validate('query', chartQuery),
    answers(governorAnswer),
    async (context) => {
      const { id } = context.req.valid('param');
      const { game, days } = context.req.valid('query');
      const found = await edgeKept(context, `governors/${game}/${id}/${days}`, EDGE_SECONDS, () =>
        pageAnswer(context, game, id, days),
      );
      if (!found) throw new Refusal('not_found', `Nobody with the id ${id} was ever seen in a scan.`);
      const user = context.get('user');
      const bought =
        user.role === 'admin' || (await boughtHistory(context.get('db'), user.id, game, found.free.home_kingdom));
      if (days > FREE_DAYS && !bought)
        throw new Refusal('unpaid', `${days} days open with the 90-day history of kingdom ${found.free.home_kingdom}.`);
      return answer(context, { ...found, days_open: bought ? BOUGHT_DAYS : FREE_DAYS });
    },
  )
  .get(
    '/governors/:id/nearby',
    keyScope('read'),
    signedIn,
    validate('param', governorParam),
    answers(nearbyGovernors),
    async (context) => answer(context, await governorsNearId(context.get('db'), context.req.valid('param').id)),
  );
