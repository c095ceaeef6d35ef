import { useCallback } from 'react';
import { runWhenIdle } from '../idle-work.ts';
import type { Sort } from './column.ts';

/** Loads the rows of orders that a table does not have yet. */
export interface SortAhead {
  /** Address of an order's rows, for presses before the page's script (public/first-paint.js). */
  path: (sort: Sort) => string;
  load: (sort: Sort) => void;
}

/**
 * Returns attributes with which a header loads its order before it is pressed: when the pointer or the focus reaches it,
 * or on devices that cannot hover once it is on the screen and the browser is idle.
 */
export function useAhead({ id, ascending }: Sort, ahead: SortAhead | undefined) {
  const load = useCallback(() => ahead?.load({ id, ascending }), [ahead, id, ascending]);
  const ref = useCallback(
    (header: HTMLElement | null) => {
      if (!header) return undefined;
      let stop = () => {};
      const seen = new IntersectionObserver(([entry]) => {
        if (!entry?.isIntersecting || !matchMedia('(hover: none)').matches) return;
        seen.disconnect();
        const step = () => {
          load();
          return true;
        };
        stop = runWhenIdle([{ step, get: () => undefined }]);
      });
      seen.observe(header);
      return () => {
        seen.disconnect();
        stop();
      };
    },
    [load],
  );
  return ahead && { ref, onPointerEnter: load, onFocus: load, 'data-ahead': ahead.path({ id, ascending }) };
}
