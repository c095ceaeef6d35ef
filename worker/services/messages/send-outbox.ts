import { openDb } from '../../db/open.ts';
import { type Env, isLocal } from '../../env.ts';
import { postToDiscord } from '../../gateways/discord.ts';
import { mailer } from '../../gateways/mail.ts';
import { webhookOwner } from '../../models/accounts/sealed.ts';
import {
  type Notifications,
  notificationsOf,
  switchOffDiscord,
  switchOffMail,
} from '../../models/messages/notifications.ts';
import { RecipientRefused, type Sender, sendDue } from '../../models/messages/outbox.ts';
import { seal, unseal } from '../../signing.ts';

/** A webhook (`<id>/<token>`) as it is kept. */
export const sealWebhook = (env: Env, userId: string, webhook: string): Promise<string> =>
  seal(env, webhookOwner(userId), webhook);

/** The webhook that a user has set; null where there is none, or its key was taken out since. */
export const webhookIn = async (env: Env, { user_id, discord }: Notifications): Promise<string | null> =>
  discord === null ? null : unseal(env, webhookOwner(user_id), discord).catch(() => null);

/** Sends by the way that the outbox names; a recipient who is refused for good is switched off and learns of it. */
export function senderOf(env: Env): Sender {
  const db = openDb(env.DB);
  const mail = mailer(env);
  return async (message) => {
    if (message.channel === 'mail')
      return mail(message).catch(async (error: unknown) => {
        if (error instanceof RecipientRefused) await switchOffMail(db, message.recipient, error.message);
        throw error;
      });
    const settings = await notificationsOf(db, message.recipient);
    const webhook = await webhookIn(env, settings);
    // Switched off since it was written: there is nobody to tell.
    if (webhook === null) return;
    await postToDiscord(env, webhook, message.text).catch(async (error: unknown) => {
      if (error instanceof RecipientRefused) await switchOffDiscord(db, settings, error.message);
      throw error;
    });
  };
}

/** Sends what the outbox holds and is due. */
export const sendOutbox = (env: Env): Promise<{ taken: number; sent: number }> =>
  sendDue(openDb(env.DB), senderOf(env), isLocal(env));
