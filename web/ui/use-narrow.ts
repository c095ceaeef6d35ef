import { useSyncExternalStore } from 'react';

/** The style sheets' breakpoint between phones and wider screens. */
const NARROW = '(max-width: 44rem)';

const subscribe = (changed: () => void) => {
  const query = matchMedia(NARROW);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
};

/** Returns whether the screen is as narrow as a phone, for layouts that CSS alone cannot do. */
export const useNarrow = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => matchMedia(NARROW).matches,
    () => false,
  );
