import type { EntryKind } from '../../../domain/money/ledger.ts';
import type { Cents } from '../../../domain/money/money.ts';
import type { Db } from '../../db/open.ts';
import { brokeConstraint } from '../../errors.ts';
import { orderOfReference } from './ledger.ts';

/** Money of teams: what the owner adds, and the statement. */

export interface Transfer {
  userId: string;
  teamId: string;
  amount: Cents;
  /** Idempotency key: the same key again changes nothing. */
  key: string;
}

/**
 * Moves money from the owner's balance to the team's: both entries in one batch. Writes nothing if the balance does not
 * cover it (`uncovered`), if the user does not own the open team (`not_owner`), if the same call was made before
 * (`repeated`) or if the key was used for another transfer (`key_reused`).
 */
export async function transferToTeam(
  db: Db,
  { userId, teamId, amount, key }: Transfer,
  now = Date.now(),
): Promise<'transferred' | 'uncovered' | 'not_owner' | 'repeated' | 'key_reused'> {
  const reference = `transfer:${userId}:${key}`;
  let refused: 'uncovered' | 'not_owner' = 'not_owner';
  try {
    const [, into] = await db.$client.batch<{ id: number }>([
      db.$client
        .prepare(
          `INSERT INTO ledger_entries (user_id, amount_cents, kind, reference, note, created_at)
           SELECT owner_id, -?3, 'transfer', ?4 || ':out', 'To the team ' || name, ?5
           FROM teams WHERE id = ?1 AND owner_id = ?2 AND closed_at IS NULL`,
        )
        .bind(teamId, userId, amount, reference, now),
      db.$client
        .prepare(
          `INSERT INTO ledger_entries (user_id, team_id, amount_cents, kind, reference, created_at)
           SELECT owner_id, id, ?3, 'transfer', ?4 || ':in', ?5
           FROM teams WHERE id = ?1 AND owner_id = ?2 AND closed_at IS NULL RETURNING id`,
        )
        .bind(teamId, userId, amount, reference, now),
    ]);
    if (into?.results.length) return 'transferred';
  } catch (error) {
    if (brokeConstraint(error, 'balance_not_negative') || brokeConstraint(error, 'money taken back'))
      refused = 'uncovered';
    else if (!brokeConstraint(error, 'ledger_entries.reference')) throw error;
  }
  // A repeat gets the answer of the first call, though the team may have another owner since.
  const first = await db.$client
    .prepare(`SELECT team_id, amount_cents FROM ledger_entries WHERE reference = ?`)
    .bind(`${reference}:in`)
    .first<{ team_id: string; amount_cents: Cents }>();
  if (!first) return refused;
  return first.team_id === teamId && first.amount_cents === amount ? 'repeated' : 'key_reused';
}

/** A line of a team's statement. */
export interface TeamLine {
  entry_id: number;
  created_at: number;
  kind: EntryKind;
  amount_cents: Cents;
  /** Balance of the team after this entry. */
  balance_cents: Cents;
  note: string;
  /** Username of who ordered or transferred. */
  by: string;
  order_id: number | null;
}

/** Returns lines of a team's statement, newest first, with the running balance. */
export async function teamStatementOf(
  db: Db,
  teamId: string,
  before: number | undefined,
  limit: number,
): Promise<TeamLine[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT entry.id AS entry_id, entry.created_at, entry.kind, entry.amount_cents, entry.balance_cents, entry.note,
         users.username AS "by", orders.id AS order_id
       FROM (SELECT *, sum(amount_cents) OVER (ORDER BY id) AS balance_cents FROM ledger_entries WHERE team_id = ?1) entry
       JOIN users ON users.id = entry.user_id
       LEFT JOIN orders ON entry.kind IN ('charge', 'return')
         AND orders.uuid = ${orderOfReference('entry.reference')}
       WHERE entry.id < ?2 ORDER BY entry.id DESC LIMIT ?3`,
    )
    .bind(teamId, before ?? Number.MAX_SAFE_INTEGER, limit)
    .all<TeamLine>();
  return results;
}
