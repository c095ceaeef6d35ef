import { RotateCw } from 'lucide';
import { t } from '../../domain/language/text.ts';
import { ApiError, messageOf } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { T } from '../ui/text.tsx';
import { BackHome } from './not-found.tsx';
import { useOtherRelease } from './use-other-release.ts';

/**
 * Shows an error with a retry button, or a link home for a 404. On a page older or newer than the server it says so, and
 * offers to reload.
 */
export function Failure({ error, retry, busy }: { error: unknown; retry: () => void; busy?: boolean }) {
  if (useOtherRelease(error))
    return (
      <Notice action={<Button onClick={() => location.reload()}>{t('Reload')}</Button>}>
        {t('A new version is here.')}
      </Notice>
    );
  const isGone = error instanceof ApiError && error.status === 404;
  const again = (
    <Button onClick={retry} busy={busy}>
      <Icon of={RotateCw} size={14} />
      <T of="Try again" />
    </Button>
  );
  return (
    <Notice tone="danger" action={isGone ? <BackHome /> : again}>
      {messageOf(error)}
    </Notice>
  );
}
