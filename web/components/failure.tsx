import { RotateCw } from 'lucide';
import { messageOf } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';

/** What went wrong, and another try. */
export const Failure = ({ error, retry, busy }: { error: unknown; retry: () => void; busy?: boolean }) => (
  <Notice
    tone="danger"
    action={
      <Button onClick={retry} busy={busy}>
        <Icon of={RotateCw} size={14} />
        Try again
      </Button>
    }
  >
    {messageOf(error)}
  </Notice>
);
