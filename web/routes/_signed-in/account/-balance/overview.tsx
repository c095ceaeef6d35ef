import { centsOf, formatCents } from '../../../../../domain/money/money.ts';
import type { Balance } from '../../../../api/balance.ts';
import { money } from '../../../../format.ts';
import layout from '../../../../ui/layout.module.css';
import { Notice } from '../../../../ui/notice.tsx';
import styles from './overview.module.css';

const cents = (dollars: number): number => centsOf(dollars) ?? 0;

/** The balance and any problem with it. */
export function Overview({ balance: { balance, uncovered, threshold } }: { balance: Balance }) {
  return (
    <div className={layout.stack}>
      <dl className={styles.figure}>
        <dt>Balance</dt>
        <dd>
          {formatCents(cents(balance))} <span>USD</span>
        </dd>
      </dl>
      {uncovered > 0 ? (
        <Notice tone="danger">
          New orders are blocked: {money(cents(uncovered))} of your payments was reversed by your bank or refunded, and
          your balance did not cover it. Your next top-up covers it first.
        </Notice>
      ) : (
        threshold !== null &&
        balance < threshold && <Notice>Your balance is below the {money(cents(threshold))} that you set.</Notice>
      )}
    </div>
  );
}
