import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { dayIn } from '../../../../domain/days.ts';
import { t } from '../../../../domain/language/text.ts';
import { ENTRY_KINDS } from '../../../../domain/money/ledger.ts';
import { centsOf, formatCents } from '../../../../domain/money/money.ts';
import { type Balance, balanceQuery, statementQuery } from '../../../api/balance.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { usd } from '../../../format.ts';
import { oneOf, searchReader } from '../../../search-params.ts';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { T } from '../../../ui/text.tsx';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { Statement } from './-balance/statement.tsx';
import { TopUp } from './-balance/top-up.tsx';
import { Warning } from './-balance/warning.tsx';
import styles from './balance.module.css';

const balanceSearch = searchReader({
  kind: oneOf(ENTRY_KINDS),
  from: dayIn,
  to: dayIn,
  /** Stripe did not answer a request for one of its pages. */
  stripe: oneOf(['unreachable']),
});

export const Route = createFileRoute('/_signed-in/account/balance')({
  validateSearch: balanceSearch,
  loaderDeps: ({ search: { kind, from, to } }) => ({ kind, from, to }),
  loader: ({ context, deps }) => {
    void context.client.prefetchQuery(balanceQuery);
    void context.client.prefetchInfiniteQuery(statementQuery(deps));
  },
  component: BalanceTab,
});

function BalanceTab() {
  const { kind, from, to, stripe } = Route.useSearch();
  const navigate = Route.useNavigate();
  const balance = useQuery(balanceQuery);
  // On narrow screens the two cards stand below each other.
  const narrow = useNarrow();
  const filter = { kind, from, to };
  return (
    <section className={styles.tab} aria-labelledby="balance-title">
      <title>{t('Balance · Muster')}</title>
      <h2 id="balance-title" className="visually-hidden">
        {t('Balance')}
      </h2>
      {stripe && (
        <Notice tone="danger">
          {t('Stripe, which handles our payments, does not answer just now. Please try again later.')}
        </Notice>
      )}
      <Loaded
        query={balance}
        what={t('your balance')}
        heights={narrow ? ['4rem', '20rem', '13rem'] : ['4rem', '20rem']}
      >
        {(known) => (
          <>
            <Overview balance={known} />
            <div className={styles.cards}>
              <TopUp takesPayments={known.takes_payments} />
              <Warning threshold={known.threshold} />
            </div>
          </>
        )}
      </Loaded>
      <Statement filter={filter} setFilter={(search) => void navigate({ search, replace: true, resetScroll: false })} />
    </section>
  );
}

/** The balance and any problem with it. */
function Overview({ balance: { balance, uncovered, threshold } }: { balance: Balance }) {
  return (
    <div className={layout.stack}>
      <dl className={styles.figure}>
        <dt>{t('Balance')}</dt>
        <dd>
          {formatCents(centsOf(balance) ?? 0)} <span>{t('USD')}</span>
        </dd>
      </dl>
      {uncovered > 0 ? (
        <Notice tone="danger">
          <T
            of="New orders are blocked: {money} of your payments was reversed by your bank or refunded, and your balance did not cover it. Your next top-up covers it first."
            money={usd(uncovered)}
          />
        </Notice>
      ) : (
        threshold !== null &&
        balance < threshold && (
          <Notice>
            <T of="Your balance is below the {money} that you set." money={usd(threshold)} />
          </Notice>
        )
      )}
    </div>
  );
}
