import { DAY_MS } from '../days.ts';
import { GAME_NAMES, type GameId } from '../games/game-names.ts';

/** States of an order's parts, and its progress. */

/** How many orders one socket may watch: those of a page of the list. */
export const MAX_WATCHED = 20;

export const SUBTASK_STATES = ['waiting', 'leased', 'done', 'failed', 'cancelled'] as const;

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

/** For how long after an order (or a repair) bots may say that a kingdom is still being prepared. */
export const MAX_PREPARING_MS = DAY_MS;

/** How often an item may be repaired. */
export const REPAIR_EVERY_MS = 10 * 60_000;

/** After how long what was not delivered, in whatever state it is, is given up and paid back. */
export const RETURN_AFTER_MS = DAY_MS;

/**
 * When what bots could not read of an item comes back to the balance by itself; null where nothing failed, or bots are
 * at work on it again. `finished_at` is when it ended, in epoch milliseconds.
 */
export const returnsAt = (item: { state: ItemState; failed_count: number; finished_at: number | null }) =>
  item.failed_count > 0 && (item.state === 'failed' || item.state === 'done') && item.finished_at !== null
    ? item.finished_at + RETURN_AFTER_MS
    : null;

/** Why an item that bots read was cancelled, for the customer. */
export const nobodyFound = (game: GameId, kingdomId: number): string =>
  `Bots found no ${GAME_NAMES[game].governor.one} in ${GAME_NAMES[game].kingdom.one} ${kingdomId}, so the price is back in your balance.`;

/** Why a subtask failed whose rows were held back to the last, for the customer. */
export const IMPLAUSIBLE_ROWS = 'The rows that bots brought cannot be right, so they were not delivered.';

/** True while an item can still change by itself. */
export const isMoving = ({ state }: { state: ItemState }): boolean => state === 'open' || state === 'finishing';

/** Until when an item's kingdom is still being prepared; null where bots can be at work. */
export const preparingUntil = (
  { state, preparing_until }: { state: ItemState; preparing_until: number | null },
  now = Date.now(),
): number | null => (state === 'open' && preparing_until !== null && preparing_until > now ? preparing_until : null);

/** What of an item decides about actions. */
export interface Acted {
  state: ItemState;
  has_results: boolean;
  /** 0 where its rows come from what is stored, and not from bots. */
  subtask_count: number;
}

/**
 * An item's state as actions see it. `repairing`: open again, but the results of the version before stand. `stored`:
 * done, without bots.
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
  open: 'There are no results yet.',
  finishing: 'There are no results yet.',
  repairing: null,
  done: null,
  stored: null,
  failed: 'This scan failed: there are no results.',
  cancelled: 'This scan was cancelled: there are no results.',
};
const AT_WORK = 'Bots are still at work on this scan: it can be repaired once they are done.';
const HAS_RESULTS = 'There are results already: this cannot be cancelled.';

/** Which action each standing allows (null), and why not; the server refuses by it, the web shows and disables by it. */
const ACTIONS: Record<OrderAction, Record<Standing, string | null>> = {
  results: WITH_RESULTS,
  download: WITH_RESULTS,
  share: WITH_RESULTS,
  repair: {
    open: AT_WORK,
    finishing: AT_WORK,
    repairing: AT_WORK,
    done: null,
    stored: 'This is made of stored scans: there is nothing that bots could read again.',
    failed: null,
    cancelled: 'This scan was cancelled: order it again instead.',
  },
  cancel: {
    open: null,
    finishing: 'The results are being written: it is too late to cancel this.',
    repairing: HAS_RESULTS,
    done: HAS_RESULTS,
    stored: HAS_RESULTS,
    failed: null,
    cancelled: 'This was cancelled before.',
  },
  report: ALWAYS,
  reorder: ALWAYS,
};

/** Why an action is refused to an item, as a sentence; null where it is allowed. */
export const refusalOf = (action: OrderAction, item: Acted): string | null => ACTIONS[action][standingOf(item)];

/** The standings that allow an action: what a write's precondition is made of. */
export const allowing = (action: OrderAction): Standing[] =>
  STANDINGS.filter((standing) => ACTIONS[action][standing] === null);

/** How many items of an order stand how. */
export type Standings = Partial<Record<Standing, number>>;

/** How many of an order's items can still change by themselves. */
export const movingItems = ({ open = 0, finishing = 0, repairing = 0 }: Standings): number =>
  open + finishing + repairing;

/** Why an action is refused to a whole order; null where some of its items allow it: it does what it can with those. */
export function orderRefusal(action: OrderAction, standings: Standings): string | null {
  const all = STANDINGS.filter((standing) => standings[standing]);
  // An item that could not be had was cancelled by itself: the others say why.
  const others = all.filter((standing) => standing !== 'cancelled');
  const sentences = (others.length > 0 ? others : all).map((standing) => ACTIONS[action][standing]);
  return sentences.includes(null) ? null : (sentences[0] ?? null);
}
