import { type ColumnDef, metaHelper, type RowData, rowSortingFeature, tableFeatures } from '@tanstack/react-table';
import type { ReactNode } from 'react';

/** Layout of a column. */
export interface ColumnLook {
  /** Width in px; the `grow` column takes the remaining width. */
  width: number;
  grow?: boolean;
  /** Right-aligned, so that digits line up. */
  figures?: boolean;
  /** Text that may exceed the column's width and is then truncated with '…'. */
  words?: boolean;
  /** Stays visible while the table scrolls sideways. */
  sticky?: boolean;
  /** Full title, if the title is short. */
  about?: string;
}

/**
 * A column and how it renders a row's cell. `show` returns content rather than being a component, because a scrolling
 * table renders hundreds of cells between two frames.
 */
export interface TableColumn<Row> extends ColumnLook {
  id: string;
  title: string;
  show: (row: Row, index: number) => ReactNode;
  /** Tooltip of a cell, such as the exact value of a short figure. */
  hint?: (row: Row) => string | undefined;
  /** Plain text of a cell with `words`. If it surely fits, the cell gets no truncation styles. */
  text?: (row: Row) => string;
  /** Sorts ascending first. */
  ascending?: boolean;
  unsorted?: boolean;
}

/** The TanStack Table features in use: only sort state. Callers sort the rows. */
export const features = tableFeatures({
  rowSortingFeature,
  columnMeta: metaHelper<ColumnLook>(),
});

export type Features = typeof features;

/** The TanStack column definition. It needs no accessor, because the table holds no rows. */
export const definitionOf = <Row extends RowData>(column: TableColumn<Row>): ColumnDef<Features, Row> => ({
  id: column.id,
  header: column.title,
  accessorFn: () => null,
  enableSorting: !column.unsorted,
  sortDescFirst: !column.ascending,
  meta: column,
});
