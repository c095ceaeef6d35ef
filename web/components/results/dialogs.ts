/** The windows over results: one file, fetched once their table stands (lazy-dialogs.ts). */
export { ColumnChooser } from './column-chooser.tsx';
export { FilterDialog } from './filter-dialog.tsx';
export { FlawDialog } from './flaw-dialog.tsx';
export { MailDialog } from './mail-dialog.tsx';
