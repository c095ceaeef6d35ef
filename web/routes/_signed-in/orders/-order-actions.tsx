import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { t } from '../../../../domain/language/text.ts';
import { orderRefusal } from '../../../../domain/orders/order.ts';
import { accountQuery } from '../../../api/account.ts';
import { cancel, reportIssue } from '../../../api/order-actions.ts';
import type { Order } from '../../../api/orders.ts';
import { Confirmation } from '../../../components/confirmation.tsx';
import { Refusal } from '../../../components/refusal.tsx';
import { counted, usd } from '../../../format.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Dialog, FormActions } from '../../../ui/dialog.tsx';
import { TextAreaField, TextField } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import styles from './-order-actions.module.css';
import { RepairButton } from './-repair-button.tsx';

/** Cancels an order (by number) or an item (by id). */
function useCancellation(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => cancel(id),
    // Also after a refusal, because the displayed list is then outdated.
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['orders'] }),
        client.invalidateQueries({ queryKey: ['item'] }),
        client.invalidateQueries({ queryKey: accountQuery.queryKey }),
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
  const [open, setOpen] = useState<'cancel' | 'report' | null>(null);
  const [sent, setSent] = useState(false);
  const close = () => setOpen(null);
  const cancelling = useCancellation(String(order_id));
  const partly = orderRefusal('results', standings) === null;
  const cancelled = cancelling.data;
  return (
    <footer className={styles.actions}>
      <Link to="/orders/new" search={{ from: order_id }} className={buttonClass()}>
        {t('Re-Order')}
      </Link>
      {orderRefusal('cancel', standings) === null && (
        <Button look="plain" onClick={() => setOpen('cancel')}>
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
      <Button look="plain" onClick={() => setOpen('report')}>
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
      {sent && <Notice>{t('Thank you. Support has your report and answers by mail.')}</Notice>}
      {open === 'cancel' && (
        <Confirmation
          title={t('Cancel order #{order_id}?', { order_id: String(order_id) })}
          action={t('Cancel order')}
          doing={cancelling}
          close={close}
        >
          {partly
            ? t('Bots stop. Items with results stay; the price of the others returns to the balance that paid it.')
            : t('Bots stop, and the price returns to the balance that paid it.')}
        </Confirmation>
      )}
      {open === 'report' && (
        <IssueDialog
          orderId={order_id}
          close={close}
          sent={() => {
            close();
            setSent(true);
          }}
        />
      )}
    </footer>
  );
}

/** Reports a problem with an order to support. */
function IssueDialog({ orderId, close, sent }: { orderId: number; close: () => void; sent: () => void }) {
  const [message, setMessage] = useState('');
  const [governors, setGovernors] = useState('');
  const sending = useMutation({
    mutationFn: () =>
      reportIssue(orderId, { message: message.trim(), rows: governors.split(/[\s,]+/).filter((id) => id !== '') }),
  });
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!sending.isPending) sending.mutate(undefined, { onSuccess: sent });
  };
  return (
    <Dialog title={t('Report an issue with order #{orderId}', { orderId: String(orderId) })} close={close}>
      <form ref={form} className={styles.form} onSubmit={submit} noValidate>
        <Refusal error={sending.error} form={form}>
          <TextAreaField
            label={t('What is wrong')}
            name="message"
            rows={5}
            maxLength={4000}
            value={message}
            onChange={(event) => setMessage(event.target.value)}
          />
          <TextField
            label={t('Governor ids')}
            name="rows"
            help={t('Optional, separated by commas: whose rows are wrong.')}
            inputMode="numeric"
            autoComplete="off"
            value={governors}
            onChange={(event) => setGovernors(event.target.value)}
          />
        </Refusal>
        <FormActions close={close} action={t('Send report')} busy={sending.isPending} />
      </form>
    </Dialog>
  );
}
