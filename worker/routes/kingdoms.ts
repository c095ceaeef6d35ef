import { Hono } from 'hono';
import { chartQuery, kingdomAnswer, kingdomParam, nearbyKingdoms } from '../../domain/kingdoms/contract.ts';
import { answer } from '../http/answer.ts';
import { answers } from '../middleware/answers.ts';
import { keyScope, signedIn, type UserEnv, viewerOf } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { kingdomsNear } from '../models/kingdoms/kingdoms.ts';
import { showKingdom } from '../services/kingdoms/show-kingdom.ts';

export const kingdoms = new Hono<UserEnv>()
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
  );
