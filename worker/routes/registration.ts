import { type Context, Hono } from 'hono';
import {
  eulaAcceptance,
  registration as newAccount,
  passwordReset,
  resetRequest,
  verification,
} from '../../domain/accounts/account.ts';
import { licenceAccepted, licence as licenceAnswer } from '../../domain/accounts/answers.ts';
import { EULA_TEXT, EULA_VERSION } from '../../domain/accounts/eula.ts';
import { message } from '../../domain/answers.ts';
import { answer } from '../answer.ts';
import type { Env } from '../env.ts';
import { Refusal } from '../errors.ts';
import { answers } from '../middleware/answers.ts';
import { addressOf, limited, withinLimit } from '../middleware/limits.ts';
import { type AppEnv, anyone, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { acceptEula, type User, userByEmail, userById } from '../models/accounts/accounts.ts';
import { type MailTokenKind, tokenOf } from '../models/accounts/mail-tokens.ts';
import { weaknessOf } from '../models/accounts/password-strength.ts';
import { register } from '../models/accounts/registration.ts';
import {
  changeAddress,
  resendVerification,
  resetPassword,
  sendToken,
  stopAddressChange,
  verifyAddress,
} from '../models/accounts/verification.ts';
import {
  emailChangedMail,
  passwordChangedMail,
  resetMail,
  takenMail,
  verifyMail,
} from '../services/messages/mail-texts.ts';
import { readToken, signToken } from '../signing.ts';

/** Refuses a password that is common, or made from the user's own words. */
export async function refuseWeak(password: string, user: { username: string; email: string }): Promise<void> {
  const [mailbox = ''] = user.email.split('@');
  const flaw = await weaknessOf(password, [user.username, user.email, mailbox]);
  if (flaw) throw new Refusal('invalid', flaw);
}

const verifyMailFor = (env: Env, user: Pick<User, 'username' | 'email'>) => async (id: string, expiresAt: number) =>
  verifyMail(env.SITE_ORIGIN, user, id, await signToken(env, 'verify', id, expiresAt));

/** The user of a mailed token, as he is now; null where there is no such token. */
async function holderOf(context: Context<AppEnv>, tokenId: string, kind: MailTokenKind): Promise<User | null> {
  const db = context.get('db');
  const token = await tokenOf(db, tokenId, kind);
  return token && userById(db, token.user_id);
}

const USED = 'The link is not valid, or was used already. If your address is verified, just sign in.';
const EXPIRED = 'The link has expired.';

/** Refuses a verification, and mails its user a new link if he still needs one. */
async function refuseVerification(context: Context<AppEnv>, tokenId: string, expired: boolean): Promise<never> {
  const user = await holderOf(context, tokenId, 'verify');
  const mails = async (id: string, expiresAt: number) => [
    await verifyMailFor(context.env, user as User)(id, expiresAt),
  ];
  if (user) await resendVerification(context.get('db'), user, mails);
  throw new Refusal('invalid', expired ? EXPIRED : USED);
}

/** Applies a link by which a user changes his address. */
async function applyAddress(context: Context<AppEnv>, tokenId: string): Promise<string> {
  const user = await holderOf(context, tokenId, 'change_email');
  if (!user) throw new Refusal('invalid', USED);
  const told = (email: string) => emailChangedMail(user, email, tokenId);
  const outcome = await changeAddress(context.get('db'), { tokenId, user, address: addressOf(context) }, told);
  if (outcome === 'taken') throw new Refusal('conflict', 'Another account is using this address now.');
  if (outcome === 'refused') throw new Refusal('invalid', USED);
  return 'Your e-mail address was changed.';
}

const VERIFIED = 'Your email address has been verified successfully! Please login to get started.';

const STOPPED =
  'The change was stopped: your e-mail address stays as it is. Whoever asked for it knows your password: set a new one now.';

/** What the API says to everyone who asks for a reset: who has an account is nobody's business. */
const RESET_SENT = 'If an account has this e-mail address, a mail with a link is on its way.';

const licence = new Hono<UserEnv>({ strict: false })
  .get('/eula', anyone, answers(licenceAnswer), async (context) =>
    answer(context, { eula: EULA_TEXT, version: EULA_VERSION }),
  )
  .post('/eula/accept', signedIn, validate('json', eulaAcceptance), answers(licenceAccepted), async (context) => {
    await acceptEula(context.get('db'), context.get('user').id, addressOf(context));
    return answer(context, { version: EULA_VERSION });
  });

export const registration = new Hono<AppEnv>({ strict: false })
  .post(
    '/account/create',
    anyone,
    limited('REGISTER_ADDRESS', addressOf),
    validate('json', newAccount),
    answers(message),
    async (context) => {
      const { username, password, email, fullname, access_code } = context.req.valid('json');
      const { env } = context;
      await refuseWeak(password, { username, email });
      const outcome = await register(
        context.get('db'),
        { username, password, email, full_name: fullname, access_code, address: addressOf(context) },
        {
          verify: verifyMailFor(env, { username, email }),
          taken: (reference) => takenMail(env.SITE_ORIGIN, email, reference),
        },
      );
      if (outcome === 'username_taken') throw new Refusal('conflict', 'username: is taken. Please choose another.');
      if (outcome === 'code_refused')
        throw new Refusal('invalid', 'access_code: is not valid, has expired or was used up.');
      return answer(context, { message: 'Your account was created. Please open the link in the mail we sent you.' });
    },
  )
  .post(
    '/verify-email',
    anyone,
    limited('REGISTER_ADDRESS', addressOf),
    validate('json', verification),
    answers(message),
    async (context) => {
      const { token } = context.req.valid('json');
      const change = await readToken(context.env, 'change_email', token);
      if (change && !change.expired) return answer(context, { message: await applyAddress(context, change.id) });
      const verify = await readToken(context.env, 'verify', token);
      if (!verify) throw new Refusal('invalid', change ? EXPIRED : USED);
      const done = !verify.expired && (await verifyAddress(context.get('db'), verify.id, addressOf(context)));
      if (!done) return refuseVerification(context, verify.id, verify.expired);
      return answer(context, { message: VERIFIED });
    },
  )
  .post(
    '/email-change/stop',
    anyone,
    limited('REGISTER_ADDRESS', addressOf),
    validate('json', verification),
    answers(message),
    async (context) => {
      const named = await readToken(context.env, 'stop_change', context.req.valid('json').token);
      const user = named && !named.expired ? await holderOf(context, named.id, 'change_email') : null;
      const use = named && user && { tokenId: named.id, user, address: addressOf(context) };
      if (!use || !(await stopAddressChange(context.get('db'), use)))
        throw new Refusal(
          'invalid',
          'There is nothing to stop: the change was confirmed or stopped, or the link has expired.',
        );
      return answer(context, { message: STOPPED });
    },
  )
  .post(
    '/password-reset',
    anyone,
    limited('REGISTER_ADDRESS', addressOf),
    validate('json', resetRequest),
    answers(message),
    async (context) => {
      const { email } = context.req.valid('json');
      await withinLimit(context.env, 'RESET_MAIL', email.toLowerCase());
      const { env } = context;
      const db = context.get('db');
      const user = await userByEmail(db, email);
      const mails = async (id: string, expiresAt: number) => [
        resetMail(env.SITE_ORIGIN, user as User, id, await signToken(env, 'reset', id, expiresAt)),
      ];
      // After the answer: how long it takes must not tell whether there is such an account.
      if (user) context.executionCtx.waitUntil(sendToken(db, user, 'reset', mails, { address: addressOf(context) }));
      return answer(context, { message: RESET_SENT });
    },
  )
  .post(
    '/password-reset/confirm',
    anyone,
    limited('REGISTER_ADDRESS', addressOf),
    validate('json', passwordReset),
    answers(message),
    async (context) => {
      const { token, password } = context.req.valid('json');
      const named = await readToken(context.env, 'reset', token);
      const user = named && !named.expired ? await holderOf(context, named.id, 'reset') : null;
      if (!named || !user)
        throw new Refusal('invalid', 'The link is not valid or has expired. Please ask for a new one.');
      await refuseWeak(password, user);
      const mail = passwordChangedMail(context.env.SITE_ORIGIN, user, named.id);
      const use = { tokenId: named.id, user, address: addressOf(context) };
      if (!(await resetPassword(context.get('db'), use, password, mail)))
        throw new Refusal('invalid', 'The link was used already or has expired. Please ask for a new one.');
      return answer(context, { message: 'Your password was changed. Please sign in with it.' });
    },
  )
  .route('/', licence);
