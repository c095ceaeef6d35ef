import { Hono } from 'hono';
import { licensesAnswer } from '../../domain/accounts/answers.ts';
import { answer } from '../http/answer.ts';
import { answers } from '../middleware/answers.ts';
import { signedIn, type UserEnv, userOf } from '../middleware/session.ts';
import { licensesOf } from '../services/accounts/licenses-of.ts';
import { speakAsAsked } from '../services/service/speak.ts';

export const licenses = new Hono<UserEnv>().get(
  '/licenses',
  signedIn,
  answers('What the account may use, and until when', licensesAnswer),
  async (context) => {
    const user = await userOf(context);
    const { env } = context;
    return answer(context, await speakAsAsked(env, context.req.raw, () => licensesOf(env, context.get('db'), user)));
  },
);
