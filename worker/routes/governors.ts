import { Hono } from 'hono';
import { chartQuery, governorAnswer, governorParam, nearbyGovernors } from '../../domain/kingdoms/contract.ts';
import { answer } from '../http/answer.ts';
import { answers } from '../middleware/answers.ts';
import { keyScope, signedIn, type UserEnv, viewerOf } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { governorsNearId } from '../models/kingdoms/governors.ts';
import { showGovernor } from '../services/kingdoms/show-governor.ts';

export const governors = new Hono<UserEnv>()
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
  );
