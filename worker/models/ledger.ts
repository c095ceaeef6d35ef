import type { Cents } from '../../domain/money.ts';
import type { Db } from '../db/open.ts';

export interface Entry {
  userId: string;
  /** Signed: money in is above zero. */
  amount: Cents;
  kind: 'top_up' | 'charge' | 'return' | 'adjustment';
  /** Names the one event behind the entry, so that it is written once however often it is told. */
  reference: string;
  note?: string;
}

/**
 * The statement that writes an entry, for the batch of the change that causes it. The balance follows by a trigger;
 * one that would fall below zero breaks the check `balance_not_negative` and with it the whole batch.
 */
export const entryStatement = (db: Db, entry: Entry, now: number): D1PreparedStatement =>
  db.$client
    .prepare(
      `INSERT INTO ledger_entries (user_id, amount_cents, kind, reference, note, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
    )
    .bind(entry.userId, entry.amount, entry.kind, entry.reference, entry.note ?? '', now);

/** Writes an entry unless its reference is there already. Answers whether it was new. */
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
