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
  close,
  children,
}: {
  title: string;
  action?: string;
  sending: UseMutationResult<unknown, Error, FormData>;
  close: () => void;
  /** The fields. */
  children: ReactNode;
}) => (
  <Dialog title={title} close={close}>
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sending.mutate(new FormData(event.currentTarget));
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
