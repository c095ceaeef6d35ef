import { type Context, Hono } from 'hono';
import { accountDeletion, emailChange, passwordChange } from '../../domain/accounts/account.ts';
import { accountAnswer, activityList } from '../../domain/accounts/answers.ts';
import { message } from '../../domain/answers.ts';
import { answer } from '../answer.ts';
import { Refusal } from '../errors.ts';
import { dropOwnFiles } from '../gateways/own-files.ts';
import { answers } from '../middleware/answers.ts';
import { addressOf, withinLimit } from '../middleware/limits.ts';
import { dropSession, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { changePassword, type User, userByEmail } from '../models/accounts/accounts.ts';
import { deleteAccount } from '../models/accounts/deletion.ts';
import { passwordMatches } from '../models/accounts/passwords.ts';
import { personalData } from '../models/accounts/personal-data.ts';
import { checkSecondFactor, hasTwoFactor } from '../models/accounts/two-factor.ts';
import { sendToken } from '../models/accounts/verification.ts';
import { auditOf } from '../models/service/audit.ts';
import { LEFT_FILES } from '../models/service/setbacks.ts';
import {
  changeAskedMail,
  changeEmailMail,
  deletedMail,
  passwordChangedMail,
  takenMail,
} from '../services/messages/mail-texts.ts';
import { signToken } from '../signing.ts';
import { refuseWeak } from './registration.ts';
import { identity } from './sessions.ts';

/** Counts a try of a password or a first code inside a session by the session: nobody outside can use these tries up. */
export const countPassword = (context: Context<UserEnv>): Promise<void> =>
  withinLimit(context.env, 'LOGIN_ACCOUNT', `session:${context.get('sessionId')}`);

/** Refuses what a borrowed browser would do: what matters asks for the password again, counted like a sign-in. */
export async function samePerson(context: Context<UserEnv>, password: string): Promise<User> {
  const user = context.get('user');
  await countPassword(context);
  if (!(await passwordMatches(password, user.password_hash)))
    throw new Refusal('forbidden', 'current_password: is wrong.');
  return user;
}

/** Refuses a wrong code of the second factor, where the user has one. */
export async function sameFactor(context: Context<UserEnv>, code: string | undefined): Promise<void> {
  const { id } = context.get('user');
  const db = context.get('db');
  if (!(await hasTwoFactor(db, id))) return;
  const outcome = code === undefined ? 'wrong' : await checkSecondFactor(db, context.env, id, code);
  if (outcome === 'blocked')
    throw new Refusal('too_many', 'Too many wrong codes. Please wait 15 minutes, then try again.');
  if (outcome === 'wrong') throw new Refusal('forbidden', 'code: is wrong or was used before.');
}

export const account = new Hono<UserEnv>({ strict: false })
  .get('/account', signedIn, answers(accountAnswer), async (context) => {
    const user = context.get('user');
    return answer(context, {
      ...identity(user),
      email: user.email,
      created_at: user.created_at,
      two_factor: await hasTwoFactor(context.get('db'), user.id),
      // Ours, which leads on to Stripe's: theirs lasts minutes only. Before the first payment there is no customer.
      stripe_customer_url: user.stripe_customer_id
        ? `${new URL(context.req.url).origin}/v1/payment/portal`
        : (null as string | null),
    });
  })
  .post('/account/password', signedIn, validate('json', passwordChange), answers(message), async (context) => {
    const { current_password, password, end_keys } = context.req.valid('json');
    const user = await samePerson(context, current_password);
    await refuseWeak(password, user);
    const mail = passwordChangedMail(context.env.SITE_ORIGIN, user, crypto.randomUUID());
    const sessionId = context.get('sessionId');
    const change = { user, password, sessionId, endKeys: end_keys, mail, address: addressOf(context) };
    await changePassword(context.get('db'), change);
    return answer(context, { message: 'Your password was changed. Every other session was ended.' });
  })
  .post('/account/email', signedIn, validate('json', emailChange), answers(message), async (context) => {
    const { current_password, email } = context.req.valid('json');
    const { env } = context;
    const db = context.get('db');
    const user = await samePerson(context, current_password);
    await withinLimit(env, 'RESET_MAIL', email.toLowerCase());
    await withinLimit(env, 'RESET_MAIL', `from:${user.id}`);
    // Who has the address already learns of it by mail; the one who asks sees the same either way.
    const taken = (await userByEmail(db, email)) !== null;
    const mails = async (id: string, expiresAt: number) => {
      const stop = await signToken(env, 'stop_change', id, expiresAt);
      const confirm = await signToken(env, 'change_email', id, expiresAt);
      return [
        changeAskedMail(env.SITE_ORIGIN, user, email, id, stop),
        taken ? takenMail(env.SITE_ORIGIN, email, id) : changeEmailMail(env.SITE_ORIGIN, user, email, id, confirm),
      ];
    };
    await sendToken(db, user, 'change_email', mails, { email, address: addressOf(context) });
    return answer(context, { message: `Please open the link in the mail that we sent to ${email}.` });
  })
  .get('/account/activity', signedIn, answers(activityList), async (context) => {
    const entries = await auditOf(context.get('db'), context.get('user').id);
    return answer(
      context,
      entries.map(({ id, at, actor, action, address }) => ({
        id,
        at,
        by: actor.split(':')[0] ?? '',
        action,
        address,
      })),
    );
  })
  .get('/account/export', signedIn, async (context) => {
    const data = await personalData(context.get('db'), context.get('user'));
    context.header('content-disposition', 'attachment; filename="muster-account.json"');
    return answer(context, data);
  })
  .post('/account/delete', signedIn, validate('json', accountDeletion), answers(message), async (context) => {
    const { current_password, code, username } = context.req.valid('json');
    const user = await samePerson(context, current_password);
    if (username.toLowerCase() !== user.username_key)
      throw new Refusal('invalid', 'username: type your own, to show that you mean it.');
    if (user.role === 'admin') throw new Refusal('conflict', 'An admin cannot delete himself: ask another admin.');
    await sameFactor(context, code);
    await deleteAccount(context.get('db'), user, deletedMail(user, user.id), addressOf(context));
    // What the store keeps now, the cron clears away: the account is gone either way.
    await dropOwnFiles(context.env.STORE, user.id).catch((error: unknown) => {
      console.error(JSON.stringify({ job: LEFT_FILES, subject: user.id, error: String(error) }));
    });
    dropSession(context);
    return answer(context, { message: 'Your account was deleted.' });
  });
