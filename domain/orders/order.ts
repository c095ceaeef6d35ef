import { DAY_MS } from '../days.ts';
import { message } from '../language/text.ts';

/** States and progress of an order's parts. */

/** How many orders one socket may watch: those on one page of the list. */
export const MAX_WATCHED = 20;

export const SUBTASK_STATES = ['waiting', 'leased', 'done', 'failed', 'cancelled'] as const;

/**
 * `open`: bots are working. `finishing`: every subtask has ended and the snapshot is being written. `done`: there are
 * results, partial if subtasks failed. `failed`: no subtask returned rows. `cancelled`: stopped and refunded.
 */
export const ITEM_STATES = ['open', 'finishing', 'done', 'failed', 'cancelled'] as const;
export type ItemState = (typeof ITEM_STATES)[number];

/** How many attempts a subtask gets before it fails. */
export const MAX_ATTEMPTS = 5;

interface SubtaskCounts {
  subtask_count: number;
  incomplete_count: number;
}

/** Returns floor(100 × (1 − incomplete ÷ all)), and 0 without subtasks (specification, section 3). */
export function progressOf({ subtask_count, incomplete_count }: SubtaskCounts): number {
  if (subtask_count === 0) return 0;
  // Integer arithmetic first, because 1 − 1/3 in floating point would floor a percent too low.
  return Math.floor((100 * (subtask_count - incomplete_count)) / subtask_count);
}

/** Returns how many subtasks of `size` ranks cover `count` ranks. */
export const subtasksFor = (count: number, size: number): number => Math.ceil(count / size);

/** How long after an order or a repair bots may report that they still prepare the kingdom, in ms. */
export const MAX_PREPARING_MS = DAY_MS;

/** Minimum time between repairs of an item, in ms. */
export const REPAIR_EVERY_MS = 10 * 60_000;

/** Time after which undelivered parts, in whatever state, are given up and refunded, in ms. */
export const RETURN_AFTER_MS = DAY_MS;

/**
 * Returns when the price of an item's unread parts returns to the balance; null if nothing failed or bots are working
 * on it again. `finished_at` is when it ended. Times are in epoch milliseconds.
 */
export const returnsAt = (item: { state: ItemState; failed_count: number; finished_at: number | null }) =>
  item.failed_count > 0 && (item.state === 'failed' || item.state === 'done') && item.finished_at !== null
    ? item.finished_at + RETURN_AFTER_MS
    : null;

/** Returns whether an item can still change without an action of the user. */
export const isMoving = ({ state }: { state: ItemState }): boolean => state === 'open' || state === 'finishing';

/** Returns until when an item's kingdom is being prepared; null if bots can work. */
export const preparingUntil = (
  { state, preparing_until }: { state: ItemState; preparing_until: number | null },
  now = Date.now(),
): number | null => (state === 'open' && preparing_until !== null && preparing_until > now ? preparing_until : null);

/** The fields of an item that decide which actions are allowed. */
interface Acted {
  state: ItemState;
  has_results: boolean;
  /** 0 if its rows come from stored scans instead of bots. */
  subtask_count: number;
}

/**
 * An item's state for actions. `repairing`: open again, with the results of the previous version. `stored`: done
 * without bots.
 */
export const STANDINGS = [...ITEM_STATES, 'repairing', 'stored'] as const;
export type Standing = (typeof STANDINGS)[number];

export function standingOf(item: Acted): Standing {
  if (isMoving(item) && item.has_results) return 'repairing';
  return item.state === 'done' && item.subtask_count === 0 ? 'stored' : item.state;
}

export const ORDER_ACTIONS = ['results', 'download', 'share', 'repair', 'cancel', 'report', 'reorder'] as const;
export type OrderAction = (typeof ORDER_ACTIONS)[number];

const ALWAYS = {
  open: null,
  finishing: null,
  repairing: null,
  done: null,
  stored: null,
  failed: null,
  cancelled: null,
};
const WITH_RESULTS = {
  open: message('There are no results yet.'),
  finishing: message('There are no results yet.'),
  repairing: null,
  done: null,
  stored: null,
  failed: message('This scan failed: there are no results.'),
  cancelled: message('This scan was cancelled: there are no results.'),
};
const AT_WORK = message('Bots are still working on this scan. It can be repaired once they are done.');
const HAS_RESULTS = message('There are results already: this cannot be cancelled.');

/** For each action and standing: null if allowed, else why not. The server and the web use the same table. */
const ACTIONS: Record<OrderAction, Record<Standing, string | null>> = {
  results: WITH_RESULTS,
  download: WITH_RESULTS,
  share: WITH_RESULTS,
  repair: {
    open: AT_WORK,
    finishing: AT_WORK,
    repairing: AT_WORK,
    done: null,
    stored: message('This is made of stored scans: there is nothing that bots could read again.'),
    failed: null,
    cancelled: message('This scan was cancelled: order it again instead.'),
  },
  cancel: {
    open: null,
    finishing: message('The results are being written: it is too late to cancel this.'),
    repairing: HAS_RESULTS,
    done: HAS_RESULTS,
    stored: HAS_RESULTS,
    failed: null,
    cancelled: message('This was cancelled before.'),
  },
  report: ALWAYS,
  reorder: ALWAYS,
};

/** Returns why an item does not allow an action, as a sentence; null if it does. */
export const refusalOf = (action: OrderAction, item: Acted): string | null => ACTIONS[action][standingOf(item)];

/** Returns the standings that allow an action, for the precondition of a write. */
export const allowing = (action: OrderAction): Standing[] =>
  STANDINGS.filter((standing) => ACTIONS[action][standing] === null);

/** Number of an order's items by standing. */
export type Standings = Partial<Record<Standing, number>>;

/** Returns how many of an order's items can still change without an action of the user. */
export const movingItems = ({ open = 0, finishing = 0, repairing = 0 }: Standings): number =>
  open + finishing + repairing;

/**
 * Returns the progress of all items of an order together, in whole percent. A list has only the first items of a large
 * order, whose progress then counts items.
 */
export function progressOfOrder({
  items,
  item_count,
  standings,
}: {
  items: readonly SubtaskCounts[];
  item_count: number;
  standings: Standings;
}): number {
  if (items.length < item_count)
    return progressOf({ subtask_count: item_count, incomplete_count: movingItems(standings) });
  const sum = (key: keyof SubtaskCounts) => items.reduce((all, item) => all + item[key], 0);
  return progressOf({ subtask_count: sum('subtask_count'), incomplete_count: sum('incomplete_count') });
}

/**
 * Returns why a whole order does not allow an action; null if some of its items do, which the action then applies to.
 */
export function orderRefusal(action: OrderAction, standings: Standings): string | null {
  const all = STANDINGS.filter((standing) => standings[standing]);
  // An item that could not be scanned was cancelled automatically, so the others give the reason.
  const others = all.filter((standing) => standing !== 'cancelled');
  const sentences = (others.length > 0 ? others : all).map((standing) => ACTIONS[action][standing]);
  return sentences.includes(null) ? null : (sentences[0] ?? null);
}
