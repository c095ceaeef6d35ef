import { Hono } from 'hono';
import {
  registration as newAccount,
  passwordReset,
  resetRequest,
  verification,
} from '../../domain/accounts/account.ts';
import { message } from '../../domain/answers.ts';
import { preferredLocale } from '../../domain/language/locales.ts';
import { t } from '../../domain/language/text.ts';
import { answer } from '../http/answer.ts';
import { addressOf, callerNetwork } from '../middleware/address.ts';
import { answers } from '../middleware/answers.ts';
import { limited } from '../middleware/limits.ts';
import { type AppEnv, anyone } from '../middleware/session.ts';
import { speaking } from '../middleware/speaking.ts';
import { validate } from '../middleware/validate.ts';
import { stopEmailChange } from '../services/accounts/change-email.ts';
import { askReset, confirmReset } from '../services/accounts/change-password.ts';
import { registerAccount, verifyEmail } from '../services/accounts/register-account.ts';

export const registration = new Hono<AppEnv>()
  .post(
    '/account/create',
    anyone,
    limited('REGISTER_ADDRESS', callerNetwork),
    validate('json', newAccount),
    speaking,
    answers('Register with an access code', message),
    async (context) => {
      // Pages send their language as Accept-Language.
      const language = preferredLocale(context.req.header('accept-language') ?? '');
      const from = { address: addressOf(context), language };
      await registerAccount(context.get('db'), context.env, context.req.valid('json'), from);
      return answer(context, {
        message: t('Your account was created. Open the link in the mail that we sent you, then sign in.'),
      });
    },
  )
  .post(
    '/verify-email',
    anyone,
    limited('REGISTER_ADDRESS', callerNetwork),
    validate('json', verification),
    speaking,
    answers('Verify an e-mail address by a mailed token', message),
    async (context) => {
      const { token } = context.req.valid('json');
      const outcome = await verifyEmail(context.get('db'), context.env, token, addressOf(context));
      return answer(context, {
        message: t(
          outcome === 'verified'
            ? 'Your email address has been verified successfully! Please login to get started.'
            : 'Your e-mail address was changed.',
        ),
      });
    },
  )
  .post(
    '/email-change/stop',
    anyone,
    limited('REGISTER_ADDRESS', callerNetwork),
    validate('json', verification),
    speaking,
    answers('Cancel a change of address by the mail to the old one', message),
    async (context) => {
      await stopEmailChange(context.get('db'), context.env, context.req.valid('json').token, addressOf(context));
      return answer(context, {
        message: t(
          'The change was stopped, and your e-mail address stays as it is. Whoever asked for it knows your password, so set a new one now.',
        ),
      });
    },
  )
  .post(
    '/password-reset',
    anyone,
    limited('REGISTER_ADDRESS', callerNetwork),
    validate('json', resetRequest),
    speaking,
    answers('Request a mail to set a new password', message),
    async (context) => {
      const asked = { email: context.req.valid('json').email, address: addressOf(context) };
      await askReset(context.get('db'), context.env, (work) => context.executionCtx.waitUntil(work), asked);
      // The same for everyone, because it must not reveal who has an account.
      return answer(context, {
        message: t('If an account has this e-mail address, a mail with a link is on its way.'),
      });
    },
  )
  .post(
    '/password-reset/confirm',
    anyone,
    limited('REGISTER_ADDRESS', callerNetwork),
    validate('json', passwordReset),
    speaking,
    answers('Set a new password by a mailed token', message),
    async (context) => {
      await confirmReset(context.get('db'), context.env, context.req.valid('json'), addressOf(context));
      return answer(context, { message: t('Your password was changed. Sign in with the new one.') });
    },
  );
