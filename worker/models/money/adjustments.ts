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
  /** Signed: above zero gives, below takes. */
  amount: Cents;
  /** Read by the user in his statement. */
  reason: string;
  /** Id of the admin. */
  by: string;
  /** Where the admin sits. */
  address: string;
  /** Names this one adjustment: the same key again changes nothing. */
  key: string;
}

/**
 * Changes a balance by an admin's word, with its reason and an audit entry in one batch. Nothing is written if the
 * balance would fall below zero (`uncovered`), if this call was made before (`repeated`), or if its key was used for
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
