import { createFileRoute } from '@tanstack/react-router';
import { DEAD_LINK } from '../../../domain/dead-link.ts';
import { t, words } from '../../../domain/language/text.ts';
import { BackHome } from '../../components/not-found.tsx';
import { Page } from '../../components/page.tsx';
import { Notice } from '../../ui/notice.tsx';

export const Route = createFileRoute('/s/$code')({ component: DeadLink });

/** Page of an invalid short link; the Worker redirects valid ones. */
function DeadLink() {
  return (
    <Page title={t('Shared link')}>
      <Notice tone="danger" action={<BackHome />}>
        {words(DEAD_LINK)}
      </Notice>
    </Page>
  );
}
