import { Hono } from 'hono';
import { licensesAnswer } from '../../domain/accounts/answers.ts';
import { answer } from '../http/answer.ts';
import { answers } from '../middleware/answers.ts';
import { signedIn, type UserEnv, userOf } from '../middleware/session.ts';
import { speaking } from '../middleware/speaking.ts';
import { licensesOf } from '../services/accounts/licenses-of.ts';

export const licenses = new Hono<UserEnv>().get(
  '/licenses',
  signedIn,
  speaking,
  answers('What the account may use, and until when', licensesAnswer),
  async (context) => answer(context, await licensesOf(context.env, context.get('db'), await userOf(context))),
);
