import type { ItemState } from '../domain/orders/order.ts';

/** Messages to and from OrderProgress. */

/** Checked rows of one subtask, to be staged. */
export interface Delivery {
  subtask_id: number;
  /** The bot as `group/bot`. */
  bot: string;
  /** The lease id that the bot presented. */
  lease: string;
  item_id: string;
  /** The item's version in D1. */
  version: number;
  captured_at: number;
  source: string;
  /** The rows in `packColumns` format: stored as they are and unpacked once, when the item is finished. */
  columns: Uint8Array<ArrayBuffer>;
}

export interface Failed {
  subtask_id: number;
  item_id: string;
  reason: string;
}

/** An item's progress as sent to browsers. */
export interface ItemProgress {
  item_id: string;
  state: ItemState;
  subtask_count: number;
  incomplete_count: number;
  failed_count: number;
  has_results: boolean;
  /** Until when a bot prepares the kingdom (epoch ms); null once bots can scan it. */
  preparing_until: number | null;
}

/** The orders that a socket watches, and its owner. */
export interface Watch {
  orders: readonly number[];
  /** Id of the session or API key that opened it. */
  holder: string;
}

/** Returns the message to a watching browser. `finished`: no item of the order can change without the user's action. */
export const progressMessage = (orderId: number, items: ItemProgress[], finished: boolean): string =>
  JSON.stringify({ type: 'progress', order_id: orderId, items, finished });
