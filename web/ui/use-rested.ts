import { useEffect, useState } from 'react';

/** A text as it is once nobody has typed for `rest` milliseconds, so that not every letter asks the server. */
export function useRested(text: string, rest = 120): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), rest);
    return () => clearTimeout(timer);
  }, [text, rest]);
  return rested;
}
