import { Search } from 'lucide';
import { startTransition, useEffect, useOptimistic, useRef, useState } from 'react';
import { Icon } from './icon.tsx';
import styles from './search-input.module.css';

/** Longest wait for a picture: a page that nobody sees draws none. */
const UNSEEN_MS = 100;

/** Resolves once what has changed is on the screen. */
const painted = () =>
  new Promise<void>((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, UNSEEN_MS);
  });

/**
 * A line to search a list by; `label` is read aloud. It shows each letter at once, whatever has to be drawn for it: the
 * list follows as fast as it can, and not for letters that others have followed.
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
      // Before the list is even begun: its first step alone may take longer than a letter has.
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

/** Milliseconds of rest after which the address takes the search text; browsers limit how often it may change. */
const REST = 300;

/** The text of a search as it is typed, which the address takes once the fingers rest, and which goes where that goes. */
export function useQueryText(address: string, change: (query: string | undefined) => void) {
  const [query, setQuery] = useState(address);
  // Told, and not come back yet: letters may be typed meanwhile.
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
    // A link or the way back, not what was typed.
    if (back < 0) setQuery(address);
  }, [address]);
  return [query, setQuery] as const;
}
