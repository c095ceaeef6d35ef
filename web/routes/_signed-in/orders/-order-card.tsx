import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../../../domain/language/text.ts';
import { orderRefusal } from '../../../../domain/orders/order.ts';
import type { Order } from '../../../api/orders.ts';
import { DownloadLinks } from '../../../components/download-links.tsx';
import { counted, usd } from '../../../format.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import { ItemRow } from './-item-row.tsx';
import { OrderActions } from './-order-actions.tsx';
import styles from './-order-card.module.css';

/** Items shown before the user expands the order. */
const SHOWN = 6;

/** An order: number, time and total in the header, then a row per item. */
export function OrderCard({ order }: { order: Order }) {
  const [whole, setWhole] = useState(false);
  const items = whole ? order.items : order.items.slice(0, SHOWN);
  const combined = order.item_count > 1 && orderRefusal('results', order.standings) === null;
  return (
    <article className={styles.card} aria-labelledby={`order-${order.order_id}`}>
      <header className={styles.head}>
        <h2 id={`order-${order.order_id}`}>
          <T of="Order #{order_id}" order_id={String(order.order_id)} />
        </h2>
        <p className={styles.moment}>
          <Time at={order.placed_at} />
          {order.schedule_id !== null && (
            <T
              of=" · run of <link>schedule #{schedule_id}</link>"
              link={(text) => <Link to="/orders/scheduled">{text}</Link>}
              schedule_id={String(order.schedule_id)}
            />
          )}
        </p>
        <p className={styles.count}>{counted(order.item_count, 'item')}</p>
        <p className={`${styles.total} tabular`}>
          <span className="visually-hidden">{t('Order total')} </span>
          {usd(order.total)}
          {order.returned > 0 && (
            <small>
              {' '}
              <T of="{money} returned" money={usd(order.returned)} />
            </small>
          )}
        </p>
      </header>
      {combined && (
        <div className={styles.combined}>
          <Link
            to="/order/$orderId"
            params={{ orderId: String(order.order_id) }}
            search={{ all: true }}
            className={buttonClass()}
          >
            {t('View Combined Results')}
          </Link>
          <DownloadLinks
            id={String(order.order_id)}
            all
            what={t('order {order_id}', { order_id: String(order.order_id) })}
          />
        </div>
      )}
      {!order.is_done_loading && <Notice>{t('Loading all items into the database...')}</Notice>}
      <ul>
        {items.map((item) => (
          <ItemRow key={item.item_id} item={item} />
        ))}
      </ul>
      <Rest order={order} shown={items.length} showAll={() => setWhole(true)} />
      <Reported order={order} />
      <OrderActions order={order} />
    </article>
  );
}

/** What the user reported about the order, and support's answers. */
const Reported = ({ order }: { order: Order }) =>
  order.reports.map(({ report_id, message, created_at, answer, answered_at }) => (
    <Notice key={report_id}>
      <p>
        <T of="You reported ({time}): {message}" time={<Time at={created_at} />} message={message} />
      </p>
      <p>
        {answer !== null && t('Support answered: {answer}', { answer })}
        {answer === null &&
          (answered_at === null ? t('Support will answer by mail and here.') : t('The report was closed.'))}
      </p>
    </Notice>
  ));

/** Tells how many items are not shown, and expands those that were sent. */
function Rest({ order, shown, showAll }: { order: Order; shown: number; showAll: () => void }) {
  const listed = order.items.length - shown;
  const unlisted = order.item_count - order.items.length;
  if (listed > 0)
    return (
      <Button look="bare" className={styles.more} onClick={showAll}>
        <T of="Show {listed}" listed={counted(listed, 'more item')} />
      </Button>
    );
  if (unlisted <= 0) return null;
  return (
    <p className={styles.unlisted}>
      <T of="{unlisted} in the combined results." unlisted={counted(unlisted, 'more item')} />
    </p>
  );
}
