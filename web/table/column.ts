import {
  type ColumnDef,
  createSortedRowModel,
  metaHelper,
  rowSortingFeature,
  sortFn_basic,
  tableFeatures,
} from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { message } from '../../domain/language/text.ts';
import { exact } from '../format.ts';

/** A table's column, declared once: its header, its cells, its layout and what it sorts by. */
export interface Column<Row> {
  id: string;
  /** A message without values, which the header shows in the reader's language. */
  title: string;
  /** Full title, if the title is short; a message like it. */
  about?: string;
  /**
   * Content of a cell. A function rather than a component, because a scrolling table renders hundreds of cells between
   * two frames. `index` is the row's position in the table, -1 for a pinned row.
   */
  cell: (row: Row, index: number) => ReactNode;
  /** Tooltip of a cell, such as the exact value of a short figure. */
  hint?: (row: Row) => string | undefined;
  /** Right-aligned, so that digits line up. */
  figures?: boolean;
  /** Stays visible while the table scrolls sideways. */
  sticky?: boolean;
  /** Takes the remaining width, or does so only on phones. */
  grow?: boolean | 'narrow';
  /** Hidden on phones, in tables that render all their rows. */
  wide?: boolean;
  /** Wraps long text instead of truncating it. */
  wraps?: boolean;
  /** Width in px, in virtual tables only. */
  width?: number;
  /** Truncates text that exceeds the width, in virtual tables only. */
  words?: boolean;
  /** Plain text of a cell, to sort by. A cell with `words` whose text surely fits gets no truncation styles. */
  text?: (row: Row) => string;
  /** Figure of a cell, to sort by; null if unknown. */
  value?: (row: Row) => number | null;
  /** Sorts ascending first. */
  ascending?: boolean;
  unsorted?: boolean;
}

export interface Sort {
  id: string;
  ascending: boolean;
}

/** The parts of TanStack Table in use. Its row model sorts small tables; large ones sort by a `RowIndex`. */
export const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  columnMeta: metaHelper<Column<never>>(),
});

export type Features = typeof features;

/** A row as TanStack takes it: an object, also if ours is a number. */
export interface Held<Row> {
  row: Row;
}

/** Returns TanStack's definition of a column. Unknown figures sort last in either direction. */
export const definitionOf = <Row>(column: Column<Row>): ColumnDef<Features, Held<Row>> => ({
  id: column.id,
  header: column.title,
  accessorFn: ({ row }) => column.value?.(row) ?? column.text?.(row),
  sortFn: sortFn_basic,
  sortUndefined: 'last',
  enableSorting: !column.unsorted,
  sortDescFirst: !column.ascending,
  meta: column,
});

/** A column with the position of each row in the shown order; `from` rows are on the pages before. */
export const placeColumn = <Row>(from: number, pinned?: (row: Row) => string): Column<Row> => ({
  id: 'place',
  title: '#',
  about: message('Position in this order'),
  figures: true,
  unsorted: true,
  width: 64,
  cell: (row, index) => (index < 0 && pinned ? pinned(row) : exact(from + index + 1)),
});
