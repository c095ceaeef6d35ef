import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';

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
