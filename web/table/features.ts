import { type ColumnDef, metaHelper, type RowData, rowSortingFeature, tableFeatures } from '@tanstack/react-table';
import type { ReactNode } from 'react';

/** How a column is laid out. */
export interface ColumnLook {
  /** Pixels; the column marked `grow` takes what is left over. */
  width: number;
  grow?: boolean;
  /** Figures stand at the right, so that their digits line up. */
  figures?: boolean;
  /** Words that may be longer than the column is wide: they end in '…'. */
  words?: boolean;
  /** Stays in sight while the table scrolls sideways: what the other figures of a row belong to. */
  sticky?: boolean;
  /** The column's name in full where its title is short. */
  about?: string;
}

/**
 * A column and what it shows of a row. A table in motion draws hundreds of cells between two frames, so a cell is what
 * `show` returns and no component of its own.
 */
export interface TableColumn<Row> extends ColumnLook {
  id: string;
  title: string;
  show: (row: Row) => ReactNode;
  /** What is said where one points at the cell: every digit of a short figure. */
  hint?: (row: Row) => string | undefined;
  /** The words that are shown, where `words` is set: those that surely fit are not prepared to be cut. */
  text?: (row: Row) => string;
  /** First sorted from the least. */
  ascending?: boolean;
  unsorted?: boolean;
}

/** What the tables of the product can do: say by which column they are sorted. Whoever has the rows sorts them. */
export const features = tableFeatures({
  rowSortingFeature,
  columnMeta: metaHelper<ColumnLook>(),
});

export type Features = typeof features;

/** The column as the library knows it: it has no rows, so no values either. */
export const definitionOf = <Row extends RowData>(column: TableColumn<Row>): ColumnDef<Features, Row> => ({
  id: column.id,
  header: column.title,
  accessorFn: () => null,
  enableSorting: !column.unsorted,
  sortDescFirst: !column.ascending,
  meta: column,
});
