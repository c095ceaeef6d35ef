import { Hono } from 'hono';
import { notificationAnswer } from '../../domain/accounts/answers.ts';
import { notificationSettings, testQuery } from '../../domain/accounts/notification.ts';
import { WEBHOOKS } from '../../domain/accounts/webhooks.ts';
import { message } from '../../domain/answers.ts';
import { t } from '../../domain/language/text.ts';
import { answer } from '../http/answer.ts';
import { addressOf } from '../middleware/address.ts';
import { answers } from '../middleware/answers.ts';
import { limitedByUser } from '../middleware/limits.ts';
import { signedIn, type UserEnv } from '../middleware/session.ts';
import { speaking } from '../middleware/speaking.ts';
import { validate } from '../middleware/validate.ts';
import { changeNotifications, showNotifications, testWebhook } from '../services/messages/notification-settings.ts';

const perUser = limitedByUser('NOTIFY_USER');

export const notifying = new Hono<UserEnv>()
  .get(
    '/account/notifications',
    signedIn,
    answers('Notification settings for finished orders', notificationAnswer),
    async (context) => answer(context, await showNotifications(context.get('db'), context.env, context.get('userId'))),
  )
  .post(
    '/account/notifications',
    signedIn,
    validate('json', notificationSettings),
    answers('Change the notification settings for finished orders', notificationAnswer),
    async (context) => {
      const acting = { userId: context.get('userId'), address: addressOf(context) };
      const settings = context.req.valid('json');
      return answer(context, await changeNotifications(context.get('db'), context.env, acting, settings));
    },
  )
  .post(
    '/account/notifications/test',
    signedIn,
    perUser,
    validate('query', testQuery),
    speaking,
    answers('Send a test message to a webhook', message),
    async (context) => {
      const { channel } = context.req.valid('query');
      const sent = await testWebhook(context.get('db'), context.env, context.get('userId'), channel);
      return answer(context, {
        message: sent
          ? t('Sent. Check your {service} channel.', { service: WEBHOOKS[channel].name })
          : 'A local copy only logs messages.',
      });
    },
  );
