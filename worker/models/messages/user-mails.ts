import { WEBHOOKS, type WebhookChannel } from '../../../domain/accounts/webhooks.ts';
import { dateTime } from '../../../domain/figures.ts';
import { locale } from '../../../domain/language/current.ts';
import { t, words } from '../../../domain/language/text.ts';
import { type Cents, formatCents } from '../../../domain/money/money.ts';
import { MAX_MISSED_RUNS } from '../../../domain/orders/schedule.ts';
import type { NewMail } from './outbox.ts';

/** Mails to users about their orders, balance and messages, in the current language. `origin` is the service's. */

type MailText = Pick<NewMail, 'subject' | 'text' | 'language'>;

const mail = (subject: string, ...paragraphs: readonly string[]): MailText => ({
  subject,
  text: paragraphs.join('\n\n'),
  language: locale(),
});

export const lowBalanceMail = (
  { balance_cents, threshold_cents }: { balance_cents: Cents; threshold_cents: Cents },
  origin: string,
): MailText =>
  mail(
    t('Muster: your balance is low'),
    t('Your Muster balance is {balance} USD, which is below the {threshold} USD at which you asked to be warned.', {
      balance: formatCents(balance_cents),
      threshold: formatCents(threshold_cents),
    }),
    t('Orders and schedules that cost more than the balance are not placed until you add to it:'),
    `${origin}/account/balance`,
  );

export function undeliveredMail(
  { order_id, username }: { order_id: number; username: string },
  origin: string,
): MailText {
  const order = { id: String(order_id) };
  return mail(
    t('Order #{id} was not fully delivered', order),
    t('Hello {username},', { username }),
    t(
      'A part of your order #{id} was not delivered within 24 hours. What you did not get is not charged: its price is back in the balance that paid it.',
      order,
    ),
    `${t('Your orders:')} ${origin}/orders`,
    'Muster',
  );
}

/** To a user whose report was answered. `answer` is what support wrote. */
export const answeredMail = ({ order_id, message }: { order_id: number; message: string }, answer: string): MailText =>
  mail(t('Your report about order #{id}', { id: String(order_id) }), answer, `${t('You wrote:')}\n${message}`);

export const factorRemovedMail = (): MailText =>
  mail(
    t('Two-factor sign-in was switched off'),
    t(
      'Support switched off two-factor sign-in for your account, because you told us that you lost it, and ended all of your sessions. Sign in with your password and set it up again under My Account. If you did not ask for this, reply to this mail at once.',
    ),
  );

/** About a webhook that its service no longer accepts. `why` is a marked message. */
export function switchedOffMail(channel: WebhookChannel, why: string): MailText & { trouble: string } {
  const subject = t('Messages to {service} were switched off', { service: WEBHOOKS[channel].name });
  const trouble = t('Messages to {service} were switched off. {why}', {
    service: WEBHOOKS[channel].name,
    why: words(why),
  });
  return { ...mail(subject, `${trouble} ${t('Set a new webhook under My Account, Notifications.')}`), trouble };
}

/** Returns the settings' sentence about mails that were switched off. `why` is a marked message. */
export const mailsOffText = (why: string): string => `${t('Mails were switched off.')} ${words(why)}`;

export const finishedMail = (order_id: number, text: string): MailText =>
  mail(t('Order #{id} is finished', { id: String(order_id) }), text);

export const changedMail = (title: string, text: string): MailText => mail(t('{title}: what changed', { title }), text);

/** A run of a schedule, as its mail needs it. */
interface MissedRun {
  schedule: { id: number; next_at: number | null };
  due_at: number;
}

/** About a run that placed no order. */
export function missedRunMail({ schedule, due_at }: MissedRun, why: string, pause: boolean): Omit<NewMail, 'to'> {
  const values = { id: String(schedule.id), when: dateTime(due_at), why };
  if (pause)
    return {
      ...mail(
        t('A schedule was paused'),
        t(
          'Your scheduled order #{id} is paused, because it could not be placed. Its last run was due at {when}: {why}',
          values,
        ),
        t('You can resume it on the page of your scheduled orders.'),
      ),
      reference: `paused:${schedule.id}:${due_at}`,
    };
  const next = t(
    'It is tried again at its next times. After {count} missed runs in a row the schedule is paused, without another mail.',
    { count: MAX_MISSED_RUNS },
  );
  return {
    ...mail(
      t('A scheduled order was not placed'),
      t('Your scheduled order #{id}, due at {when}, was not placed: {why}', values),
      ...(schedule.next_at === null ? [] : [next]),
    ),
    reference: `run:${schedule.id}:${due_at}`,
  };
}
