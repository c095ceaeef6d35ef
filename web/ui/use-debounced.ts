import { useEffect, useState } from 'react';

const LONGEST_SEARCH = 200;

/** Returns what to search for once the user has paused typing. */
export const useSearchText = (text: string): string => useDebounced(text.trim().slice(0, LONGEST_SEARCH));

/** Returns the text once the user has paused typing for `rest` ms, so that not every key press sends a request. */
export function useDebounced(text: string, rest = 120): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), rest);
    return () => clearTimeout(timer);
  }, [text, rest]);
  return rested;
}
