import { RotateCw } from 'lucide';
import { ApiError, messageOf } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { BackHome } from './not-found.tsx';

/** Shows an error with a retry button, or a link home for a 404. */
export const Failure = ({ error, retry, busy }: { error: unknown; retry: () => void; busy?: boolean }) => (
  <Notice
    tone="danger"
    action={
      error instanceof ApiError && error.status === 404 ? (
        <BackHome />
      ) : (
        <Button onClick={retry} busy={busy}>
          <Icon of={RotateCw} size={14} />
          Try again
        </Button>
      )
    }
  >
    {messageOf(error)}
  </Notice>
);
