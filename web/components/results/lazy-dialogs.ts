import { lazy, useEffect } from 'react';

/** Loads the dialogs lazily, so that the table does not wait for them. Render them inside a `Suspense`. */

const fetchDialogs = () => import('./dialogs.ts');

export const ColumnChooser = lazy(async () => ({ default: (await fetchDialogs()).ColumnChooser }));
export const CopyDialog = lazy(async () => ({ default: (await fetchDialogs()).CopyDialog }));
export const FilterDialog = lazy(async () => ({ default: (await fetchDialogs()).FilterDialog }));
export const FlawDialog = lazy(async () => ({ default: (await fetchDialogs()).FlawDialog }));

/** Preloads the dialogs once the table is shown. */
export function useDialogsAhead(isThere: boolean): void {
  useEffect(() => {
    // On failure the dialog loads again when opened.
    if (isThere) fetchDialogs().catch(() => undefined);
  }, [isThere]);
}
