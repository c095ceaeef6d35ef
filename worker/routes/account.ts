import { Hono } from 'hono';
import { accountDeletion, emailChange, languageChoice, passwordChange } from '../../domain/accounts/account.ts';
import { accountAnswer, activityList } from '../../domain/accounts/answers.ts';
import { personalDataAnswer } from '../../domain/accounts/personal-data.ts';
import { done, message } from '../../domain/answers.ts';
import { t } from '../../domain/language/text.ts';
import { jsonPieces } from '../files/json-pieces.ts';
import { streamOf } from '../files/stream-of.ts';
import { answer, typed } from '../http/answer.ts';
import { attachment } from '../http/attachment.ts';
import { takeMemory } from '../isolate/memory.ts';
import { answers } from '../middleware/answers.ts';
import { limited } from '../middleware/limits.ts';
import { siteOrigin } from '../middleware/origin.ts';
import { callerOf, dropSession, signedIn, type UserEnv, userOf } from '../middleware/session.ts';
import { speaking } from '../middleware/speaking.ts';
import { validate } from '../middleware/validate.ts';
import { chooseLanguage } from '../models/accounts/accounts.ts';
import { personalData } from '../models/accounts/personal-data.ts';
import { auditOf } from '../models/service/audit.ts';
import { askEmailChange } from '../services/accounts/change-email.ts';
import { changeOwnPassword } from '../services/accounts/change-password.ts';
import { deleteOwnAccount } from '../services/accounts/delete-accounts.ts';
import { accountState } from '../services/accounts/show-account.ts';
import { identityOf } from './sessions.ts';

export const account = new Hono<UserEnv>()
  .get('/account', signedIn, answers('Who is signed in', accountAnswer), async (context) => {
    const [user, { two_factor, licence }] = await Promise.all([
      userOf(context),
      accountState(context.get('db'), context.get('userId')),
    ]);
    return answer(context, {
      ...identityOf(user, licence),
      email: user.email,
      created_at: user.created_at,
      two_factor,
      language: user.language,
      // Our own address, which redirects to Stripe's, because theirs expires within minutes. Without a payment there is
      // no Stripe customer.
      stripe_customer_url: user.stripe_customer_id
        ? `${siteOrigin(context)}/v1/payment/portal`
        : (null as string | null),
    });
  })
  .post(
    '/account/password',
    signedIn,
    validate('json', passwordChange),
    speaking,
    answers('Change the password; other sessions end', message),
    async (context) => {
      await changeOwnPassword(context.get('db'), context.env, await callerOf(context), context.req.valid('json'));
      return answer(context, { message: t('Your password was changed. Every other session was ended.') });
    },
  )
  .post(
    '/account/email',
    signedIn,
    validate('json', emailChange),
    speaking,
    answers('Request a change of e-mail address', message),
    async (context) => {
      const asked = context.req.valid('json');
      await askEmailChange(context.get('db'), context.env, await callerOf(context), asked);
      return answer(context, {
        message: t('Please open the link in the mail that we sent to {email}.', { email: asked.email }),
      });
    },
  )
  .put(
    '/account/language',
    signedIn,
    validate('json', languageChoice),
    answers('Choose the language of pages, mails and messages', done),
    async (context) => {
      await chooseLanguage(context.get('db'), context.get('userId'), context.req.valid('json').language);
      return answer(context, {});
    },
  )
  .get('/account/activity', signedIn, answers('Activity log of the account', activityList), async (context) => {
    const entries = await auditOf(context.get('db'), context.get('userId'));
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
  .get(
    '/account/export',
    signedIn,
    // Five a minute, because each reads everything.
    limited<UserEnv>('REPORT_USER', async (context) => `export ${(await userOf(context)).id}`),
    answers('Everything stored about the user', personalDataAnswer),
    async (context) => {
      const data = await personalData(context.get('db'), await userOf(context));
      const sent = streamOf(jsonPieces({ success: 1, data }), await takeMemory('dataExport'));
      const headers = {
        'content-type': 'application/json',
        'content-disposition': attachment('muster-account', 'json'),
      };
      return typed(personalDataAnswer, context.body(sent, 200, headers));
    },
  )
  .post(
    '/account/delete',
    signedIn,
    validate('json', accountDeletion),
    speaking,
    answers('Delete the account', message),
    async (context) => {
      await deleteOwnAccount(context.get('db'), context.env, await callerOf(context), context.req.valid('json'));
      dropSession(context);
      return answer(context, { message: t('Your account was deleted.') });
    },
  );
