import { Link } from '@tanstack/react-router';
import { message, t, words } from '../../../../domain/language/text.ts';
import { PAYMENT_FILTERS, type PaymentFilter } from '../../../../domain/money/payment-filters.ts';
import type { ListedPayment, PaymentPage, PaymentsFilter } from '../../../api/admin-payments.ts';
import { FilterChoice } from '../../../components/filter-choice.tsx';
import { Loaded, type Loads } from '../../../components/loaded.tsx';
import filterStyles from '../../../components/orders-filter.module.css';
import { isNarrowed } from '../../../components/orders-filter.tsx';
import { PageLinks } from '../../../components/page-links.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { ownTime, usd } from '../../../format.ts';
import type { Column } from '../../../table/column.ts';
import { Table, Under } from '../../../table/table.tsx';
import { SearchInput, useQueryText, useSearchChange } from '../../../ui/search-input.tsx';
import { Time } from '../../../ui/time.tsx';

export const PAYMENT_WORDS: Record<PaymentFilter, string> = {
  open: message('not paid'),
  paid: message('paid'),
  failed: message('failed'),
  expired: message('expired'),
  taken_back: message('taken back'),
};

type Reversal = ListedPayment['reversals'][number];

export const reversalText = ({ kind, amount, uncovered, given_back }: Reversal): string => {
  if (given_back) return kind === 'refund' ? t('Refund failed, money given back') : t('Dispute won, money given back');
  const values = { kind, amount: usd(amount), uncovered: usd(uncovered) };
  return uncovered > 0
    ? t('{kind, select, refund {Refunded} other {Disputed}}: {amount}, {uncovered} not covered', values)
    : t('{kind, select, refund {Refunded} other {Disputed}}: {amount}', values);
};

const COLUMNS: readonly Column<ListedPayment>[] = [
  {
    id: 'account',
    title: message('Account'),
    sticky: true,
    cell: ({ user_id, username }) => (
      <Link to="/admin/accounts/$userId" params={{ userId: user_id }}>
        {username}
      </Link>
    ),
  },
  { id: 'amount', title: message('Amount'), figures: true, cell: ({ amount }) => usd(amount) },
  {
    id: 'state',
    title: message('State'),
    grow: true,
    wraps: true,
    cell: ({ state, paid_at, reversals }) => (
      <>
        {words(PAYMENT_WORDS[state])}
        {paid_at !== null && (
          <Under>
            <Time at={paid_at} />
          </Under>
        )}
        {reversals.map((reversal) => (
          <Under key={reversal.id}>
            {reversalText(reversal)} · <Time at={reversal.created_at} />
          </Under>
        ))}
      </>
    ),
  },
  {
    id: 'at',
    title: message('Begun'),
    cell: ({ payment_id, username, created_at }) => (
      <Link
        to="/admin/payments/$paymentId"
        params={{ paymentId: payment_id }}
        aria-label={t('Payment of {username}, {created_at}', { username, created_at: ownTime(created_at) })}
      >
        <Time at={created_at} />
      </Link>
    ),
  },
  {
    id: 'stripe',
    title: message('At Stripe'),
    grow: true,
    wraps: true,
    cell: ({ payment_intent, session_id, reversals }) =>
      session_id === null ? (
        t('Stripe has not answered.')
      ) : (
        <>
          {payment_intent ?? session_id}
          {reversals.map(({ id }) => (
            <Under key={id}>{id}</Under>
          ))}
        </>
      ),
  },
];

/** Returns the filter of an address, without empty fields. */
export const filterOf = ({ search, state, before }: { [Key in keyof PaymentsFilter]: string | undefined }) => ({
  search: search?.slice(0, 255),
  state: PAYMENT_FILTERS.find((one) => one === state),
  before,
});

/** Top-ups of all users, filtered by the address. */
export function PaymentList({ filter, payments }: { filter: PaymentsFilter; payments: Loads<PaymentPage> }) {
  const changeSearch = useSearchChange<PaymentsFilter>();
  const change = (part: PaymentsFilter) => changeSearch({ before: undefined, ...part });
  const [typed, setTyped] = useQueryText(filter.search ?? '', (wanted) => change({ search: wanted }));
  return (
    <Panel title={t('Top-ups')} wide>
      <search className={filterStyles.filter} aria-label={t('Filter payments')}>
        <div className={filterStyles.search}>
          <SearchInput
            label={t('Search payments')}
            placeholder={t('Name, or an id of Stripe')}
            value={typed}
            onChange={setTyped}
          />
        </div>
        <FilterChoice
          label={t('State')}
          value={filter.state}
          values={PAYMENT_FILTERS}
          nameOf={(state) => words(PAYMENT_WORDS[state])}
          change={(state) => change({ state })}
        />
      </search>
      <Loaded query={payments} what={t('the payments')} heights={['20rem']}>
        {(page) =>
          page.payments.length === 0 ? (
            <Nothing>{isNarrowed(filter) ? t('No payment matches this filter.') : t('Nobody has paid yet.')}</Nothing>
          ) : (
            <Table
              label={t('Payments')}
              columns={COLUMNS}
              rows={page.payments}
              rowId={({ payment_id }) => payment_id}
            />
          )
        }
      </Loaded>
      <PageLinks
        label={t('Pages of payments')}
        before={filter.before}
        next={payments.data?.next}
        newest={t('Newest payments')}
        older={t('Older payments')}
      />
    </Panel>
  );
}
