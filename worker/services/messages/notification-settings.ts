import type * as z from 'zod';
import type { notificationSettings } from '../../../domain/accounts/notification.ts';
import { urlField, WEBHOOK_CHANNELS, WEBHOOKS, type WebhookChannel } from '../../../domain/accounts/webhooks.ts';
import { sentence, t } from '../../../domain/language/text.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { languageOf } from '../../models/accounts/accounts.ts';
import { notificationsOf, setNotifications, switchOffWebhook } from '../../models/messages/notifications.ts';
import { RecipientRefused } from '../../models/messages/outbox.ts';
import { speakerFor } from '../service/speak.ts';
import { GATEWAYS, sealWebhook, webhookIn } from './send-outbox.ts';

type Hooks<Value> = Record<WebhookChannel, Value>;

/** Computes a value for each channel. */
const each = async <Value>(of: (channel: WebhookChannel) => Promise<Value>): Promise<Hooks<Value>> =>
  Object.fromEntries(
    await Promise.all(WEBHOOK_CHANNELS.map(async (channel) => [channel, await of(channel)] as const)),
  ) as Hooks<Value>;

/** Returns a user's notification settings. Webhooks appear only as a hint, because their URLs are secrets. */
export async function showNotifications(db: Db, env: Env, userId: string) {
  const settings = await notificationsOf(db, userId);
  const hints = await each(async (channel) => {
    const webhook = await webhookIn(env, channel, settings);
    return webhook === null ? null : WEBHOOKS[channel].hint(webhook);
  });
  const { by_mail, events_by_mail, events_by_webhook, trouble } = settings;
  return { by_mail, events_by_mail, events_by_webhook, ...hints, trouble };
}

/** Changes the given settings and returns all. */
export async function changeNotifications(
  db: Db,
  env: Env,
  { userId, address }: { userId: string; address: string },
  wanted: z.output<typeof notificationSettings>,
) {
  const webhooks = await each(async (channel) => {
    const url = wanted[urlField(channel)];
    const webhook = url === undefined ? undefined : WEBHOOKS[channel].read(url);
    return webhook ? sealWebhook(env, channel, userId, webhook) : webhook;
  });
  const { by_mail, events_by_mail, events_by_webhook } = wanted;
  const switches = { by_mail, events_by_mail, events_by_webhook };
  await setNotifications(db, userId, { ...switches, ...webhooks }, address);
  return showNotifications(db, env, userId);
}

/**
 * Posts a test message to the user's webhook. Removes a webhook that no longer exists. Returns false in a local copy
 * without a stand-in.
 */
export async function testWebhook(db: Db, env: Env, userId: string, channel: WebhookChannel): Promise<boolean> {
  const { name } = WEBHOOKS[channel];
  const [settings, owner] = await Promise.all([notificationsOf(db, userId), languageOf(db, { id: userId })]);
  const webhook = await webhookIn(env, channel, settings);
  if (webhook === null)
    throw new Refusal('conflict', sentence('Save the address of a {service} webhook first.', { service: name }));
  const speakTo = speakerFor(env);
  try {
    const text = await speakTo(owner, () => t('A test from Muster: your finished orders will be announced here.'));
    await GATEWAYS[channel].post(env, webhook, text);
  } catch (error) {
    if (!(error instanceof RecipientRefused))
      throw new Refusal(
        'unavailable',
        sentence('{service} does not answer just now. Please try again in a minute.', { service: name }),
      );
    await switchOffWebhook(db, speakTo, channel, settings, error.message);
    throw new Refusal(
      'conflict',
      sentence('{why} It was removed: set a new one.', { why: { message: error.message } }),
    );
  }
  return GATEWAYS[channel].sends(env);
}
