import { useMutation } from '@tanstack/react-query';
import { createContext, type FormEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import { t } from '../../../../domain/language/text.ts';
import { entriesOf } from '../../../../domain/narrow.ts';
import { reportIssue } from '../../../api/order-actions.ts';
import { Refusal } from '../../../components/refusal.tsx';
import { Dialog, FormActions } from '../../../ui/dialog.tsx';
import { TextAreaField, TextField } from '../../../ui/field.tsx';
import styles from './-order-actions.module.css';

/** Opens the dialog that reports an issue with an order; `sent` is the order that was reported last. */
export const Reporting = createContext<{ report: (orderId: number) => void; sent: number | null }>({
  report: () => undefined,
  sent: null,
});

/** Holds the dialog above the list, because a card moves when its schedule places another order. */
export function ReportingProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<number | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const close = () => setOpen(null);
  return (
    <Reporting value={useMemo(() => ({ report: setOpen, sent }), [sent])}>
      {children}
      {open !== null && (
        <IssueDialog
          orderId={open}
          close={close}
          sent={() => {
            close();
            setSent(open);
          }}
        />
      )}
    </Reporting>
  );
}

/** Reports a problem with an order to support. */
function IssueDialog({ orderId, close, sent }: { orderId: number; close: () => void; sent: () => void }) {
  const [message, setMessage] = useState('');
  const [governors, setGovernors] = useState('');
  const sending = useMutation({
    mutationFn: () => reportIssue(orderId, { message: message.trim(), rows: entriesOf(governors) }),
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
