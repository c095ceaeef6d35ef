import { Hono } from 'hono';
import {
  registration as newAccount,
  passwordReset,
  resetRequest,
  verification,
} from '../../domain/accounts/account.ts';
import { message } from '../../domain/answers.ts';
import { preferredLocale } from '../../domain/language/locales.ts';
import { answer } from '../http/answer.ts';
import { addressOf, callerNetwork } from '../middleware/address.ts';
import { answers } from '../middleware/answers.ts';
import { limited } from '../middleware/limits.ts';
import { type AppEnv, anyone } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { stopEmailChange } from '../services/accounts/change-email.ts';
import { askReset, confirmReset } from '../services/accounts/change-password.ts';
import { registerAccount, verifyEmail } from '../services/accounts/register-account.ts';

const PROVED = {
  verified: 'Your email address has been verified successfully! Please login to get started.',
  changed: 'Your e-mail address was changed.',
};

const STOPPED =
  'The change was stopped, and your e-mail address stays as it is. Whoever asked for it knows your password, so set a new one now.';

/** The same answer for everyone, because it must not reveal who has an account. */
const RESET_SENT = 'If an account has this e-mail address, a mail with a link is on its way.';

export const registration = new Hono<AppEnv>()
  .post(
    '/account/create',
    anyone,
    limited('REGISTER_ADDRESS', callerNetwork),
    validate('json', newAccount),
    answers('Register with an access code', message),
    async (context) => {
      // Pages send their language as Accept-Language.
      const language = preferredLocale(context.req.header('accept-language') ?? '');
      const from = { address: addressOf(context), language };
      await registerAccount(context.get('db'), context.env, context.req.valid('json'), from);
      return answer(context, { message: 'Your account was created. Please open the link in the mail we sent you.' });
    },
  )
  .post(
    '/verify-email',
    anyone,
    limited('REGISTER_ADDRESS', callerNetwork),
    validate('json', verification),
    answers('Verify an e-mail address by a mailed token', message),
    async (context) => {
      const { token } = context.req.valid('json');
      const outcome = await verifyEmail(context.get('db'), context.env, token, addressOf(context));
      return answer(context, { message: PROVED[outcome] });
    },
  )
  .post(
    '/email-change/stop',
    anyone,
    limited('REGISTER_ADDRESS', callerNetwork),
    validate('json', verification),
    answers('Cancel a change of address by the mail to the old one', message),
    async (context) => {
      await stopEmailChange(context.get('db'), context.env, context.req.valid('json').token, addressOf(context));
      return answer(context, { message: STOPPED });
    },
  )
  .post(
    '/password-reset',
    anyone,
    limited('REGISTER_ADDRESS', callerNetwork),
    validate('json', resetRequest),
    answers('Request a mail to set a new password', message),
    async (context) => {
      const asked = { email: context.req.valid('json').email, address: addressOf(context) };
      await askReset(context.get('db'), context.env, (work) => context.executionCtx.waitUntil(work), asked);
      return answer(context, { message: RESET_SENT });
    },
  )
  .post(
    '/password-reset/confirm',
    anyone,
    limited('REGISTER_ADDRESS', callerNetwork),
    validate('json', passwordReset),
    answers('Set a new password by a mailed token', message),
    async (context) => {
      await confirmReset(context.get('db'), context.env, context.req.valid('json'), addressOf(context));
      return answer(context, { message: 'Your password was changed. Please sign in with it.' });
    },
  );
