import { Share2 } from 'lucide';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Skeletons } from '../../../ui/skeleton.tsx';
import type { Sharable } from './-share-links.tsx';

/** Fetched when the button is pressed: most who read results share none. */
const ShareLinks = lazy(async () => ({ default: (await import('./-share-links.tsx')).ShareLinks }));

/** The button that opens the links to results; of several results, one is chosen there. */
export function ShareResults({ items }: { items: readonly [Sharable, ...Sharable[]] }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon of={Share2} size={16} />
        Share
      </Button>
      {open && (
        <Dialog title="Share these results" close={() => setOpen(false)}>
          <Suspense fallback={<Skeletons what="the links" heights={['14rem']} />}>
            <ShareLinks items={items} />
          </Suspense>
        </Dialog>
      )}
    </>
  );
}
