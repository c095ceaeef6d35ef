import { Search } from 'lucide';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Icon } from '../ui/icon.tsx';
import styles from './search-box.module.css';

/** Fetched when it is first opened: most visits to a public page never search. */
const SearchDialog = lazy(() => import('./search-dialog.tsx'));

/** The button that opens the search; the key '/' does as well. */
export function SearchBox() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button type="button" className={styles.open} onClick={() => setOpen(true)} aria-keyshortcuts="/">
        <Icon of={Search} size={16} />
        <span className={styles.word}>Search</span>
        <kbd aria-hidden>/</kbd>
      </button>
      {open && (
        <Suspense>
          <SearchDialog close={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
