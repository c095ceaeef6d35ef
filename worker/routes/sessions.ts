import { type Context, Hono } from 'hono';
import { login } from '../../domain/accounts/account.ts';
import { identity as identityAnswer, sessionList, sessionsEnded } from '../../domain/accounts/answers.ts';
import { done } from '../../domain/answers.ts';
import { dollars } from '../../domain/money/money.ts';
import { answer } from '../answer.ts';
import { notFound, Refusal } from '../errors.ts';
import { answers } from '../middleware/answers.ts';
import { addressOf, limited, withinLimit } from '../middleware/limits.ts';
import {
  type AppEnv,
  anyone,
  deviceOf,
  dropSession,
  setDevice,
  setSession,
  signedIn,
  type UserEnv,
} from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { authenticate, CURRENT_EULA, type User } from '../models/accounts/accounts.ts';
import {
  closeOtherSessions,
  closeOwnSession,
  closeSession,
  listSessions,
  openSession,
} from '../models/accounts/sessions.ts';
import { checkSecondFactor, hasTwoFactor } from '../models/accounts/two-factor.ts';
import { resendVerification } from '../models/accounts/verification.ts';
import { record } from '../models/service/audit.ts';
import { signInCount } from '../services/accounts/sign-in-count.ts';
import { verifyMail } from '../services/messages/mail-texts.ts';
import { signToken } from '../signing.ts';

export const identity = (user: User) => ({
  user: user.username,
  full_name: user.full_name,
  role: user.role,
  eula_accepted: user.eula_version >= CURRENT_EULA,
  balance: dollars(user.balance_cents),
});

/** Refuses the sign-in unless the second factor, where there is one, is shown. Answers whether it was. */
async function secondFactor(context: Context<AppEnv>, user: User, code: string | undefined): Promise<boolean> {
  const db = context.get('db');
  if (!(await hasTwoFactor(db, user.id))) return false;
  if (code === undefined)
    throw new Refusal('signed_out', 'Please enter the code from your authenticator app.', 'two_factor');
  const outcome = await checkSecondFactor(db, context.env, user.id, code);
  if (outcome === 'right') return true;
  await record(db, { userId: user.id, actor: 'user', action: 'two_factor.refused', address: addressOf(context) });
  throw outcome === 'blocked'
    ? new Refusal('too_many', 'Too many wrong codes. Please wait 15 minutes, then try again.', 'two_factor')
    : new Refusal('signed_out', 'This code is wrong or was used before.', 'two_factor');
}

/** Refuses users whose address is not proved yet, and mails them again. */
async function verified(context: Context<AppEnv>, user: User): Promise<void> {
  if (user.verified_at !== null) return;
  const { SITE_ORIGIN } = context.env;
  await resendVerification(context.get('db'), user, async (id, expiresAt) => [
    verifyMail(SITE_ORIGIN, user, id, await signToken(context.env, 'verify', id, expiresAt)),
  ]);
  throw new Refusal(
    'forbidden',
    'Please verify your e-mail address first: the link is in the mail that we sent you. Each sign-in sends it again, once a minute at most.',
    'unverified',
  );
}

/** Opens a session, in place of the one that the browser had: an id from before the sign-in is worth nothing after. */
async function enter(context: Context<AppEnv>, user: User, twoFactor: boolean): Promise<void> {
  const db = context.get('db');
  const before = context.get('sessionId');
  if (before) await closeSession(db, before);
  const userAgent = context.req.header('user-agent') ?? '';
  await setSession(context, await openSession(db, { user, userAgent, address: addressOf(context), twoFactor }));
  await setDevice(context, user.id);
  context.set('user', user);
}

const bySession = new Hono<UserEnv>({ strict: false })
  .get('/account/sessions', signedIn, answers(sessionList), async (context) => {
    const current = context.get('sessionId');
    const sessions = await listSessions(context.get('db'), context.get('user').id);
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
  .post('/account/sessions/end-others', signedIn, answers(sessionsEnded), async (context) => {
    const { id } = context.get('user');
    const ended = await closeOtherSessions(context.get('db'), id, context.get('sessionId'));
    await record(context.get('db'), {
      userId: id,
      actor: 'user',
      action: 'session.others_ended',
      detail: { ended },
      address: addressOf(context),
    });
    return answer(context, { ended });
  })
  .delete('/account/sessions/:session_id', signedIn, answers(done), async (context) => {
    const sessionId = context.req.param('session_id');
    if (!(await closeOwnSession(context.get('db'), context.get('user').id, sessionId))) throw notFound('session');
    return answer(context, {});
  });

export const sessions = new Hono<AppEnv>({ strict: false })
  .post(
    '/login',
    anyone,
    limited('LOGIN_ADDRESS', addressOf),
    validate('json', login),
    answers(identityAnswer),
    async (context) => {
      const { username, password, code } = context.req.valid('json');
      const db = context.get('db');
      const trying = { username, address: addressOf(context), device: await deviceOf(context) };
      await withinLimit(context.env, 'LOGIN_ACCOUNT', await signInCount(db, trying));
      const { user, right } = await authenticate(db, username, password);
      if (!right) {
        const address = addressOf(context);
        await record(db, { userId: user?.id ?? null, actor: 'user', action: 'session.refused', address });
        throw new Refusal('signed_out', 'The username or password is wrong.');
      }
      await verified(context, user);
      await enter(context, user, await secondFactor(context, user, code));
      return answer(context, identity(user));
    },
  )
  .post('/logout', anyone, answers(done), async (context) => {
    const sessionId = context.get('sessionId');
    if (sessionId) await closeSession(context.get('db'), sessionId);
    dropSession(context);
    return answer(context, {});
  })
  .route('/', bySession);
