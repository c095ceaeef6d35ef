import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../domain/language/text.ts';
import { messageOf } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';

/** A dialog with a form. It stays open if refused, so the user can correct it. */
export const FormDialog = ({
  title,
  action = t('Save'),
  sending,
  done,
  close,
  children,
}: {
  title: string;
  action?: string;
  sending: UseMutationResult<unknown, Error, FormData>;
  /** Called on success, unless the dialog was closed before; another dialog may be open by then. */
  done?: () => void;
  close: () => void;
  /** Form fields. */
  children: ReactNode;
}) => (
  <Dialog title={title} close={close}>
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!sending.isPending) sending.mutate(new FormData(event.currentTarget), { onSuccess: () => done?.() });
      }}
    >
      {children}
      {sending.error && <Notice tone="danger">{messageOf(sending.error)}</Notice>}
      <DialogActions>
        <Button look="plain" type="button" onClick={close}>
          {t('Go back')}
        </Button>
        <Button look="primary" type="submit" busy={sending.isPending}>
          {action}
        </Button>
      </DialogActions>
    </form>
  </Dialog>
);
