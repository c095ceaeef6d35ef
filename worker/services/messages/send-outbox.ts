import type { WebhookChannel } from '../../../domain/accounts/webhooks.ts';
import { openDb } from '../../db/open.ts';
import { type Env, isLocal } from '../../env.ts';
import { postToDiscord, sendsToDiscord } from '../../gateways/discord.ts';
import { mailer } from '../../gateways/mail.ts';
import { webhookOwner } from '../../models/accounts/sealed.ts';
import {
  type Notifications,
  notificationsOf,
  switchOffMail,
  switchOffWebhook,
} from '../../models/messages/notifications.ts';
import { RecipientRefused, type Sender, sendDue } from '../../models/messages/outbox.ts';
import { seal, unseal } from '../../signing.ts';

interface Gateway {
  /** False in a local copy without a stand-in, where there is nobody to send to. */
  sends(env: Env): boolean;
  post(env: Env, webhook: string, content: string): Promise<void>;
}

/** Who posts to the webhooks of a channel. */
export const GATEWAYS: Readonly<Record<WebhookChannel, Gateway>> = {
  discord: { sends: sendsToDiscord, post: postToDiscord },
};

/** A webhook as it is kept. */
export const sealWebhook = (env: Env, channel: WebhookChannel, userId: string, webhook: string): Promise<string> =>
  seal(env, webhookOwner(channel, userId), webhook);

/** The webhook that a user has set; null where there is none, or its key was taken out since. */
export async function webhookIn(env: Env, channel: WebhookChannel, settings: Notifications): Promise<string | null> {
  const sealed = settings[channel];
  return sealed === null ? null : unseal(env, webhookOwner(channel, settings.user_id), sealed).catch(() => null);
}

/** Sends by the way that the outbox names; a recipient who is refused for good is switched off and learns of it. */
export function senderOf(env: Env): Sender {
  const db = openDb(env.DB);
  const mail = mailer(env);
  return async (message) => {
    const { channel } = message;
    if (channel === 'mail')
      return mail(message).catch(async (error: unknown) => {
        if (error instanceof RecipientRefused) await switchOffMail(db, message.recipient, error.message);
        throw error;
      });
    const settings = await notificationsOf(db, message.recipient);
    const webhook = await webhookIn(env, channel, settings);
    // Switched off since it was written: there is nobody to tell.
    if (webhook === null) return;
    await GATEWAYS[channel].post(env, webhook, message.text).catch(async (error: unknown) => {
      if (error instanceof RecipientRefused) await switchOffWebhook(db, channel, settings, error.message);
      throw error;
    });
  };
}

/** Sends what the outbox holds and is due. */
export const sendOutbox = (env: Env): Promise<{ taken: number; sent: number }> =>
  sendDue(openDb(env.DB), senderOf(env), isLocal(env));
