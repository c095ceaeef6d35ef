import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { Plus } from 'lucide';
import { dayIn } from '../../../../domain/days.ts';
import { t } from '../../../../domain/language/text.ts';
import { movingItems } from '../../../../domain/orders/order.ts';
import { ORDER_STATES, type OrderState } from '../../../../domain/orders/order-states.ts';
import { type Order, type OrderFilter, type OrderPage, ordersQuery } from '../../../api/orders.ts';
import { useLiveList } from '../../../components/live-orders.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { isNarrowed, OrdersFilter } from '../../../components/orders-filter.tsx';
import { Page } from '../../../components/page.tsx';
import { counted } from '../../../format.ts';
import { game, oneOf, searchReader, textUpTo, wholeFrom } from '../../../search-params.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import layout from '../../../ui/layout.module.css';
import { useSearchChange } from '../../../ui/search-input.tsx';
import { T } from '../../../ui/text.tsx';
import { OrderCard } from './-order-card.tsx';
import { RefreshControl, useRefreshCountdown } from './-refresh.tsx';
import { ReportingProvider } from './-reporting.tsx';
import styles from './index.module.css';

/** Shows orders older than `before`. */
const ordersSearch = searchReader({
  before: wholeFrom(1),
  search: textUpTo(40),
  kingdom: wholeFrom(1),
  game,
  state: oneOf(Object.keys(ORDER_STATES) as OrderState[]),
  from: dayIn,
  to: dayIn,
  schedule: wholeFrom(1),
});

export const Route = createFileRoute('/_signed-in/orders/')({
  validateSearch: ordersSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.client.prefetchQuery(ordersQuery(deps));
  },
  component: Orders,
});

function Orders() {
  const search = Route.useSearch();
  const change = useSearchChange<OrderFilter & { before?: number }>();
  const { before, ...filter } = search;
  // Keep the previous list until the new one has loaded.
  const orders = useQuery({ ...ordersQuery(search), placeholderData: keepPreviousData });
  useLiveList(orders.data);
  // Placeholder data says nothing about the current filter.
  const empty = !orders.isPlaceholderData && isEmpty(orders.data);
  const none = empty && before === undefined && !isNarrowed(filter);
  const live = orders.data?.live ?? false;
  const countdown = useRefreshCountdown(live, orders.refetch);
  return (
    <Page
      title={t('Past orders')}
      about={
        filter.schedule === undefined ? null : (
          <T
            of="Runs of <link>schedule #{schedule_id}</link>"
            link={(text) => <Link to="/orders/scheduled">{text}</Link>}
            schedule_id={String(filter.schedule)}
          />
        )
      }
      actions={
        <>
          <RefreshControl live={live} busy={orders.isFetching} countdown={countdown} />
          <Link to="/orders/new" className={buttonClass('primary')}>
            <Icon of={Plus} size={16} />
            <T of="New order" />
          </Link>
        </>
      }
    >
      {!none && (
        <OrdersFilter filter={filter} empty={empty} change={(part) => change({ before: undefined, ...part })} />
      )}
      <p className="visually-hidden" role="status">
        {orders.data && movingText(orders.data)}
      </p>
      <ReportingProvider>
        <Loaded
          query={{ ...orders, refetch: countdown.refresh }}
          what={t('orders')}
          heights={['8.5rem', '8.5rem', '8.5rem']}
          className={layout.stack}
        >
          {(page) => <OrderList page={page} before={before} filter={filter} />}
        </Loaded>
      </ReportingProvider>
    </Page>
  );
}

/** Announced by screen readers, which cannot see the progress bars. */
function movingText(page: OrderPage): string {
  const moving = page.orders.reduce((sum, { standings }) => sum + movingItems(standings), 0);
  return moving === 0 ? t('No item is in progress.') : t('{items} in progress.', { items: counted(moving, 'item') });
}

const isEmpty = (page: OrderPage | undefined): boolean => page?.orders.length === 0 && page.next === null;

/** Groups orders: single ones alone, runs of a schedule under the latest run. */
function folded(orders: readonly Order[]): [Order, ...Order[]][] {
  const groups = Map.groupBy(orders, ({ order_id, schedule_id }) =>
    schedule_id === null ? `order ${order_id}` : `schedule ${schedule_id}`,
  );
  return [...groups.values()].filter((group): group is [Order, ...Order[]] => group.length > 0);
}

function OrderList({ page, before, filter }: { page: OrderPage; before: number | undefined; filter: OrderFilter }) {
  if (isEmpty(page)) return isNarrowed(filter) || before !== undefined ? <NoMatch filter={filter} /> : <Empty />;
  return (
    <>
      <div className={layout.stack}>
        {(filter.schedule === undefined ? folded(page.orders) : page.orders.map((order): [Order] => [order])).map(
          ([newest, ...others]) => (
            <div key={newest.order_id} className={styles.group}>
              <OrderCard order={newest} />
              {others.length > 0 && <OtherRuns orders={others} />}
            </div>
          ),
        )}
      </div>
      {page.orders.length === 0 && <p>{t('None of the newest thousand orders match this filter. Older ones may.')}</p>}
      {(before !== undefined || page.next !== null) && (
        <nav className={styles.pages} aria-label={t('Pages of orders')}>
          {before !== undefined && (
            <Link to="/orders" search={filter} className={buttonClass()}>
              {t('Newest orders')}
            </Link>
          )}
          {page.next !== null && (
            <Link to="/orders" search={{ ...filter, before: page.next }} className={buttonClass('plain', styles.older)}>
              {t('Older orders')}
            </Link>
          )}
        </nav>
      )}
    </>
  );
}

/** Earlier runs of a schedule on this page, with a link to all of them. */
const OtherRuns = ({ orders }: { orders: Order[] }) => (
  <details className={styles.runs}>
    <summary>
      <T
        of="{length} of schedule #{schedule_id}"
        length={counted(orders.length, 'earlier run')}
        schedule_id={String(orders[0]?.schedule_id)}
      />
    </summary>
    <div className={layout.stack}>
      {orders.map((order) => (
        <OrderCard key={order.order_id} order={order} />
      ))}
      <Link to="/orders" search={{ schedule: orders[0]?.schedule_id ?? undefined }}>
        <T of="All runs of schedule #{schedule_id}" schedule_id={String(orders[0]?.schedule_id)} />
      </Link>
    </div>
  </details>
);

/** Empty state of a filter or page, with a link to all orders. */
const NoMatch = ({ filter }: { filter: OrderFilter }) => (
  <div className={styles.empty}>
    <p>{isNarrowed(filter) ? t('No orders match this filter.') : t('There are no older orders.')}</p>
    <Link to="/orders" className={buttonClass()}>
      {t('Show all orders')}
    </Link>
  </div>
);

const Empty = () => (
  <div className={styles.empty}>
    <p>{t('You have not yet ordered any scans/data from our service.')}</p>
    <Link to="/orders/new" className={buttonClass()}>
      {t('Order your first scan')}
    </Link>
  </div>
);
