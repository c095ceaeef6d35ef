import { Hono } from 'hono';
import * as z from 'zod';
import { login } from '../../domain/accounts/account.ts';
import { identity as identityAnswer, sessionList, sessionsEnded } from '../../domain/accounts/answers.ts';
import { done } from '../../domain/answers.ts';
import { dollars } from '../../domain/money/money.ts';
import { notFound } from '../errors.ts';
import { answer } from '../http/answer.ts';
import { addressOf, callerNetwork } from '../middleware/address.ts';
import { answers } from '../middleware/answers.ts';
import { limited } from '../middleware/limits.ts';
import {
  type AppEnv,
  anyone,
  callerOf,
  deviceOf,
  dropSession,
  setDevice,
  setSession,
  signedIn,
  type UserEnv,
} from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { listSessions } from '../models/accounts/sessions.ts';
import type { User } from '../models/accounts/user.ts';
import { endOtherSessions, endSession } from '../services/accounts/end-sessions.ts';
import { signIn } from '../services/accounts/sign-in.ts';

/** `licence`: the version that holds. */
export const identityOf = (user: User, licence: number) => ({
  user: user.username,
  full_name: user.full_name,
  role: user.role,
  eula_accepted: user.eula_version >= licence,
  balance: dollars(user.balance_cents),
});

const bySession = new Hono<UserEnv>()
  .get('/account/sessions', signedIn, answers('The user’s sessions', sessionList), async (context) => {
    const current = context.get('claim')?.sessionId;
    const sessions = await listSessions(context.get('db'), context.get('userId'));
    return answer(
      context,
      sessions.map(({ id, created_at, last_seen_at, user_agent, address, two_factor }) => ({
        id,
        created_at,
        last_seen_at,
        user_agent,
        address,
        two_factor,
        current: id === current,
      })),
    );
  })
  .post(
    '/account/sessions/end-others',
    signedIn,
    answers('Sign out everywhere else', sessionsEnded),
    async (context) => {
      const ended = await endOtherSessions(context.get('db'), context.env, await callerOf(context));
      return answer(context, { ended });
    },
  )
  .delete(
    '/account/sessions/:session_id',
    signedIn,
    validate(
      'param',
      z.object({
        session_id: z.string().meta({
          description: 'A session: `id` of GET /v1/account/sessions.',
          pattern: '^[\\w-]{20,64}$',
          examples: ['Tfk2ZRpTYCTKF4X-zYn8I6izzjzho4JsziGxuAsUvvs'],
        }),
      }),
    ),
    answers('End one session', done),
    async (context) => {
      const sessionId = context.req.valid('param').session_id;
      if (!(await endSession(context.get('db'), context.env, context.get('userId'), sessionId)))
        throw notFound('session');
      return answer(context, {});
    },
  );

export const sessions = new Hono<AppEnv>()
  .post(
    '/login',
    anyone,
    limited('LOGIN_ADDRESS', callerNetwork),
    validate('json', login),
    answers('Sign in', identityAnswer),
    async (context) => {
      const browser = {
        address: addressOf(context),
        device: await deviceOf(context),
        userAgent: context.req.header('user-agent') ?? '',
        sessionId: context.get('claim')?.sessionId ?? null,
      };
      const asked = context.req.valid('json');
      const { user, sessionId, licence } = await signIn(context.get('db'), context.env, asked, browser);
      await setSession(context, sessionId, user.id);
      await setDevice(context, user.id);
      context.set('userId', user.id);
      return answer(context, identityOf(user, licence));
    },
  )
  .post('/logout', anyone, answers('End the session', done), async (context) => {
    const found = await context.get('person')();
    if (found?.session) await endSession(context.get('db'), context.env, found.user.id, found.session.id);
    dropSession(context);
    return answer(context, {});
  })
  .route('/', bySession);
