import { Share2 } from 'lucide';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../../../domain/language/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Skeletons } from '../../../ui/skeleton.tsx';
import { T } from '../../../ui/text.tsx';
import type { Sharable } from './-share-links.tsx';

/** Loaded on demand, because most users share nothing. */
const ShareLinks = lazy(async () => ({ default: (await import('./-share-links.tsx')).ShareLinks }));

/** A button that opens the share dialog, where one of several results can be selected. */
export function ShareResults({ items }: { items: readonly [Sharable, ...Sharable[]] }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon of={Share2} size={16} />
        <T of="Share" />
      </Button>
      {open && (
        <Dialog title={t('Share these results')} close={() => setOpen(false)}>
          <Suspense fallback={<Skeletons what={t('the links')} heights={['14rem']} />}>
            <ShareLinks items={items} />
          </Suspense>
        </Dialog>
      )}
    </>
  );
}
