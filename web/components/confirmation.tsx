import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../domain/language/text.ts';
import { messageOf } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';

/** Asks for confirmation of an irreversible action. Closes on success; stays open with the reason if refused. */
export function Confirmation({
  title,
  action,
  doing,
  close,
  children,
}: {
  title: string;
  /** Label of the confirm button. */
  action: string;
  doing: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'error'>;
  close: () => void;
  children: ReactNode;
}) {
  return (
    <Dialog title={title} close={close}>
      <p>{children}</p>
      {doing.error && <Notice tone="danger">{messageOf(doing.error)}</Notice>}
      <DialogActions>
        <Button look="plain" onClick={close}>
          {t('Go back')}
        </Button>
        <Button look="primary" busy={doing.isPending} onClick={() => doing.mutate(undefined, { onSuccess: close })}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
