import type * as z from 'zod';
import { hintOf, type notificationSettings, webhookOf } from '../../../domain/accounts/notification.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { postToDiscord, sendsToDiscord } from '../../gateways/discord.ts';
import { notificationsOf, setNotifications, switchOffDiscord } from '../../models/messages/notifications.ts';
import { RecipientRefused } from '../../models/messages/outbox.ts';
import { sealWebhook, webhookIn } from './send-outbox.ts';

/** How a user is told of his orders, as he sees it: of the webhook only a hint, for its address is a secret. */
export async function showNotifications(db: Db, env: Env, userId: string) {
  const settings = await notificationsOf(db, userId);
  const webhook = await webhookIn(env, settings);
  return { by_mail: settings.by_mail, discord: webhook === null ? null : hintOf(webhook), trouble: settings.trouble };
}

/** Changes what is given, and answers the settings as they are then. */
export async function changeNotifications(
  db: Db,
  env: Env,
  { userId, address }: { userId: string; address: string },
  { by_mail, discord_url }: z.output<typeof notificationSettings>,
) {
  const webhook = discord_url === undefined ? undefined : webhookOf(discord_url);
  const discord = webhook ? await sealWebhook(env, userId, webhook) : webhook;
  await setNotifications(db, userId, { by_mail, discord }, address);
  return showNotifications(db, env, userId);
}

/** Posts a test to the user's webhook; false where there is nobody to post to. One that is gone is forgotten. */
export async function testDiscord(db: Db, env: Env, userId: string): Promise<boolean> {
  const settings = await notificationsOf(db, userId);
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
  return sendsToDiscord(env);
}
