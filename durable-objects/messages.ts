import type { HandIn } from '../domain/fleet/contract.ts';
import type { LeasedSubtask } from '../worker/models/fleet/subtasks.ts';

/** Messages to and from OrderProgress. */

/** Checked rows of one subtask, to be staged. `lease` is the lease's id in D1. */
export interface Delivery
  extends Pick<HandIn['results'][number], 'subtask_id' | 'lease' | 'captured_at' | 'source'>,
    Pick<LeasedSubtask, 'item_id' | 'version'> {
  /** The bot as `group/bot`. */
  bot: string;
  /** The rows in `packColumns` format: stored as they are and unpacked once, when the item is finished. */
  columns: Uint8Array<ArrayBuffer>;
}

/** A subtask that ended without rows. `reason` is the sentence that the customer reads. */
export interface Failed {
  subtask_id: number;
  item_id: string;
  reason: string;
}

/** The orders that a socket watches, and its owner. */
export interface Watch {
  orders: readonly number[];
  /** Id of the session or API key that opened it. */
  holder: string;
}
