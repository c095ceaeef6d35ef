import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';

/** A dialog that asks for something and sends it: what is wrong stays in it, so that it can be mended. */
export const FormDialog = ({
  title,
  action = 'Save',
  sending,
  done,
  close,
  children,
}: {
  title: string;
  action?: string;
  sending: UseMutationResult<unknown, Error, FormData>;
  /** Called once it is saved, unless the dialog was closed by then: another may be open. */
  done?: () => void;
  close: () => void;
  /** The fields. */
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
          Go back
        </Button>
        <Button look="primary" type="submit" busy={sending.isPending}>
          {action}
        </Button>
      </DialogActions>
    </form>
  </Dialog>
);
