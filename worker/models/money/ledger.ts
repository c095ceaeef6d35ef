import { eq } from 'drizzle-orm';
import { DAY_MS } from '../../../domain/days.ts';
import type { EntryKind } from '../../../domain/money/ledger.ts';
import type { Cents } from '../../../domain/money/money.ts';
import type { StatementQuery } from '../../../domain/money/payment-contract.ts';
import type { Db } from '../../db/open.ts';
import { users } from '../../db/schema.ts';
import { pagesOf } from '../pages.ts';

export interface Entry {
  userId: string;
  /** The team whose balance pays, if it is not the user's own. */
  teamId?: string | undefined;
  /** Positive for money in, negative for money out. */
  amount: Cents;
  kind: EntryKind;
  /** Identifies the event behind the entry, so that it is written only once. */
  reference: string;
  note?: string;
}

/**
 * Returns the statement that writes an entry, for the batch of the change that causes it. A trigger updates the
 * balance. A balance below zero breaks the constraint `balance_not_negative` and with it the whole batch.
 */
export const entryStatement = (db: Db, entry: Entry, now: number): D1PreparedStatement =>
  db.$client
    .prepare(
      `INSERT INTO ledger_entries (user_id, team_id, amount_cents, kind, reference, note, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .bind(entry.userId, entry.teamId ?? null, entry.amount, entry.kind, entry.reference, entry.note ?? '', now);

/** Writes an entry of a user's own unless its reference exists. Returns whether it was new. */
export async function post(db: Db, entry: Entry, now = Date.now()): Promise<boolean> {
  const { meta } = await db.$client
    .prepare(
      `INSERT INTO ledger_entries (user_id, amount_cents, kind, reference, note, created_at)
       VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (reference) DO NOTHING`,
    )
    .bind(entry.userId, entry.amount, entry.kind, entry.reference, entry.note ?? '', now)
    .run();
  return meta.changes > 0;
}

/** Returns an account's balance. */
export async function balanceOf(db: Db, userId: string): Promise<Cents> {
  const [user] = await db.select({ balance: users.balance_cents }).from(users).where(eq(users.id, userId));
  return user?.balance ?? 0;
}

/** A line of an account's statement. */
export interface StatementLine {
  entry_id: number;
  created_at: number;
  kind: EntryKind;
  amount_cents: Cents;
  /** Balance of the whole account after this entry, whatever the filter. */
  balance_cents: Cents;
  note: string;
  /** The order that was paid or refunded. */
  order_id: number | null;
  /** The payment of a top-up, for its receipt. */
  payment_id: string | null;
}

/** SQL: the uuid of the order in the reference of a charge or return. */
export const orderOfReference = (reference: string): string => `substr(${reference}, instr(${reference}, ':') + 1, 36)`;

/** SQL: what the references of a transfer's two entries have in common. */
export const TRANSFER_OF_REFERENCE = `CASE WHEN reference LIKE '%:out' THEN substr(reference, 1, length(reference) - 4)
  ELSE substr(reference, 1, length(reference) - 3) END`;

/** Returns statement lines matching the filter, newest first, with the running balance over all entries. */
export async function statementOf(
  db: Db,
  userId: string,
  { kind, from, to, before }: StatementQuery,
  limit: number,
): Promise<StatementLine[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT entry.id AS entry_id, entry.created_at, entry.kind, entry.amount_cents, entry.balance_cents, entry.note,
         orders.id AS order_id, payments.id AS payment_id
       FROM (SELECT *, sum(amount_cents) OVER (ORDER BY id) AS balance_cents FROM ledger_entries
         WHERE user_id = ?1 AND team_id IS NULL) entry
       LEFT JOIN orders ON entry.kind IN ('charge', 'return') AND orders.user_id = ?1
         AND orders.uuid = ${orderOfReference('entry.reference')}
       LEFT JOIN payments ON entry.kind = 'top_up' AND payments.id = substr(entry.reference, 9)
       WHERE (?2 IS NULL OR entry.kind = ?2) AND entry.created_at >= ?3 AND entry.created_at < ?4 AND entry.id < ?5
       ORDER BY entry.id DESC LIMIT ?6`,
    )
    .bind(
      userId,
      kind ?? null,
      from ? Date.parse(from) : 0,
      to ? Date.parse(to) + DAY_MS : Number.MAX_SAFE_INTEGER,
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
    )
    .all<StatementLine>();
  return results;
}

/** Entries that a page of a file reads: few enough to hold, many because each page sums up the whole ledger. */
const FILE_PAGE = 10_000;

/** Yields all matching statement lines in pages, newest first. */
export const statementPages = (db: Db, userId: string, query: StatementQuery): AsyncGenerator<StatementLine[]> =>
  pagesOf(
    FILE_PAGE,
    query.before,
    (before, size) => statementOf(db, userId, { ...query, before }, size),
    ({ entry_id }) => entry_id,
  );
