import { Search } from 'lucide';
import { lazy, Suspense, useEffect, useState } from 'react';
import { t } from '../../domain/language/text.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './search-box.module.css';

/** Loaded on first use, because most visits to a public page never search. */
const SearchDialog = lazy(() => import('./search-dialog.tsx'));

/** Opens the search dialog; set while a page with search is shown. */
let open: (() => void) | null = null;

/** Hosts the search dialog, once per page. The '/' key also opens it. */
export function SearchHost() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    open = () => setOpen(true);
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', onKey);
    return () => {
      open = null;
      document.removeEventListener('keydown', onKey);
    };
  }, []);
  return (
    isOpen && (
      <Suspense>
        <SearchDialog close={() => setOpen(false)} />
      </Suspense>
    )
  );
}

/** A button that opens the search. With `line` it spans a line and says what can be found. */
export const SearchButton = ({ line }: { line?: string }) => (
  <button
    type="button"
    className={line ? styles.line : styles.open}
    onClick={() => open?.()}
    aria-keyshortcuts="/"
    aria-haspopup="dialog"
  >
    <Icon of={Search} size={16} />
    <span className={line ? undefined : styles.word}>{line ?? t('Search')}</span>
    <kbd aria-hidden>/</kbd>
  </button>
);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
