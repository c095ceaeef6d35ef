/** States of an order's parts, and its progress. */

export const SUBTASK_STATES = ['waiting', 'leased', 'done', 'failed', 'cancelled'] as const;
export type SubtaskState = (typeof SUBTASK_STATES)[number];

/**
 * `open`: bots are at work. `finishing`: every subtask is in, the snapshot is being written. `done`: results are
 * there, whole or (where subtasks failed) in part. `failed`: no subtask brought rows. `cancelled`: stopped and paid back.
 */
export const ITEM_STATES = ['open', 'finishing', 'done', 'failed', 'cancelled'] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/** How often a subtask is tried before it counts as failed. */
export const MAX_ATTEMPTS = 5;

export interface Counts {
  subtask_count: number;
  incomplete_count: number;
}

/** floor(100 × (1 − incomplete ÷ all)), and 0 where there are no subtasks (specification, section 3). */
export function progressOf({ subtask_count, incomplete_count }: Counts): number {
  if (subtask_count === 0) return 0;
  // Whole numbers first: 1 − 1/3 and its like would floor a percent too low in floating point.
  return Math.floor((100 * (subtask_count - incomplete_count)) / subtask_count);
}

/** How many subtasks of `size` ranks cover `count` ranks. */
export const subtasksFor = (count: number, size: number): number => Math.ceil(count / size);

/** How often an item may be repaired. */
export const REPAIR_EVERY_MS = 10 * 60_000;
