/** Dialogs over results, in one file that loads after the table (lazy-dialogs.ts). */
export { ColumnChooser } from './column-chooser.tsx';
export { CopyDialog } from './copy-dialog.tsx';
export { FilterDialog } from './filter-dialog.tsx';
export { FlawDialog } from './flaw-dialog.tsx';
