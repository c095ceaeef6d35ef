import { useEffect, useState } from 'react';

/** Returns the text once the user has paused typing for `rest` ms, so that not every key press sends a request. */
export function useDebounced(text: string, rest = 120): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), rest);
    return () => clearTimeout(timer);
  }, [text, rest]);
  return rested;
}
