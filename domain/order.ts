/** States of an order's parts, what each allows, and its progress. */

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

/** The virtual deadline by which work goes out: a small order passes a huge one, and nothing waits for ever. */
export const dueOf = (placedAt: number, subtaskNumber: number): number => placedAt + subtaskNumber * 1000;

/** How many subtasks of `size` ranks cover `count` ranks. */
export const subtasksFor = (count: number, size: number): number => Math.ceil(count / size);

/** How often an item may be repaired. */
export const REPAIR_EVERY_MS = 10 * 60_000;

export type ItemAction = 'watch' | 'view' | 'download' | 'repair' | 'report';

/** Which action each state of an item allows. The server refuses by this table, the web disables by it. */
const ITEM_ACTIONS: Readonly<Record<ItemState, readonly ItemAction[]>> = {
  open: ['watch', 'report'],
  finishing: ['watch', 'report'],
  done: ['repair', 'report'],
  failed: ['repair', 'report'],
  cancelled: ['report'],
};

/** What can be done with results, whatever the state: also while a repair is under way the last version stands. */
const WITH_RESULTS: readonly ItemAction[] = ['view', 'download'];

/** True where an item in that state, with or without results, allows that action. */
export const allows = (item: { state: ItemState; has_results: boolean }, action: ItemAction): boolean =>
  ITEM_ACTIONS[item.state].includes(action) || (item.has_results && WITH_RESULTS.includes(action));
