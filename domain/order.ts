/** States of an order's parts, what each allows, and its progress. */

export const SUBTASK_STATES = ['waiting', 'leased', 'done', 'failed'] as const;
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

/** The virtual deadline by which work goes out: a small order passes a huge one, and nothing waits for ever. */
export const dueOf = (placedAt: number, subtaskNumber: number): number => placedAt + subtaskNumber * 1000;

/** How many subtasks of `size` ranks cover `count` ranks. */
export const subtasksFor = (count: number, size: number): number => Math.ceil(count / size);

export type ItemAction = 'view' | 'download' | 'watch';

/** Which action each state of an item allows. The server refuses by this table, the web disables by it. */
export const ITEM_ACTIONS: Readonly<Record<ItemState, readonly ItemAction[]>> = {
  open: ['watch'],
  finishing: ['watch'],
  done: ['view', 'download'],
  failed: [],
  cancelled: [],
};

/** True where that state allows that action. */
export const allows = (state: ItemState, action: ItemAction): boolean => ITEM_ACTIONS[state].includes(action);
