import { createFileRoute } from '@tanstack/react-router';
import { DEAD_LINK } from '../../../domain/dead-link.ts';
import { BackHome } from '../../components/not-found.tsx';
import { Page } from '../../components/page.tsx';
import { Notice } from '../../ui/notice.tsx';

export const Route = createFileRoute('/s/$code')({ component: DeadLink });

/** A short address that leads nowhere: the Worker sends whoever has one that works on to what it shows. */
function DeadLink() {
  return (
    <Page title="Shared link">
      <Notice tone="danger" action={<BackHome />}>
        {DEAD_LINK}
      </Notice>
    </Page>
  );
}
