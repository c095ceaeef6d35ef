import { openDb } from './db/open.ts';
import { type Env, isLocal } from './env.ts';
import { postToDiscord } from './gateways/discord.ts';
import { mailer } from './gateways/mail.ts';
import { notificationsOf, switchOffDiscord, switchOffMail } from './models/notifications.ts';
import { RecipientRefused, type Sender, sendDue } from './models/outbox.ts';
import { unseal } from './signing.ts';

/** A user's webhook is sealed for this owner. */
export const discordOwner = (userId: string): string => `discord:${userId}`;

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
    // Switched off since it was written: there is nobody to tell.
    if (settings.discord === null) return;
    const webhook = await unseal(env, discordOwner(settings.user_id), settings.discord);
    await postToDiscord(env, webhook, message.text).catch(async (error: unknown) => {
      if (error instanceof RecipientRefused) await switchOffDiscord(db, settings, error.message);
      throw error;
    });
  };
}

/** Sends what the outbox holds and is due. */
export const sendOutbox = (env: Env): Promise<number> => sendDue(openDb(env.DB), senderOf(env), isLocal(env));
