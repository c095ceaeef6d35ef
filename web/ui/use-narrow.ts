import { useSyncExternalStore } from 'react';

/** The style sheets' own limit between a phone and a wider screen. */
const NARROW = '(max-width: 44rem)';

const subscribe = (changed: () => void) => {
  const query = matchMedia(NARROW);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
};

/** True on a screen as narrow as a phone, for what a style sheet alone cannot lay out. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches);
