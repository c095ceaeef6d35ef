/** Figures that may be unknown: NaN in columns, null elsewhere. */

/** Returns a column's value, with null for an unknown one. */
export const orNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

/** Adds the known ones of two figures; null if both are unknown. */
export const addKnown = (one: number | null | undefined, other: number | null): number | null =>
  one === null || one === undefined ? other : other === null ? one : one + other;
