import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../../../domain/language/text.ts';
import { accountQuery } from '../../api/account.ts';
import { textOf } from '../../components/entry-page.tsx';
import { CodeField } from '../../components/proof-fields.tsx';
import { Refusal } from '../../components/refusal.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, FormActions } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';

/** Returns whether the signed-in person may change anything: support may only look. */
export const useMayAct = (): boolean => useQuery(accountQuery).data?.role === 'admin';

/** Returns the code of the second factor of an act's form, if any. */
export const codeIn = (form: FormData): string | undefined => textOf(form, 'code') || undefined;

/** Returns the reason and the code of the second factor, if any, of an act's form. */
export const saidIn = (form: FormData) => ({ reason: textOf(form, 'reason'), code: codeIn(form) });

/**
 * A button that opens a form: what the act will do, its fields, a reason for the log and, if it moves money or cannot
 * be undone, a code of the second factor. Stays open with the reason if refused. What was done is shown in its place.
 */
export function Act({
  label,
  name,
  title = label,
  about,
  action = label,
  reason = true,
  proof = false,
  disabled = false,
  progress,
  act,
  children,
}: {
  label: string;
  /** Name of the button for screen readers, if the label is not enough. */
  name?: string;
  /** Title of the form. */
  title?: string;
  /** What will happen. */
  about: ReactNode;
  /** Label of the confirm button. */
  action?: string;
  /** Whether to ask for a reason. */
  reason?: boolean;
  /** Whether to ask for the second factor, if the account has one. */
  proof?: boolean;
  disabled?: boolean;
  /** How far the act is. */
  progress?: ReactNode;
  /** Sends the act. `key` is the same for all attempts of one form. Returns what to show when it is done. */
  act: (form: FormData, key: string) => Promise<ReactNode>;
  /** Further fields. */
  children?: ReactNode;
}) {
  // The act and its words stay those of the time when the form was opened, whatever a refresh or another filter behind it
  // changes.
  const current = { title, about, action, act };
  const [open, setOpen] = useState<(typeof current & { key: string }) | null>(null);
  const latest = useRef(current);
  useEffect(() => {
    latest.current = current;
  });
  const form = useRef<HTMLFormElement>(null);
  const client = useQueryClient();
  const account = useQuery(accountQuery).data;
  const acting = useMutation({
    mutationFn: async (fields: FormData) => open?.act(fields, open.key),
    onSuccess: () => setOpen(null),
    onSettled: async (_, error) => {
      await client.invalidateQueries({ queryKey: ['admin'] });
      // The refusal told what changed, so the next attempt is about that.
      if (error) setOpen((before) => before && { ...before, ...latest.current });
    },
  });
  const close = () => {
    setOpen(null);
    acting.reset();
  };
  return (
    <>
      <Button
        disabled={disabled || account?.role !== 'admin'}
        aria-label={name}
        title={account?.role === 'support' ? t('Your account may only look.') : undefined}
        onClick={() => {
          acting.reset();
          setOpen({ key: crypto.randomUUID(), ...current });
        }}
      >
        {label}
      </Button>
      {acting.isSuccess && acting.data && <Notice>{acting.data}</Notice>}
      {open !== null && (
        <Dialog title={open.title} close={close}>
          <form
            ref={form}
            className={layout.stack}
            onSubmit={(event) => {
              event.preventDefault();
              if (!acting.isPending) acting.mutate(new FormData(event.currentTarget));
            }}
          >
            <div>{open.about}</div>
            {progress !== undefined && <p role="status">{progress}</p>}
            <Refusal error={acting.error} form={form}>
              {children}
              {reason && (
                <TextField
                  label={t('Reason')}
                  name="reason"
                  autoComplete="off"
                  required
                  minLength={5}
                  maxLength={200}
                  help={t('Stays in the activity log.')}
                />
              )}
              {proof && account?.two_factor && <CodeField />}
            </Refusal>
            <FormActions close={close} action={open.action} busy={acting.isPending} />
          </form>
        </Dialog>
      )}
    </>
  );
}
