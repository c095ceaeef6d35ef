/** The windows over results: one file, fetched once their table stands (lazy-dialogs.ts). */
export { ColumnChooser } from './column-chooser.tsx';
export { CopyDialog } from './copy-dialog.tsx';
export { FilterDialog } from './filter-dialog.tsx';
export { FlawDialog } from './flaw-dialog.tsx';
