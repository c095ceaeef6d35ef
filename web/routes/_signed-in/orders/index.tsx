import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { Plus } from 'lucide';
import { movingItems } from '../../../../domain/orders/order.ts';
import { type OrderPage, ordersQuery } from '../../../api/orders.ts';
import { useLiveList } from '../../../components/live-orders.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Page } from '../../../components/page.tsx';
import { counted } from '../../../format.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { OrderCard } from './-order-card.tsx';
import { RefreshControl, useRefreshCountdown } from './-refresh.tsx';
import styles from './index.module.css';

export interface OrdersSearch {
  /** Shows the orders older than this one. */
  before?: number;
}

export const Route = createFileRoute('/_signed-in/orders/')({
  validateSearch: ({ before }: Record<string, unknown>): OrdersSearch => ({
    before: Number.isSafeInteger(before) && Number(before) > 0 ? Number(before) : undefined,
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.client.prefetchQuery(ordersQuery(deps.before));
  },
  component: Orders,
});

function Orders() {
  const { before } = Route.useSearch();
  const orders = useQuery(ordersQuery(before));
  useLiveList(orders.data);
  const live = orders.data?.live ?? false;
  const countdown = useRefreshCountdown(live, () => void orders.refetch());
  return (
    <Page
      title="Orders"
      actions={
        <>
          <RefreshControl live={live} busy={orders.isFetching} countdown={countdown} />
          <Link to="/orders/new" className={buttonClass('primary')}>
            <Icon of={Plus} size={16} />
            New order
          </Link>
        </>
      }
    >
      <p className="visually-hidden" role="status">
        {orders.data && movingText(orders.data)}
      </p>
      <Loaded
        query={{ ...orders, refetch: countdown.refresh }}
        what="orders"
        heights={['8.5rem', '8.5rem', '8.5rem']}
        className={styles.list}
      >
        {(page) => <OrderList page={page} before={before} />}
      </Loaded>
    </Page>
  );
}

/** Said aloud when it changes: the bars that move are only to be seen. */
function movingText(page: OrderPage): string {
  const moving = page.orders.reduce((sum, { standings }) => sum + movingItems(standings), 0);
  return moving === 0 ? 'No item is in progress.' : `${counted(moving, 'item')} in progress.`;
}

function OrderList({ page, before }: { page: OrderPage; before: number | undefined }) {
  if (page.orders.length === 0) return <Empty />;
  return (
    <>
      <div className={styles.list}>
        {page.orders.map((order) => (
          <OrderCard key={order.order_id} order={order} />
        ))}
      </div>
      {(before !== undefined || page.next !== null) && (
        <nav className={styles.pages} aria-label="Pages of orders">
          {before !== undefined && (
            <Link to="/orders" className={buttonClass()}>
              Newest orders
            </Link>
          )}
          {page.next !== null && (
            <Link to="/orders" search={{ before: page.next }} className={buttonClass('plain', styles.older)}>
              Older orders
            </Link>
          )}
        </nav>
      )}
    </>
  );
}

const Empty = () => (
  <div className={styles.empty}>
    <p>You have not yet ordered any scans/data from our service.</p>
    <Link to="/orders/new" className={buttonClass()}>
      Order your first scan
    </Link>
  </div>
);
