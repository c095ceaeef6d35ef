import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { centsOf } from '../../../../domain/money/money.ts';
import { PAYMENT_FILTERS, type PaymentFilter } from '../../../../domain/money/payment-filters.ts';
import { type ListedPayment, type PaymentsFilter, paymentsQuery } from '../../../api/admin-payments.ts';
import { Loaded } from '../../../components/loaded.tsx';
import filterStyles from '../../../components/orders-filter.module.css';
import { isNarrowed } from '../../../components/orders-filter.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { money, ownTime } from '../../../format.ts';
import type { Column } from '../../../table/column.ts';
import { Table, Under } from '../../../table/table.tsx';
import { buttonClass } from '../../../ui/button.tsx';
import layout from '../../../ui/layout.module.css';
import { SearchInput, useQueryText } from '../../../ui/search-input.tsx';
import { Select } from '../../../ui/select.tsx';
import { Time } from '../../../ui/time.tsx';

export const PAYMENT_WORDS: Record<PaymentFilter, string> = {
  open: 'not paid',
  paid: 'paid',
  failed: 'failed',
  expired: 'expired',
  taken_back: 'taken back',
};

export const usd = (dollars: number): string => money(centsOf(dollars) ?? 0);

type Reversal = ListedPayment['reversals'][number];

export const reversalText = ({ kind, amount, uncovered, given_back }: Reversal): string => {
  if (given_back) return kind === 'refund' ? 'Refund failed, money given back' : 'Dispute won, money given back';
  const rest = uncovered > 0 ? `, ${usd(uncovered)} not covered` : '';
  return `${kind === 'refund' ? 'Refunded' : 'Disputed'}: ${usd(amount)}${rest}`;
};

const COLUMNS: readonly Column<ListedPayment>[] = [
  {
    id: 'account',
    title: 'Account',
    sticky: true,
    cell: ({ user_id, username }) => (
      <Link to="/admin/accounts/$userId" params={{ userId: user_id }}>
        {username}
      </Link>
    ),
  },
  { id: 'amount', title: 'Amount', figures: true, cell: ({ amount }) => usd(amount) },
  {
    id: 'state',
    title: 'State',
    wraps: true,
    cell: ({ state, paid_at, reversals }) => (
      <>
        {PAYMENT_WORDS[state]}
        {paid_at !== null && (
          <Under>
            <Time at={paid_at} />
          </Under>
        )}
        {reversals.map((reversal) => (
          <Under key={reversal.id}>
            {reversalText(reversal)}, <Time at={reversal.created_at} />
          </Under>
        ))}
      </>
    ),
  },
  {
    id: 'at',
    title: 'Begun',
    cell: ({ payment_id, username, created_at }) => (
      <Link
        to="/admin/payments/$paymentId"
        params={{ paymentId: payment_id }}
        aria-label={`Payment of ${username}, ${ownTime(created_at)}`}
      >
        <Time at={created_at} />
      </Link>
    ),
  },
  {
    id: 'stripe',
    title: 'At Stripe',
    grow: true,
    wraps: true,
    cell: ({ payment_intent, session_id, reversals }) =>
      session_id === null ? (
        'Stripe has not answered.'
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

/** Returns the filter in an address, without what is none. */
export const filterOf = ({ search, state, before }: { [Key in keyof PaymentsFilter]: string | undefined }) => ({
  search: search?.slice(0, 255),
  state: PAYMENT_FILTERS.find((one) => one === state),
  before,
});

/** Top-ups of all users, filtered by the address. */
export function PaymentList({ filter }: { filter: PaymentsFilter }) {
  const navigate = useNavigate({ from: '/admin/payments/' });
  const payments = useQuery({ ...paymentsQuery(filter), placeholderData: keepPreviousData });
  const change = (part: PaymentsFilter) =>
    void navigate({ search: (now) => ({ ...now, before: undefined, ...part }), replace: true, resetScroll: false });
  const [typed, setTyped] = useQueryText(filter.search ?? '', (wanted) => change({ search: wanted }));
  return (
    <Panel title="Top-ups" wide>
      <search className={filterStyles.filter} aria-label="Filter payments">
        <div className={filterStyles.search}>
          <SearchInput
            label="Search payments"
            placeholder="Name, or an id of Stripe"
            value={typed}
            onChange={setTyped}
          />
        </div>
        <label className={filterStyles.choice}>
          State
          <Select
            value={filter.state ?? ''}
            onChange={({ target }) => change({ state: (target.value || undefined) as PaymentFilter | undefined })}
          >
            <option value="">All</option>
            {PAYMENT_FILTERS.map((state) => (
              <option key={state} value={state}>
                {PAYMENT_WORDS[state]}
              </option>
            ))}
          </Select>
        </label>
      </search>
      <Loaded query={payments} what="the payments" heights={['20rem']}>
        {(page) =>
          page.payments.length === 0 ? (
            <Nothing>{isNarrowed(filter) ? 'No payment matches this filter.' : 'Nobody has paid yet.'}</Nothing>
          ) : (
            <Table label="Payments" columns={COLUMNS} rows={page.payments} rowId={({ payment_id }) => payment_id} />
          )
        }
      </Loaded>
      <nav className={layout.row} aria-label="Pages of payments">
        {filter.before !== undefined && (
          <Link to="/admin/payments" search={{ ...filter, before: undefined }} className={buttonClass()}>
            Newest payments
          </Link>
        )}
        {payments.data?.next && (
          <Link to="/admin/payments" search={{ ...filter, before: payments.data.next }} className={buttonClass()}>
            Older payments
          </Link>
        )}
      </nav>
    </Panel>
  );
}
