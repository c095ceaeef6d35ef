import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/**
 * Returns false while a page renders in the Worker and in its first render in the browser, then true. What only the
 * browser knows (time zone, storage) may be shown if true.
 */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
