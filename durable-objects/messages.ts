import type { ItemState } from '../domain/orders/order.ts';

/** What OrderProgress is told, and what it tells. */

/** Checked rows of one subtask on their way into the object. */
export interface Delivery {
  subtask_id: number;
  /** The bot with its group. */
  bot: string;
  /** The id of the lease that the bot showed. */
  lease: string;
  item_id: string;
  /** The item's version in D1. */
  version: number;
  captured_at: number;
  source: string;
  /** The rows as `packColumns` packs them: stored as they are and unpacked once, when the item is finished. */
  columns: Uint8Array<ArrayBuffer>;
}

export interface Failed {
  subtask_id: number;
  item_id: string;
  reason: string;
}

/** What browsers are told of an item. */
export interface ItemProgress {
  item_id: string;
  state: ItemState;
  subtask_count: number;
  incomplete_count: number;
  failed_count: number;
  has_results: boolean;
  /** Epoch milliseconds until which a bot prepares the kingdom; null once bots can scan it. */
  preparing_until: number | null;
}

/** What a socket watches, and for whom. */
export interface Watch {
  orders: readonly number[];
  /** Id of the session or API key that opened it. */
  holder: string;
}

/** What a watching browser gets. `finished`: no item of the order can change by itself any more. */
export const progressMessage = (orderId: number, items: ItemProgress[], finished: boolean): string =>
  JSON.stringify({ type: 'progress', order_id: orderId, items, finished });
