import { t } from '../../../../../domain/language/text.ts';
import { centsOf, formatCents } from '../../../../../domain/money/money.ts';
import type { Balance } from '../../../../api/balance.ts';
import { money } from '../../../../format.ts';
import layout from '../../../../ui/layout.module.css';
import { Notice } from '../../../../ui/notice.tsx';
import { T } from '../../../../ui/text.tsx';
import styles from './overview.module.css';

const cents = (dollars: number): number => centsOf(dollars) ?? 0;

/** The balance and any problem with it. */
export function Overview({ balance: { balance, uncovered, threshold } }: { balance: Balance }) {
  return (
    <div className={layout.stack}>
      <dl className={styles.figure}>
        <dt>{t('Balance')}</dt>
        <dd>
          {formatCents(cents(balance))} <span>{t('USD')}</span>
        </dd>
      </dl>
      {uncovered > 0 ? (
        <Notice tone="danger">
          <T
            of="New orders are blocked: {money} of your payments was reversed by your bank or refunded, and your balance did not cover it. Your next top-up covers it first."
            money={money(cents(uncovered))}
          />
        </Notice>
      ) : (
        threshold !== null &&
        balance < threshold && (
          <Notice>
            <T of="Your balance is below the {money} that you set." money={money(cents(threshold))} />
          </Notice>
        )
      )}
    </div>
  );
}
