import { Hono } from 'hono';
import { textAnswer, textAsked } from '../../domain/service/texts.ts';
import { answer } from '../http/answer.ts';
import { keep } from '../http/kept.ts';
import { answers } from '../middleware/answers.ts';
import { type AppEnv, anyone } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';

/** Texts written by the operator: imprint and privacy notice. */
export const texts = new Hono<AppEnv>().get(
  '/texts/:name',
  anyone,
  validate('param', textAsked),
  answers('The imprint or the privacy notice', textAnswer),
  async (context) => {
    const { name } = context.req.valid('param');
    const { IMPRINT, PRIVACY } = context.env;
    keep(context, { browser: 300, edge: 3600, stale: 3600 });
    return answer(context, { text: { imprint: IMPRINT, privacy: PRIVACY }[name] });
  },
);
