import { Hono } from 'hono';
import { twoFactorConfirm, twoFactorEnd, twoFactorStart } from '../../domain/accounts/account.ts';
import { twoFactorConfirmed, twoFactorStarted } from '../../domain/accounts/answers.ts';
import { done } from '../../domain/answers.ts';
import { answer } from '../answer.ts';
import { Refusal } from '../errors.ts';
import { answers } from '../middleware/answers.ts';
import { addressOf } from '../middleware/limits.ts';
import { signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { confirmTwoFactor, endTwoFactor, startTwoFactor } from '../models/accounts/two-factor.ts';
import { twoFactorMail } from '../services/messages/mail-texts.ts';
import { countPassword, sameFactor, samePerson } from './account.ts';

export const twoFactor = new Hono<UserEnv>({ strict: false })
  .post(
    '/account/two-factor/start',
    signedIn,
    validate('json', twoFactorStart),
    answers(twoFactorStarted),
    async (context) => {
      const user = await samePerson(context, context.req.valid('json').current_password);
      const started = await startTwoFactor(context.get('db'), context.env, user);
      if (!started) throw new Refusal('conflict', 'Two-factor sign-in is on already. Switch it off first.');
      return answer(context, started);
    },
  )
  .post(
    '/account/two-factor/confirm',
    signedIn,
    validate('json', twoFactorConfirm),
    answers(twoFactorConfirmed),
    async (context) => {
      const user = context.get('user');
      await countPassword(context);
      const codes = await confirmTwoFactor(context.get('db'), context.env, context.req.valid('json').code, {
        user,
        sessionId: context.get('sessionId'),
        mail: twoFactorMail(user, true, crypto.randomUUID()),
        address: addressOf(context),
      });
      if (!codes) throw new Refusal('invalid', 'code: is not what the authenticator app shows now.');
      return answer(context, { recovery_codes: codes });
    },
  )
  .post('/account/two-factor/end', signedIn, validate('json', twoFactorEnd), answers(done), async (context) => {
    const { current_password, code } = context.req.valid('json');
    const user = await samePerson(context, current_password);
    await sameFactor(context, code);
    const mail = twoFactorMail(user, false, crypto.randomUUID());
    await endTwoFactor(context.get('db'), { user, mail, address: addressOf(context) });
    return answer(context, {});
  });
