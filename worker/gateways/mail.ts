import { type Env, isLocal } from '../env.ts';
import { RecipientRefused, type Sender } from '../models/messages/outbox.ts';

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const linked = (line: string): string =>
  escapeHtml(line).replace(/https?:\/\/[^\s<]+/g, (address) => `<a href="${address}">${address}</a>`);

/** A plain text as HTML: paragraphs, line breaks and links, nothing else. */
export const htmlOf = (text: string): string =>
  `<!doctype html><html lang="en"><body style="font:16px/1.5 sans-serif;max-width:36em">${text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.split('\n').map(linked).join('<br>')}</p>`)
    .join('')}</body></html>`;

/** Codes by which the platform says that an address takes no mail: it bounced, or its owner called our mail spam. */
const REFUSED = ['E_RECIPIENT_SUPPRESSED', 'E_RECIPIENT_NOT_ALLOWED'];

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');

/** The platform's mail service; in a local copy the log and the outbox page, for there is nobody to deliver to. */
export function mailer(env: Env): Sender {
  if (isLocal(env))
    return async ({ recipient, subject }) => console.info(`Mail to ${recipient}: ${subject} (see /admin/outbox)`);
  return async ({ recipient, subject, text, html }) => {
    try {
      await env.EMAIL.send({
        from: { name: 'Muster', email: env.MAIL_FROM },
        to: recipient,
        subject,
        text,
        html: html || htmlOf(text),
      });
    } catch (error) {
      if (REFUSED.includes(codeOf(error))) throw new RecipientRefused('Your address takes no mail from us.');
      throw error;
    }
  };
}
