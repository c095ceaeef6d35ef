import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { orderRefusal } from '../../../../domain/orders/order.ts';
import { accountQuery } from '../../../api/account.ts';
import { messageOf } from '../../../api/client.ts';
import { cancelOrder, repair } from '../../../api/order-actions.ts';
import type { Order } from '../../../api/orders.ts';
import { Confirmation } from '../../../components/confirmation.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { IssueDialog } from './-issue-dialog.tsx';
import styles from './-order-actions.module.css';

/** Milliseconds after a repair until the list is fetched again (specification, section 9). */
const REPAIR_REFETCH = 2_000;

/**
 * The button that sends bots again for an item or an order, and the answer beside it. `what` names it aloud; a
 * `refusal` says why it cannot be pressed now.
 */
export function RepairButton({ id, what, refusal }: { id: string; what: string; refusal: string | null }) {
  const client = useQueryClient();
  const repairing = useMutation({
    mutationFn: () => repair(id),
    onSuccess: () => {
      for (const queryKey of [['orders'], ['item']])
        setTimeout(() => void client.invalidateQueries({ queryKey }), REPAIR_REFETCH);
    },
  });
  return (
    <>
      <Button
        look="plain"
        busy={repairing.isPending}
        disabled={refusal !== null}
        title={refusal ?? undefined}
        onClick={() => repairing.mutate()}
        aria-label={`Repair ${what}`}
      >
        Repair
      </Button>
      <span className={styles.answer} role="status" data-bad={repairing.isError || undefined}>
        {repairing.isError ? messageOf(repairing.error) : repairing.data?.msg}
      </span>
    </>
  );
}

/** What can be done with an order as a whole. */
export function OrderActions({ order }: { order: Order }) {
  const { order_id, standings } = order;
  const client = useQueryClient();
  const [open, setOpen] = useState<'cancel' | 'report' | null>(null);
  const [said, setSaid] = useState<ReactNode>(null);
  const close = () => setOpen(null);
  const cancel = useMutation({
    mutationFn: () => cancelOrder(order_id),
    onSuccess: () => setSaid(`Order #${order_id} was cancelled. Its price is back in your balance.`),
    // Refused or done, the list on the screen is no longer how it is.
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['orders'] }),
        client.invalidateQueries({ queryKey: accountQuery.queryKey }),
      ]),
  });
  return (
    <footer className={styles.actions}>
      <Link to="/orders/new" search={{ from: order_id }} className={buttonClass()}>
        Re-Order
      </Link>
      {orderRefusal('cancel', standings) === null && (
        <Button look="plain" onClick={() => setOpen('cancel')}>
          Cancel
        </Button>
      )}
      {order.item_count > 1 && orderRefusal('repair', standings) === null && (
        <RepairButton id={String(order_id)} what={`all items of order ${order_id}`} refusal={null} />
      )}
      <Button look="plain" onClick={() => setOpen('report')}>
        Report Issue
      </Button>
      {said && <Notice>{said}</Notice>}
      {open === 'cancel' && (
        <Confirmation title={`Cancel order #${order_id}?`} action="Cancel order" doing={cancel} close={close}>
          Bots stop, and what you paid returns to your balance.
        </Confirmation>
      )}
      {open === 'report' && (
        <IssueDialog
          orderId={order_id}
          close={close}
          sent={() => {
            close();
            setSaid('Thank you. Support has your report and answers by mail.');
          }}
        />
      )}
    </footer>
  );
}
