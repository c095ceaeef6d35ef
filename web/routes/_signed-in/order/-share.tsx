import { Share2 } from 'lucide';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Select } from '../../../ui/select.tsx';
import { Skeletons } from '../../../ui/skeleton.tsx';
import styles from './-share.module.css';

/** Fetched when the button is pressed: most who read results share none. */
const ShareLinks = lazy(async () => ({ default: (await import('./-share-links.tsx')).ShareLinks }));

/** What can be shared: the results of an item, or by its number of an order, and what people call them. */
export interface Sharable {
  id: string;
  name: string;
}

/** The button that opens the links to results; of several results, one is chosen there. */
export function ShareResults({ items }: { items: readonly [Sharable, ...Sharable[]] }) {
  const [open, setOpen] = useState(false);
  const [chosen, setChosen] = useState(items[0].id);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon of={Share2} size={16} />
        Share
      </Button>
      {open && (
        <Dialog title="Share these results" close={() => setOpen(false)}>
          {items.length > 1 && (
            <label className={styles.choice}>
              Results of
              <Select value={chosen} onChange={({ target }) => setChosen(target.value)}>
                {items.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            </label>
          )}
          <Suspense fallback={<Skeletons what="the links" heights={['14rem']} />}>
            <ShareLinks key={chosen} itemId={chosen} />
          </Suspense>
        </Dialog>
      )}
    </>
  );
}
