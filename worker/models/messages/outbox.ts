import { eq, isNull, lt, sql } from 'drizzle-orm';
import { DAY_MS, HOUR_MS } from '../../../domain/days.ts';
import { type Locale, SOURCE_LOCALE } from '../../../domain/language/locales.ts';
import type { OutboxQuery } from '../../../domain/service/admin.ts';
import type { MailState } from '../../../domain/service/admin-words.ts';
import { FIRST_WAIT_MS } from '../../../domain/work.ts';
import type { Db } from '../../db/open.ts';
import { outbox } from '../../db/schema.ts';
import { messageOf } from '../../errors.ts';
import { containing } from '../patterns.ts';
import { auditIfChanged } from '../service/audit.ts';
import { waitSql } from '../service/job-failures.ts';

export interface NewMail {
  to: string;
  subject: string;
  /** Plain text, from which the HTML body is generated. Blank lines separate paragraphs. */
  text: string;
  /** The language of subject and text; undefined is English. */
  language?: Locale;
  /** Identifies the event behind the mail (`reset:<token>`), so that it is sent only once. */
  reference: string;
}

export type Mail = typeof outbox.$inferSelect;

/** Sends one mail or message. Throws with the reason if it cannot. */
export type Sender = (
  message: Pick<Mail, 'channel' | 'recipient' | 'subject' | 'text' | 'language' | 'reference'>,
) => Promise<void>;

/** The recipient refuses permanently; retrying is pointless. The message is a sentence for the user. */
export class RecipientRefused extends Error {
  override name = 'RecipientRefused';
}

/**
 * The delivery service accepts nothing at present (quota, rate limit, unverified domain). The attempt is not counted,
 * and the message is due again after `waitMs`.
 */
export class NotSendingNow extends Error {
  override name = 'NotSendingNow';
  readonly waitMs: number;

  constructor(message: string, waitMs: number) {
    super(message);
    this.waitMs = waitMs;
  }
}

/**
 * Returns the statement that queues a mail, for the batch of the change that causes it, so that both happen or neither.
 */
export const mailStatement = (db: Db, mail: NewMail, now: number): D1PreparedStatement =>
  statement(db, mail, now, 'true');

/** Like `mailStatement`, but queues nothing if the batch's previous statement changed no row. */
export const mailIfChanged = (db: Db, mail: NewMail, now: number): D1PreparedStatement =>
  statement(db, mail, now, 'changes() > 0');

const statement = (db: Db, mail: NewMail, now: number, condition: string): D1PreparedStatement =>
  db.$client
    .prepare(
      `INSERT INTO outbox (reference, recipient, subject, text, language, created_at, next_at)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?6 WHERE ${condition} ON CONFLICT (reference) DO NOTHING`,
    )
    .bind(mail.reference, mail.to, mail.subject, mail.text, mail.language ?? SOURCE_LOCALE, now);

/** Limits per recipient and kind, for kinds that users can cause in large numbers. */
const HOURLY_MAILS = 30;
const DAILY_MAILS = 200;

/**
 * Like `mailStatement`, for kinds that an account can cause in any number. The kind is the start of the reference
 * (`run:`, `paused:`, `finished:`). Above thirty an hour or two hundred a day nothing is queued, because the pages show
 * the same information. For other channels than mail, `to` is the user id.
 */
export const cappedMailStatement = (
  db: Db,
  mail: NewMail,
  now: number,
  channel: Mail['channel'] = 'mail',
): D1PreparedStatement =>
  db.$client
    .prepare(
      `INSERT INTO outbox (channel, reference, recipient, subject, text, language, created_at, next_at)
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
      mail.language ?? SOURCE_LOCALE,
      now,
      now - HOUR_MS,
      now - DAY_MS,
      `${mail.reference.split(':')[0]}:*`,
    );

/** Maximum number of attempts per mail. Their waits add up to three days (`waitSql`). */
export const MAX_MAIL_ATTEMPTS = 22;
const MAILS_PER_ROUND = 20;

/** Returns the statement that deletes the mails to a former address, except those still under way. */
export const dropMailsStatement = (db: Db, recipient: string): D1PreparedStatement =>
  db.$client
    .prepare(`DELETE FROM outbox WHERE channel = 'mail' AND recipient = ? AND (sent_at IS NOT NULL OR attempts >= ?)`)
    .bind(recipient, MAX_MAIL_ATTEMPTS);

/** Start of the reference of messages about what changed in events. */
export const EVENT_NEWS = 'changes';

/**
 * Takes due mails: one per recipient, then the second of each, so that no recipient's mail waits behind another's
 * backlog. News of events come last, because one scan of an event can cause thousands. A taken mail is reserved for its
 * next wait, so that concurrent rounds send it only once.
 */
async function takeDue(db: Db, now: number): Promise<Mail[]> {
  const { results } = await db.$client
    .prepare(
      `UPDATE outbox SET attempts = attempts + 1, next_at = ?1 + ${waitSql('(attempts + 1)')}, error = NULL
       WHERE id IN (
         SELECT id FROM (
           SELECT id, reference, next_at, row_number() OVER (PARTITION BY channel, recipient ORDER BY next_at, id) AS nth
           FROM outbox WHERE sent_at IS NULL AND next_at <= ?1 AND attempts < ?2)
         ORDER BY reference GLOB '${EVENT_NEWS}:*', nth, next_at, id LIMIT ?3)
       RETURNING *`,
    )
    .bind(now, MAX_MAIL_ATTEMPTS, MAILS_PER_ROUND)
    .all<Mail>();
  return results;
}

/** Age of a round's reservations at which it renews them. A send may take as long again before they end. */
const RENEW_MS = FIRST_WAIT_MS / 2;

/** Renews the reservations of a round's remaining mails. Returns the mails that no other round took meanwhile. */
async function renew(db: Db, mails: readonly Mail[], now: number): Promise<Mail[]> {
  const { results } = await db.$client
    .prepare(
      `UPDATE outbox SET next_at = ?1 + ${waitSql('attempts')}
       WHERE sent_at IS NULL AND id IN (SELECT value ->> 0 FROM json_each(?2))
         AND (id, attempts, next_at) IN (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?2))
       RETURNING id, next_at`,
    )
    .bind(now, JSON.stringify(mails.map(({ id, attempts, next_at }) => [id, attempts, next_at])))
    .all<Pick<Mail, 'id' | 'next_at'>>();
  const until = new Map(results.map(({ id, next_at }) => [id, next_at]));
  return mails.flatMap((mail) => {
    const next_at = until.get(mail.id);
    return next_at === undefined ? [] : [{ ...mail, next_at }];
  });
}

/** Records why a mail was not sent. Does not count the attempt if the service was not accepting mail. */
async function noteUnsent(db: Db, { id, attempts }: Mail, error: unknown, now: number): Promise<void> {
  const tried =
    error instanceof NotSendingNow
      ? { attempts: attempts - 1, next_at: now + error.waitMs }
      : error instanceof RecipientRefused
        ? { attempts: MAX_MAIL_ATTEMPTS }
        : {};
  await db
    .update(outbox)
    .set({ error: messageOf(error).slice(0, 500), ...tried })
    .where(eq(outbox.id, id));
}

/** Returns the scope of a service's rate limit: all mails share one sender, each webhook has its own limit. */
const wayOf = ({ channel, recipient }: Mail): string => (channel === 'mail' ? channel : `${channel} ${recipient}`);

/**
 * Sends due messages and records each result. Waits double from 30 s to six hours. Once the mail service stops
 * accepting, the round's other mails are postponed without a call. A round that outlasts its reservations renews them,
 * so that another round does not send the same mails. `keep` leaves the text of sent mails in the table,
 * for a local copy's outbox page.
 */
export async function sendDue(
  db: Db,
  send: Sender,
  keep: boolean,
  now = Date.now(),
): Promise<{ taken: number; sent: number }> {
  let sent = 0;
  const begun = Date.now();
  let reserved = begun;
  let due = await takeDue(db, now);
  const taken = due.length;
  const closed = new Map<string, NotSendingNow>();
  while (due.length > 0) {
    if (Date.now() - reserved > RENEW_MS) {
      reserved = Date.now();
      due = await renew(db, due, now + reserved - begun);
    }
    const [mail, ...rest] = due;
    if (!mail) break;
    due = rest;
    try {
      const notNow = closed.get(wayOf(mail));
      if (notNow) throw notNow;
      await send(mail);
      await db
        .update(outbox)
        .set({ sent_at: now, error: null, ...(keep ? {} : { text: '', html: '' }) })
        .where(eq(outbox.id, mail.id));
      sent++;
    } catch (error) {
      if (error instanceof NotSendingNow) closed.set(wayOf(mail), error);
      await noteUnsent(db, mail, error, now);
    }
  }
  return { taken, sent };
}

/** SQL: unsent mails that an admin may resend, both given up and waiting after a failure. */
const AGAIN = `sent_at IS NULL AND (attempts >= ${MAX_MAIL_ATTEMPTS} OR error IS NOT NULL)`;

/** SQL: mails whose recipient or subject contains ?1, unless it is null. Webhooks have the user's id as recipient. */
const MATCHES = `(?1 IS NULL OR recipient LIKE ?1 ESCAPE '\\' OR subject LIKE ?1 ESCAPE '\\'
  OR channel <> 'mail' AND recipient IN (SELECT id FROM users WHERE username_key LIKE ?1 ESCAPE '\\'))`;

const patternOf = (search: string | undefined): string | null => (search ? containing(search) : null);

/**
 * Makes one failed mail, or all that match a search, due now with a full set of attempts. Returns how many. Skips mails
 * being sent at this moment.
 */
export async function sendAgain(
  db: Db,
  { id, search }: { id: number | 'all'; search?: string | undefined },
  admin: { id: string; address: string },
  now: number,
): Promise<number> {
  const entry = { userId: null, actor: `admin:${admin.id}`, action: 'mails.sent_again', address: admin.address };
  const [again] = await db.$client.batch([
    db.$client
      .prepare(`UPDATE outbox SET attempts = 0, next_at = ?2 WHERE ${AGAIN} AND (?3 = 'all' OR id = ?3) AND ${MATCHES}`)
      .bind(patternOf(search), now, id),
    auditIfChanged(db, { ...entry, subject: String(id), ...(search && { detail: { search } }) }, now),
  ]);
  return again?.meta.changes ?? 0;
}

const KEPT_MS = 30 * DAY_MS;

/** Deletes mails a month after they were created. */
export async function dropOldMails(db: Db, now = Date.now()): Promise<void> {
  await db.delete(outbox).where(lt(outbox.created_at, now - KEPT_MS));
}

const MAILS_PER_PAGE = 50;

const IN_STATE: Record<MailState, string> = {
  waiting: `sent_at IS NULL AND attempts < ${MAX_MAIL_ATTEMPTS}`,
  given_up: `sent_at IS NULL AND attempts >= ${MAX_MAIL_ATTEMPTS}`,
  sent: 'sent_at IS NOT NULL',
};

/** Columns of a listed mail. */
const LISTED = [
  ...(['id', 'channel', 'reference', 'recipient', 'subject', 'text'] as const),
  ...(['created_at', 'attempts', 'next_at', 'sent_at', 'error'] as const),
];
type ListedMail = Pick<Mail, (typeof LISTED)[number]>;

/**
 * Returns a page of the matching mails, newest first, how many failed ones match, and the `before` of the next page. A
 * mail that is given up waits for an admin to resend it.
 */
export async function listMails(
  db: Db,
  { search, state, before }: OutboxQuery,
): Promise<{ mails: (ListedMail & { given_up: boolean })[]; failed: number; next: number | null }> {
  const pattern = patternOf(search);
  const [page, failures] = await db.$client.batch([
    db.$client
      .prepare(
        `SELECT ${LISTED.join(', ')} FROM outbox WHERE ${MATCHES} AND ${state ? IN_STATE[state] : '1'} AND (?2 IS NULL OR id < ?2)
         ORDER BY id DESC LIMIT ${MAILS_PER_PAGE + 1}`,
      )
      .bind(pattern, before ?? null),
    db.$client.prepare(`SELECT count(*) AS count FROM outbox WHERE ${AGAIN} AND ${MATCHES}`).bind(pattern),
  ]);
  const found = (page?.results ?? []) as ListedMail[];
  const mails = found.slice(0, MAILS_PER_PAGE);
  const [failed] = (failures?.results ?? []) as { count: number }[];
  return {
    mails: mails.map((mail) => ({
      ...mail,
      given_up: mail.sent_at === null && mail.attempts >= MAX_MAIL_ATTEMPTS,
    })),
    failed: failed?.count ?? 0,
    next: found.length > mails.length ? (mails.at(-1)?.id ?? null) : null,
  };
}

/** Counts unsent mails that are waiting and those that were given up. */
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
