import { Search } from 'lucide';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Icon } from '../ui/icon.tsx';
import styles from './search-box.module.css';

/** Fetched when it is first opened: most visits to a public page never search. */
const SearchDialog = lazy(() => import('./search-dialog.tsx'));

/** Opens the one search there is; set while a page that has it is shown. */
let open: (() => void) | null = null;

/** The search itself, which stands once on every page; the key '/' opens it as any button does. */
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

/** A button that opens the search: a word in the bar, or a whole line that says what can be found. */
export const SearchButton = ({ line }: { line?: string }) => (
  <button
    type="button"
    className={line ? styles.line : styles.open}
    onClick={() => open?.()}
    aria-keyshortcuts="/"
    aria-haspopup="dialog"
  >
    <Icon of={Search} size={16} />
    <span className={line ? undefined : styles.word}>{line ?? 'Search'}</span>
    <kbd aria-hidden>/</kbd>
  </button>
);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
