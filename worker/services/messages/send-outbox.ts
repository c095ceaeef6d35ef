import type { WebhookChannel } from '../../../domain/accounts/webhooks.ts';
import { seal, unseal } from '../../configuration/signing.ts';
import { type Db, openDb } from '../../db/open.ts';
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
import { isOwnRecipient } from '../../models/service/operator.ts';
import { speakerFor } from '../service/speak.ts';

interface Gateway {
  /** False in a local copy without a stand-in. */
  sends(env: Env): boolean;
  post(env: Env, webhook: string, content: string): Promise<void>;
}

/** Gateways of the webhook channels. */
export const GATEWAYS: Readonly<Record<WebhookChannel, Gateway>> = {
  discord: { sends: sendsToDiscord, post: postToDiscord },
};

/** Encrypts a webhook for the database. */
export const sealWebhook = (env: Env, channel: WebhookChannel, userId: string, webhook: string): Promise<string> =>
  seal(env, webhookOwner(channel, userId), webhook);

/** Returns a user's webhook, or null if there is none or its encryption key was removed. */
export async function webhookIn(env: Env, channel: WebhookChannel, settings: Notifications): Promise<string | null> {
  const sealed = settings[channel];
  return sealed === null ? null : unseal(env, webhookOwner(channel, settings.user_id), sealed).catch(() => null);
}

/** Returns whether a message may leave. Staging writes to no customer whose account came with production's backup. */
const mayLeave = async (
  db: Db,
  { ENVIRONMENT, SUPPORT_EMAIL }: Env,
  message: { recipient: string; reference: string },
): Promise<boolean> => ENVIRONMENT !== 'staging' || message.recipient === SUPPORT_EMAIL || isOwnRecipient(db, message);

/** Returns the sender for all channels. A recipient that refuses permanently is switched off and the user notified. */
export function senderOf(env: Env): Sender {
  const db = openDb(env);
  const mail = mailer(env);
  const speakTo = speakerFor(env);
  return async (message) => {
    const { channel, recipient, reference } = message;
    if (!(await mayLeave(db, env, message))) return console.info(`Staging does not send '${reference}'.`);
    if (channel === 'mail')
      return mail(message).catch(async (error: unknown) => {
        if (error instanceof RecipientRefused) await switchOffMail(db, speakTo, recipient, error.message);
        throw error;
      });
    const settings = await notificationsOf(db, recipient);
    const webhook = await webhookIn(env, channel, settings);
    // Switched off since the message was queued.
    if (webhook === null) return;
    await GATEWAYS[channel].post(env, webhook, message.text).catch(async (error: unknown) => {
      if (error instanceof RecipientRefused) await switchOffWebhook(db, speakTo, channel, settings, error.message);
      throw error;
    });
  };
}

/** Sends the due messages in the outbox. */
export const sendOutbox = (env: Env): Promise<{ taken: number; sent: number }> =>
  sendDue(openDb(env), senderOf(env), isLocal(env));
