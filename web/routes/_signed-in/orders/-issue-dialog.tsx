import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { t } from '../../../../domain/language/text.ts';
import { reportIssue } from '../../../api/order-actions.ts';
import { Refusal } from '../../../components/refusal.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { TextAreaField, TextField } from '../../../ui/field.tsx';
import styles from './-order-actions.module.css';

/** Reports a problem with an order to support. */
export function IssueDialog({ orderId, close, sent }: { orderId: number; close: () => void; sent: () => void }) {
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
        <DialogActions>
          <Button look="plain" onClick={close}>
            {t('Go back')}
          </Button>
          <Button type="submit" look="primary" busy={sending.isPending}>
            {t('Send report')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
