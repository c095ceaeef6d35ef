import { desc, eq, isNull, lt, sql } from 'drizzle-orm';
import { DAY_MS, HOUR_MS } from '../../../domain/days.ts';
import type { Db } from '../../db/open.ts';
import { outbox } from '../../db/schema.ts';

export interface NewMail {
  to: string;
  subject: string;
  /** Plain text; blank lines part paragraphs. The HTML body is made from it where none is given. */
  text: string;
  html?: string;
  /** Names the one event behind the mail (`reset:<token>`), so that a replay mails once. */
  reference: string;
}

export type Mail = typeof outbox.$inferSelect;

/** Sends one mail or message, or throws why it could not. */
export type Sender = (
  message: Pick<Mail, 'channel' | 'recipient' | 'subject' | 'text' | 'html' | 'reference'>,
) => Promise<void>;

/** The recipient will never take anything: another try is pointless. The message is a sentence for its user. */
export class RecipientRefused extends Error {
  override name = 'RecipientRefused';
}

/** The statement that writes a mail, for the batch of the change that causes it: both are there, or neither. */
export const mailStatement = (db: Db, mail: NewMail, now: number): D1PreparedStatement =>
  db.$client
    .prepare(
      `INSERT INTO outbox (reference, recipient, subject, text, html, created_at, next_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6) ON CONFLICT (reference) DO NOTHING`,
    )
    .bind(mail.reference, mail.to, mail.subject, mail.text, mail.html ?? '', now);

/** Mails or messages of one kind that a recipient gets at most, for kinds that users cause by the hundred. */
const HOURLY_MAILS = 30;
const DAILY_MAILS = 200;

/**
 * The same for a mail of a kind that an account can cause any number of (`run:`, `paused:`, `finished:`: what its
 * reference begins with). Beyond thirty within an hour, or two hundred within a day, nothing is written: the pages have
 * what it would say. A message on another channel is to the webhook of the user `to`.
 */
export const cappedMailStatement = (
  db: Db,
  mail: NewMail,
  now: number,
  channel: Mail['channel'] = 'mail',
): D1PreparedStatement =>
  db.$client
    .prepare(
      `INSERT INTO outbox (channel, reference, recipient, subject, text, html, created_at, next_at)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7
       FROM (SELECT count(*) AS day, count(*) FILTER (WHERE created_at > ?8) AS hour FROM outbox
         WHERE recipient = ?3 AND created_at > ?9 AND reference GLOB ?10)
       WHERE hour < ${HOURLY_MAILS} AND day < ${DAILY_MAILS}
       ON CONFLICT (reference) DO NOTHING`,
    )
    .bind(
      channel,
      mail.reference,
      mail.to,
      mail.subject,
      mail.text,
      mail.html ?? '',
      now,
      now - HOUR_MS,
      now - DAY_MS,
      `${mail.reference.split(':')[0]}:*`,
    );

export const MAX_MAIL_ATTEMPTS = 8;
const MAILS_PER_ROUND = 20;
const FIRST_WAIT_MS = 30_000;

/**
 * Takes mails that are due: of each recipient one, then of each the second, so that nobody's mail waits behind another's
 * heap. Whoever takes one has it for the wait that follows, so that two rounds send it once.
 */
async function takeDue(db: Db, now: number): Promise<Mail[]> {
  const { results } = await db.$client
    .prepare(
      `UPDATE outbox SET attempts = attempts + 1, next_at = ?1 + (?2 << attempts)
       WHERE id IN (
         SELECT id FROM (
           SELECT id, next_at, row_number() OVER (PARTITION BY channel, recipient ORDER BY next_at, id) AS nth
           FROM outbox WHERE sent_at IS NULL AND next_at <= ?1 AND attempts < ?3)
         ORDER BY nth, next_at, id LIMIT ?4)
       RETURNING *`,
    )
    .bind(now, FIRST_WAIT_MS, MAX_MAIL_ATTEMPTS, MAILS_PER_ROUND)
    .all<Mail>();
  return results;
}

/**
 * Sends what is due, and notes what became of each: sent, or why not and when next (waits double from 30 s, eight
 * tries). `keep` leaves the text of sent mails in the table, for a local copy's outbox page.
 */
export async function sendDue(
  db: Db,
  send: Sender,
  keep: boolean,
  now = Date.now(),
): Promise<{ taken: number; sent: number }> {
  let sent = 0;
  const due = await takeDue(db, now);
  for (const mail of due) {
    try {
      await send(mail);
      await db
        .update(outbox)
        .set({ sent_at: now, error: null, ...(keep ? {} : { text: '', html: '' }) })
        .where(eq(outbox.id, mail.id));
      sent++;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      await db
        .update(outbox)
        .set({
          error: why.slice(0, 500),
          ...(error instanceof RecipientRefused ? { attempts: MAX_MAIL_ATTEMPTS } : {}),
        })
        .where(eq(outbox.id, mail.id));
    }
  }
  return { taken: due.length, sent };
}

const KEPT_MS = 30 * DAY_MS;

/** Drops mails a month after they were written. */
export async function dropOldMails(db: Db, now = Date.now()): Promise<void> {
  await db.delete(outbox).where(lt(outbox.created_at, now - KEPT_MS));
}

export const MAILS_PER_PAGE = 50;

/** A page of the outbox, newest first. */
export const listMails = (db: Db, before?: number): Promise<Mail[]> =>
  db
    .select()
    .from(outbox)
    .where(before === undefined ? undefined : lt(outbox.id, before))
    .orderBy(desc(outbox.id))
    .limit(MAILS_PER_PAGE);

/** How many mails wait, and how many were given up. */
export async function countUnsent(db: Db): Promise<{ waiting: number; failed: number }> {
  const [row] = await db
    .select({
      waiting: sql<number>`count(*) FILTER (WHERE ${outbox.attempts} < ${MAX_MAIL_ATTEMPTS})`,
      failed: sql<number>`count(*) FILTER (WHERE ${outbox.attempts} >= ${MAX_MAIL_ATTEMPTS})`,
    })
    .from(outbox)
    .where(isNull(outbox.sent_at));
  return row ?? { waiting: 0, failed: 0 };
}
