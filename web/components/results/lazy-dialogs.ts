import { lazy, useEffect } from 'react';

/** The windows over results, whose code no table waits for. They are drawn inside a `Suspense`. */

const fetchDialogs = () => import('./dialogs.ts');

export const ColumnChooser = lazy(async () => ({ default: (await fetchDialogs()).ColumnChooser }));
export const CopyDialog = lazy(async () => ({ default: (await fetchDialogs()).CopyDialog }));
export const FilterDialog = lazy(async () => ({ default: (await fetchDialogs()).FilterDialog }));
export const FlawDialog = lazy(async () => ({ default: (await fetchDialogs()).FlawDialog }));

/** Fetches them once the table stands, so that a window opens at once. */
export function useDialogsAhead(isThere: boolean): void {
  useEffect(() => {
    // Where it fails, the window asks for it again.
    if (isThere) fetchDialogs().catch(() => undefined);
  }, [isThere]);
}
