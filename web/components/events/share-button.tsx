import { Share2 } from 'lucide';
import { lazy, Suspense, useState } from 'react';
import type { EventMeta } from '../../api/events.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { T } from '../../ui/text.tsx';
import type { Shared } from './share-texts.ts';

const ShareDialog = lazy(async () => ({ default: (await import('./share-dialog.tsx')).ShareDialog }));

/** One button for every way to show an event, a war room or a governor's result to others. */
export function ShareButton({ meta, what }: { meta: EventMeta; what: Shared }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon of={Share2} size={16} /> <T of="Share" />
      </Button>
      {open && (
        <Suspense>
          <ShareDialog meta={meta} what={what} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
