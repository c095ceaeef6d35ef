import { metaHelper, rowSortingFeature, tableFeatures } from '@tanstack/react-table';

/** How a column is laid out; what it shows is the column's own cell. */
export interface ColumnLook {
  /** Pixels; the column marked `grow` takes what is left over. */
  width: number;
  grow?: boolean;
  /** Figures stand at the right, so that their digits line up. */
  figures?: boolean;
  /** Stays in sight while the table scrolls sideways: what the other figures of a row belong to. */
  sticky?: boolean;
  /** The column's name in full where its title is short. */
  about?: string;
}

/** What the tables of the product can do: say by which column they are sorted. Whoever has the rows sorts them. */
export const features = tableFeatures({
  rowSortingFeature,
  columnMeta: metaHelper<ColumnLook>(),
});

export type Features = typeof features;
