import { Hono } from 'hono';
import { notificationAnswer } from '../../domain/accounts/answers.ts';
import { hintOf, notificationSettings, webhookOf } from '../../domain/accounts/notification.ts';
import { message } from '../../domain/answers.ts';
import { answer } from '../answer.ts';
import type { Env } from '../env.ts';
import { Refusal } from '../errors.ts';
import { postToDiscord, sendsToDiscord } from '../gateways/discord.ts';
import { answers } from '../middleware/answers.ts';
import { addressOf, limitedByUser } from '../middleware/limits.ts';
import { signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import {
  type Notifications,
  notificationsOf,
  setNotifications,
  switchOffDiscord,
} from '../models/messages/notifications.ts';
import { RecipientRefused } from '../models/messages/outbox.ts';
import { sealWebhook, webhookIn } from '../services/messages/send-outbox.ts';

/** The settings as their owner sees them: of the webhook only a hint, for its address is a secret. */
async function settingsAnswer(env: Env, settings: Notifications) {
  const webhook = await webhookIn(env, settings);
  return { by_mail: settings.by_mail, discord: webhook === null ? null : hintOf(webhook), trouble: settings.trouble };
}

const perUser = limitedByUser('NOTIFY_USER');

export const notifying = new Hono<UserEnv>({ strict: false })
  .get('/account/notifications', signedIn, answers(notificationAnswer), async (context) => {
    const settings = await notificationsOf(context.get('db'), context.get('user').id);
    return answer(context, await settingsAnswer(context.env, settings));
  })
  .post(
    '/account/notifications',
    signedIn,
    validate('json', notificationSettings),
    answers(notificationAnswer),
    async (context) => {
      const { by_mail, discord_url } = context.req.valid('json');
      const [db, env, { id }] = [context.get('db'), context.env, context.get('user')];
      const webhook = discord_url === undefined ? undefined : webhookOf(discord_url);
      const discord = webhook ? await sealWebhook(env, id, webhook) : webhook;
      await setNotifications(db, id, { by_mail, discord }, addressOf(context));
      return answer(context, await settingsAnswer(env, await notificationsOf(db, id)));
    },
  )
  .post('/account/notifications/test', signedIn, perUser, answers(message), async (context) => {
    const [db, env] = [context.get('db'), context.env];
    const settings = await notificationsOf(db, context.get('user').id);
    const webhook = await webhookIn(env, settings);
    if (webhook === null) throw new Refusal('conflict', 'Save the address of a Discord webhook first.');
    try {
      await postToDiscord(env, webhook, 'A test from Muster: your finished orders will be announced here.');
    } catch (error) {
      if (!(error instanceof RecipientRefused))
        throw new Refusal('unavailable', 'Discord does not answer just now. Please try again in a minute.');
      await switchOffDiscord(db, settings, error.message);
      throw new Refusal('conflict', `${error.message} It was removed: set a new one.`);
    }
    return answer(context, {
      message: sendsToDiscord(env)
        ? 'Sent. Look in your Discord channel.'
        : 'A local copy sends nothing: it is logged.',
    });
  });
