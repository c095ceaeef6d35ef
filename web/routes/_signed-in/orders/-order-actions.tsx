import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { use, useState } from 'react';
import { t } from '../../../../domain/language/text.ts';
import { orderRefusal } from '../../../../domain/orders/order.ts';
import { refetchMoney } from '../../../api/balance.ts';
import { cancel } from '../../../api/order-actions.ts';
import type { Order } from '../../../api/orders.ts';
import { teamsQuery } from '../../../api/teams.ts';
import { Confirmation } from '../../../components/confirmation.tsx';
import { counted, usd } from '../../../format.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import styles from './-order-actions.module.css';
import { RepairButton } from './-repair-button.tsx';
import { Reporting } from './-reporting.tsx';

/** Cancels an order (by number) or an item (by id). */
export function useCancellation(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => cancel(id),
    // Also after a refusal, because the displayed list is then outdated.
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['orders'] }),
        client.invalidateQueries({ queryKey: ['item'] }),
        client.invalidateQueries({ queryKey: teamsQuery.queryKey }),
        refetchMoney(client),
      ]),
  });
}

/** Cancels an item without results and refunds its price. `what` names it for screen readers. */
export function CancelButton({ id, what }: { id: string; what: string }) {
  const [asking, setAsking] = useState(false);
  const cancelling = useCancellation(id);
  return (
    <>
      <Button look="plain" onClick={() => setAsking(true)} aria-label={t('Cancel {what}', { what })}>
        {t('Cancel')}
      </Button>
      {asking && (
        <Confirmation
          title={t('Cancel {what}?', { what })}
          action={t('Cancel item')}
          doing={cancelling}
          close={() => setAsking(false)}
        >
          {t('Its price returns to the balance that paid it. The rest of the order stays.')}
        </Confirmation>
      )}
    </>
  );
}

/** Actions on a whole order. */
export function OrderActions({ order }: { order: Order }) {
  const { order_id, standings } = order;
  const [asking, setAsking] = useState(false);
  const { report, sent } = use(Reporting);
  const cancelling = useCancellation(String(order_id));
  const partly = orderRefusal('results', standings) === null;
  const cancelled = cancelling.data;
  return (
    <footer className={styles.actions}>
      <Link to="/orders/new" search={{ from: order_id }} className={buttonClass()}>
        {t('Re-Order')}
      </Link>
      {orderRefusal('cancel', standings) === null && (
        <Button look="plain" onClick={() => setAsking(true)}>
          {partly ? t('Cancel the rest') : t('Cancel')}
        </Button>
      )}
      {order.item_count > 1 && orderRefusal('repair', standings) === null && (
        <RepairButton
          id={String(order_id)}
          what={t('all items of order {order_id}', { order_id: String(order_id) })}
          refusal={null}
        />
      )}
      <Button look="plain" onClick={() => report(order_id)}>
        {t('Report Issue')}
      </Button>
      {cancelled && (
        <Notice>
          {cancelled.cancelled < order.item_count
            ? t('{cancelled} of order #{order_id} cancelled. {money} is back in the balance that paid it.', {
                cancelled: counted(cancelled.cancelled, 'item'),
                order_id: String(order_id),
                money: usd(cancelled.returned),
              })
            : t('Order #{order_id} was cancelled. Its price is back in the balance that paid it.', {
                order_id: String(order_id),
              })}
        </Notice>
      )}
      {sent === order_id && <Notice>{t('Thank you. Support has your report and answers by mail.')}</Notice>}
      {asking && (
        <Confirmation
          title={t('Cancel order #{order_id}?', { order_id: String(order_id) })}
          action={t('Cancel order')}
          doing={cancelling}
          close={() => setAsking(false)}
        >
          {partly
            ? t('Bots stop. Items with results stay; the price of the others returns to the balance that paid it.')
            : t('Bots stop, and the price returns to the balance that paid it.')}
        </Confirmation>
      )}
    </footer>
  );
}
