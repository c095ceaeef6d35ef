import { Hono } from 'hono';
import { twoFactorConfirm, twoFactorEnd, twoFactorStart } from '../../domain/accounts/account.ts';
import { twoFactorConfirmed, twoFactorStarted } from '../../domain/accounts/answers.ts';
import { done } from '../../domain/answers.ts';
import { answer } from '../http/answer.ts';
import { answers } from '../middleware/answers.ts';
import { callerOf, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { beginTwoFactor, switchOffTwoFactor, switchOnTwoFactor } from '../services/accounts/change-two-factor.ts';

export const twoFactor = new Hono<UserEnv>()
  .post(
    '/account/two-factor/start',
    signedIn,
    validate('json', twoFactorStart),
    answers('Start to set up an authenticator app', twoFactorStarted),
    async (context) => {
      const { current_password } = context.req.valid('json');
      return answer(
        context,
        await beginTwoFactor(context.get('db'), context.env, await callerOf(context), current_password),
      );
    },
  )
  .post(
    '/account/two-factor/confirm',
    signedIn,
    validate('json', twoFactorConfirm),
    answers('Switch two-factor sign-in on', twoFactorConfirmed),
    async (context) => {
      const { code } = context.req.valid('json');
      const codes = await switchOnTwoFactor(context.get('db'), context.env, await callerOf(context), code);
      return answer(context, { recovery_codes: codes });
    },
  )
  .post(
    '/account/two-factor/end',
    signedIn,
    validate('json', twoFactorEnd),
    answers('Switch two-factor sign-in off', done),
    async (context) => {
      await switchOffTwoFactor(context.get('db'), context.env, await callerOf(context), context.req.valid('json'));
      return answer(context, {});
    },
  );
