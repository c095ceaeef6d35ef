import { Share2 } from 'lucide';
import { lazy, Suspense, useState } from 'react';
import type { EventMeta, EventRoom } from '../../api/events.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

const ShareDialog = lazy(async () => ({ default: (await import('./share-dialog.tsx')).ShareDialog }));

/** One button for every way to show a war room to others. */
export function ShareRoom({ meta, room }: { meta: EventMeta; room: EventRoom }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon of={Share2} size={16} /> Share
      </Button>
      {open && (
        <Suspense>
          <ShareDialog meta={meta} room={room} close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
