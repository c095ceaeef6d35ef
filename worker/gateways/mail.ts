import { MINUTE_MS } from '../../domain/days.ts';
import { LANGUAGES, type Locale } from '../../domain/language/locales.ts';
import { message } from '../../domain/language/text.ts';
import { type Env, isLocal } from '../env.ts';
import { NotSendingNow, RecipientRefused, type Sender } from '../models/messages/outbox.ts';

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Links the service's own addresses. Others come from names, which players choose. */
const linked = (line: string, site: string): string =>
  escapeHtml(line).replace(/https?:\/\/[^\s<]+/g, (address) =>
    address.startsWith(`${site}/`) ? `<a href="${address}">${address}</a>` : address,
  );

/** Converts plain text to HTML with paragraphs, line breaks and links to the service at the origin `site` only. */
export const htmlOf = (text: string, language: Locale, site: string): string =>
  `<!doctype html><html lang="${language}" dir="${LANGUAGES[language].dir}"><body style="font:16px/1.5 sans-serif;max-width:36em">${text
    .trim()
    .split(/\n{2,}/)
    .map(
      (paragraph) =>
        `<p>${paragraph
          .split('\n')
          .map((line) => linked(line, site))
          .join('<br>')}</p>`,
    )
    .join('')}</body></html>`;

/** Error codes for addresses that accept no mail: they bounced or reported us as spam. */
const REFUSED = ['E_RECIPIENT_SUPPRESSED', 'E_RECIPIENT_NOT_ALLOWED'];

/** Error codes that mean that no mail can be sent at present, with a sentence for admins and the wait in ms. */
const NOT_NOW: Readonly<Record<string, { why: string; waitMs: number }>> = {
  E_RATE_LIMIT_EXCEEDED: { why: 'The mail service limits how many mails may leave at once.', waitMs: 2 * MINUTE_MS },
  E_DAILY_LIMIT_EXCEEDED: { why: "The account's daily limit of mails is used up.", waitMs: 30 * MINUTE_MS },
  E_SENDER_NOT_VERIFIED: { why: 'The domain of MAIL_FROM is not verified for sending.', waitMs: 10 * MINUTE_MS },
  E_SENDER_DOMAIN_NOT_AVAILABLE: { why: 'The domain of MAIL_FROM is not set up for sending.', waitMs: 10 * MINUTE_MS },
};

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');

/** Returns the platform's mail service. A local copy logs mails and shows them on the outbox page instead. */
export function mailer(env: Env): Sender {
  if (isLocal(env))
    return async ({ recipient, subject }) => console.info(`Mail to ${recipient}: ${subject} (see /admin/outbox)`);
  return async ({ recipient, subject, text, language }) => {
    try {
      await env.EMAIL.send({
        from: { name: 'Muster', email: env.MAIL_FROM },
        to: recipient,
        subject,
        text,
        html: htmlOf(text, language, env.SITE_ORIGIN),
      });
    } catch (error) {
      const notNow = NOT_NOW[codeOf(error)];
      if (notNow) throw new NotSendingNow(notNow.why, notNow.waitMs);
      if (REFUSED.includes(codeOf(error)))
        throw new RecipientRefused(message('Your address does not accept our mail.'));
      throw error;
    }
  };
}
