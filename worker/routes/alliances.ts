import { Hono } from 'hono';
import { GAMES } from '../../domain/games/games.ts';
import { allianceParams, allianceQuery } from '../../domain/kingdoms/alliance.ts';
import { answer } from '../answer.ts';
import { Refusal } from '../errors.ts';
import { edgeKept } from '../gateways/edge-cache.ts';
import { signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { alliancePage } from '../models/kingdoms/alliances.ts';

const EDGE_SECONDS = 60;

export const alliances = new Hono<UserEnv>({ strict: false }).get(
  '/alliances/:kingdom/:tag',
  signedIn,
  validate('param', allianceParams),
  validate('query', allianceQuery),
  async (context) => {
    const { kingdom, tag } = context.req.valid('param');
    const { game } = context.req.valid('query');
    const found = await edgeKept(context, `alliances/${game}/${kingdom}/${encodeURIComponent(tag)}`, EDGE_SECONDS, () =>
      alliancePage(context.get('db'), game, kingdom, tag),
    );
    if (!found) {
      const where = `${GAMES[game].kingdom.one} ${kingdom}`;
      throw new Refusal('not_found', `Nobody of [${tag}] is in ${where}, as far as the scans tell.`);
    }
    return answer(context, found);
  },
);
