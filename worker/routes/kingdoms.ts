import { Hono } from 'hono';
import { allianceAnswer, allianceParams, allianceQuery } from '../../domain/kingdoms/alliance.ts';
import {
  chartQuery,
  governorAnswer,
  governorParam,
  kingdomAnswer,
  kingdomParam,
  nearbyGovernors,
  nearbyKingdoms,
} from '../../domain/kingdoms/contract.ts';
import { answer } from '../http/answer.ts';
import { answers } from '../middleware/answers.ts';
import { keyScope, signedIn, type UserEnv, viewerOf } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { governorsNearId } from '../models/kingdoms/governors.ts';
import { kingdomsNear } from '../models/kingdoms/kingdoms.ts';
import { showGovernor } from '../services/kingdoms/show-governor.ts';
import { showAlliance, showKingdom } from '../services/kingdoms/show-kingdom.ts';

/** Kingdoms, their alliances and governors, as scans of all kingdoms show them. */
export const kingdoms = new Hono<UserEnv>()
  .get(
    '/governors/:id',
    keyScope('read'),
    signedIn,
    validate('param', governorParam),
    validate('query', chartQuery),
    answers('A governor’s profile, history and changes', governorAnswer),
    async (context) => {
      const asked = { viewer: viewerOf(context), ...context.req.valid('param'), ...context.req.valid('query') };
      return answer(context, await showGovernor(context.get('db'), context.env, context, asked));
    },
  )
  .get(
    '/governors/:id/nearby',
    keyScope('read'),
    signedIn,
    validate('param', governorParam),
    answers('Governors with ids near an unknown one', nearbyGovernors),
    async (context) => answer(context, await governorsNearId(context.get('db'), context.req.valid('param').id)),
  )
  .get(
    '/kingdoms/:id',
    keyScope('read'),
    signedIn,
    validate('param', kingdomParam),
    validate('query', chartQuery),
    answers('A kingdom’s charts, rankings and changes', kingdomAnswer),
    async (context) => {
      const asked = { viewer: viewerOf(context), ...context.req.valid('param'), ...context.req.valid('query') };
      return answer(context, await showKingdom(context.get('db'), context.env, context, asked));
    },
  )
  .get(
    '/kingdoms/:id/nearby',
    keyScope('read'),
    signedIn,
    validate('param', kingdomParam),
    answers('Kingdoms with numbers near an unknown one', nearbyKingdoms),
    async (context) => answer(context, await kingdomsNear(context.get('db'), context.req.valid('param').id)),
  )
  .get(
    '/alliances/:kingdom/:tag',
    keyScope('read'),
    signedIn,
    validate('param', allianceParams),
    validate('query', allianceQuery),
    answers('Members, sums, arrivals and departures of an alliance', allianceAnswer),
    async (context) => {
      const asked = { ...context.req.valid('param'), ...context.req.valid('query') };
      return answer(context, await showAlliance(context.get('db'), context.env, context, asked));
    },
  );
