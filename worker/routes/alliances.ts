import { Hono } from 'hono';
import { allianceAnswer, allianceParams, allianceQuery } from '../../domain/kingdoms/alliance.ts';
import { answer } from '../http/answer.ts';
import { answers } from '../middleware/answers.ts';
import { keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { showAlliance } from '../services/kingdoms/show-kingdom.ts';

export const alliances = new Hono<UserEnv>().get(
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
