import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide';
import { startTransition, useCallback, useEffect, useOptimistic, useRef, useState } from 'react';
import { Icon } from './icon.tsx';
import styles from './search-input.module.css';

/** Maximum wait for a paint, because hidden pages are not painted. */
const UNSEEN_MS = 100;

/** Resolves once the latest changes are painted. */
const painted = () =>
  new Promise<void>((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, UNSEEN_MS);
  });

/**
 * A search input; `label` is its accessible name. Typed letters show at once. The list follows when it can and skips
 * outdated input.
 */
export function SearchInput({
  label,
  placeholder,
  value,
  onChange,
}: {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const [typed, setTyped] = useOptimistic(value);
  const type = (text: string) =>
    startTransition(async () => {
      setTyped(text);
      // Paint the letter before the list starts to render, whose first step alone may take too long.
      await painted();
      startTransition(() => onChange(text));
    });
  return (
    <div className={styles.search}>
      <Icon of={Search} size={16} />
      <input
        type="search"
        aria-label={label}
        value={typed}
        placeholder={placeholder}
        onChange={({ target }) => type(target.value)}
      />
    </div>
  );
}

/** Delay in ms before the URL takes the search text, because browsers limit how often it may change. */
const REST = 300;

/** Holds the search text as typed. The URL follows after a pause, and the text follows other changes of the URL. */
export function useQueryText(address: string, change: (query: string | undefined) => void) {
  const [query, setQuery] = useState(address);
  // Texts sent to the URL that have not come back yet; the user may type on meanwhile.
  const told = useRef<string[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing moves the address; `change` is new each time.
  useEffect(() => {
    if (query === address) return;
    const timer = setTimeout(() => {
      told.current.push(query);
      change(query || undefined);
    }, REST);
    return () => clearTimeout(timer);
  }, [query]);
  useEffect(() => {
    const back = told.current.indexOf(address);
    told.current.splice(0, back + 1);
    // The URL changed by a link or by Back, not by typing.
    if (back < 0) setQuery(address);
  }, [address]);
  return [query, setQuery] as const;
}

/**
 * Returns a function that changes some of this page's parameters; undefined removes one. It replaces the history entry,
 * so that Back leaves the page.
 */
export function useSearchChange<Search extends object>(): (part: Partial<Search>) => void {
  const navigate = useNavigate();
  return useCallback(
    (part) =>
      void navigate({
        to: '.',
        search: (before) => ({ ...before, ...part }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
}
