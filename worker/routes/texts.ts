import { Hono } from 'hono';
import type * as z from 'zod';
import { type textAnswer, textAsked } from '../../domain/service/texts.ts';
import { answer } from '../answer.ts';
import type { AppEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';

/** The texts that the operator writes: imprint and privacy notice. */
export const texts = new Hono<AppEnv>({ strict: false }).get(
  '/texts/:name',
  validate('param', textAsked),
  async (context) => {
    const { name } = context.req.valid('param');
    const { IMPRINT, PRIVACY } = context.env;
    context.header('cache-control', 'public, max-age=300');
    return answer<z.infer<typeof textAnswer>>(context, { text: { imprint: IMPRINT, privacy: PRIVACY }[name] });
  },
);
