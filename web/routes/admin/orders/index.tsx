import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { dayIn } from '../../../../domain/days.ts';
import { listed, message, t, words } from '../../../../domain/language/text.ts';
import type { Standing } from '../../../../domain/orders/order.ts';
import { ORDER_STATES, type OrderState } from '../../../../domain/orders/order-states.ts';
import { type AdminOrder, type AdminOrdersFilter, adminOrdersQuery } from '../../../api/admin-orders.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { isNarrowed, OrdersFilter } from '../../../components/orders-filter.tsx';
import { PageLinks } from '../../../components/page-links.tsx';
import { Nothing } from '../../../components/panel.tsx';
import { exact, usd } from '../../../format.ts';
import { game, oneOf, searchReader, textUpTo, wholeFrom } from '../../../search-params.ts';
import type { Column } from '../../../table/column.ts';
import { Table, Under } from '../../../table/table.tsx';
import { buttonClass } from '../../../ui/button.tsx';
import layout from '../../../ui/layout.module.css';
import { useSearchChange } from '../../../ui/search-input.tsx';
import { Time } from '../../../ui/time.tsx';
import { MatchingActs } from './-matching-acts.tsx';

const ordersSearch = searchReader({
  before: wholeFrom(1),
  search: textUpTo(100),
  user: textUpTo(100),
  kingdom: wholeFrom(1),
  game,
  state: oneOf(Object.keys(ORDER_STATES) as OrderState[]),
  from: dayIn,
  to: dayIn,
});

export const Route = createFileRoute('/admin/orders/')({
  validateSearch: ordersSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.client.prefetchQuery(adminOrdersQuery(deps));
  },
  component: AdminOrders,
});

export const STANDINGS: Record<Standing, string> = {
  open: message('in progress'),
  finishing: message('being finished'),
  repairing: message('in repair'),
  done: message('done'),
  stored: message('done'),
  failed: message('failed'),
  cancelled: message('cancelled'),
};

/** Returns how many items of an order are in which state, in words. */
export const standingsText = (standings: AdminOrder['standings']): string =>
  listed(
    (Object.entries(standings) as [Standing, number][]).map(
      ([standing, count]) => `${exact(count)} ${words(STANDINGS[standing])}`,
    ),
  );

const COLUMNS: readonly Column<AdminOrder>[] = [
  {
    id: 'order',
    title: message('Order'),
    sticky: true,
    cell: ({ order_id }) => (
      <Link to="/admin/orders/$orderId" params={{ orderId: String(order_id) }}>
        #{order_id}
      </Link>
    ),
  },
  {
    id: 'user',
    title: message('User'),
    cell: ({ username }) => <span translate="no">{username}</span>,
  },
  {
    id: 'state',
    title: message('Items'),
    grow: true,
    wraps: true,
    cell: ({ standings, open_reports, placed_at }) => (
      <>
        {standingsText(standings)}
        <Under narrow>
          <Time at={placed_at} />
        </Under>
        {open_reports > 0 && <Under>{t('A report waits for an answer')}</Under>}
      </>
    ),
  },
  { id: 'placed', title: message('Placed'), wide: true, cell: ({ placed_at }) => <Time at={placed_at} /> },
  { id: 'total', title: message('Total'), figures: true, cell: ({ total }) => usd(total) },
  {
    id: 'returned',
    title: message('Returned'),
    figures: true,
    cell: ({ returned }) => (returned > 0 ? usd(returned) : '–'),
  },
];

function AdminOrders() {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const { before, user, ...filter } = search;
  const orders = useQuery({ ...adminOrdersQuery(search), placeholderData: keepPreviousData });
  const narrowed = isNarrowed(filter) || user !== undefined;
  const changeSearch = useSearchChange<AdminOrdersFilter>();
  const change = (part: AdminOrdersFilter) => changeSearch({ before: undefined, ...part });
  return (
    <>
      <title>{t('Orders of everybody · Muster')}</title>
      <OrdersFilter
        filter={filter}
        empty={false}
        placeholder={t('Order number, user, mail, kingdom or item')}
        change={change}
        showAll={() => void navigate({ search: {}, replace: true, resetScroll: false })}
      />
      {user !== undefined && (
        <p className={layout.row}>
          {t('Orders of {user}', { user })}
          <Link to="/admin/orders" search={{ ...search, user: undefined }} className={buttonClass()}>
            {t('Orders of everybody')}
          </Link>
        </p>
      )}
      <MatchingActs filter={{ ...filter, user }} />
      <Loaded query={orders} what={t('the orders')} heights={['20rem']}>
        {(page) =>
          page.orders.length === 0 ? (
            <Nothing>
              {narrowed || before !== undefined
                ? t('No order matches this filter.')
                : t('Nobody has ordered anything yet.')}
            </Nothing>
          ) : (
            <Table
              label={t('Orders of everybody')}
              columns={COLUMNS}
              rows={page.orders}
              rowId={({ order_id }) => order_id}
            />
          )
        }
      </Loaded>
      <PageLinks
        label={t('Pages of orders')}
        before={before}
        next={orders.data?.next}
        newest={t('Newest orders')}
        older={t('Older orders')}
      />
    </>
  );
}
