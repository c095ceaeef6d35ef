import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../../../domain/language/text.ts';
import { movingItems, progressOfOrder } from '../../../../domain/orders/order.ts';
import { type Order, ordersQuery } from '../../../api/orders.ts';
import { useLiveList } from '../../../components/live-orders.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { percentage } from '../../../format.ts';
import { Progress } from '../../../ui/progress.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import styles from './day.module.css';

const SHOWN = 4;

/** Orders in progress, then the latest finished ones. */
export function OrdersNow() {
  const orders = useQuery(ordersQuery());
  useLiveList(orders.data);
  return (
    <Panel title={t('Orders')} about={<Link to="/orders">{t('Past orders')}</Link>}>
      <Loaded query={orders} what={t('your orders')} heights={['8rem']}>
        {({ orders: all }) => {
          const moving = all.filter(({ standings }) => movingItems(standings) > 0);
          const finished = all.filter((order) => !moving.includes(order) && order.has_results);
          const shown = [...moving, ...finished].slice(0, SHOWN);
          return shown.length === 0 ? (
            <Nothing>
              <T
                of="No order is in progress. <link>Order a scan</link>"
                link={(text) => <Link to="/orders/new">{text}</Link>}
              />
            </Nothing>
          ) : (
            <div className={styles.list}>
              {shown.map((order) => (
                <OrderLine key={order.order_id} order={order} moving={moving.includes(order)} />
              ))}
            </div>
          );
        }}
      </Loaded>
    </Panel>
  );
}

function OrderLine({ order, moving }: { order: Order; moving: boolean }) {
  const { order_id, placed_at, items } = order;
  const percent = progressOfOrder(order);
  const [first] = items;
  const result =
    items.length > 1 ? (
      <Link to="/order/$orderId" params={{ orderId: String(order_id) }} search={{ all: true }}>
        <T of="Order #{order_id}" order_id={String(order_id)} />
      </Link>
    ) : (
      <Link to="/order/$orderId" params={{ orderId: first?.item_id ?? String(order_id) }}>
        <T of="Order #{order_id}" order_id={String(order_id)} />
      </Link>
    );
  return (
    <article className={styles.line} aria-label={t('Order #{order_id}', { order_id: String(order_id) })}>
      <h3>
        {moving ? (
          <Link to="/orders">
            <T of="Order #{order_id}" order_id={String(order_id)} />
          </Link>
        ) : (
          result
        )}
      </h3>
      {moving ? (
        <Progress
          percent={percent}
          label={t('Progress of order #{order_id}', { order_id: String(order_id) })}
          note={percentage(percent)}
        />
      ) : (
        <p>
          <T of="Results are in · ordered {time}" time={<Time at={placed_at} />} />
        </p>
      )}
    </article>
  );
}
