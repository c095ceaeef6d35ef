import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { dayIn } from '../../../../domain/days.ts';
import { ENTRY_KINDS, type EntryKind } from '../../../../domain/money/ledger.ts';
import { balanceQuery, type StatementFilter, statementQuery } from '../../../api/balance.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { Overview } from './-balance/overview.tsx';
import { Statement } from './-balance/statement.tsx';
import { TopUp } from './-balance/top-up.tsx';
import { Warning } from './-balance/warning.tsx';
import styles from './balance.module.css';

export interface BalanceSearch extends StatementFilter {
  /** `unreachable`: Stripe did not answer a request for one of its pages. */
  stripe?: 'unreachable' | undefined;
}

const kindOf = (value: unknown): EntryKind | undefined => ENTRY_KINDS.find((kind) => kind === value);

export const Route = createFileRoute('/_signed-in/account/balance')({
  validateSearch: ({ kind, from, to, stripe }: Record<string, unknown>): BalanceSearch => ({
    kind: kindOf(kind),
    from: dayIn(from),
    to: dayIn(to),
    stripe: stripe === 'unreachable' ? stripe : undefined,
  }),
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
      <title>Balance · Muster</title>
      <h2 id="balance-title" className="visually-hidden">
        Balance
      </h2>
      {stripe && (
        <Notice tone="danger">
          Stripe, which handles our payments, does not answer just now. Please try again later.
        </Notice>
      )}
      <Loaded query={balance} what="your balance" heights={narrow ? ['4rem', '20rem', '13rem'] : ['4rem', '20rem']}>
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
