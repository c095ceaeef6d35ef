import { eq } from 'drizzle-orm';
import type { Cents } from '../../../domain/money/money.ts';
import type { Db } from '../../db/open.ts';
import { ledger_entries } from '../../db/schema.ts';
import { brokeConstraint } from '../../errors.ts';
import { auditStatement } from '../service/audit.ts';
import { entryStatement } from './ledger.ts';
import { collectStatements } from './reversals.ts';

export interface Adjustment {
  userId: string;
  /** Positive adds to the balance, negative subtracts. */
  amount: Cents;
  /** Shown to the user in the statement. */
  reason: string;
  /** The admin's id. */
  by: string;
  /** The admin's IP address. */
  address: string;
  /** Idempotency key: the same key again changes nothing. */
  key: string;
}

/**
 * Changes a balance on an admin's decision, with reason and audit entry in one batch. Writes nothing if the balance
 * would fall below zero (`uncovered`), if the same call was made before (`repeated`) or if the key was used with
 * another user, amount or reason (`key_reused`).
 */
export async function adjustBalance(
  db: Db,
  { userId, amount, reason, by, address, key }: Adjustment,
  now = Date.now(),
): Promise<'adjusted' | 'uncovered' | 'repeated' | 'key_reused'> {
  const reference = `adjustment:${by}:${key}`;
  try {
    await db.$client.batch([
      entryStatement(db, { userId, amount, kind: 'adjustment', reference, note: reason }, now),
      auditStatement(
        db,
        {
          userId,
          actor: `admin:${by}`,
          action: 'balance.adjusted',
          subject: reference,
          detail: { amount, reason },
          address,
        },
        now,
      ),
      ...collectStatements(db, userId, now),
    ]);
    return 'adjusted';
  } catch (error) {
    if (brokeConstraint(error, 'balance_not_negative')) return 'uncovered';
    if (!brokeConstraint(error, 'ledger_entries.reference')) throw error;
    const [first] = await db.select().from(ledger_entries).where(eq(ledger_entries.reference, reference));
    const isSame = first?.user_id === userId && first.amount_cents === amount && first.note === reason;
    return isSame ? 'repeated' : 'key_reused';
  }
}
