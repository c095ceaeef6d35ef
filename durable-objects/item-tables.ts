import type { HandInOutcome } from '../domain/fleet/contract.ts';
import type { ItemProgress } from '../domain/orders/answers.ts';
import { type ItemState, preparingUntil } from '../domain/orders/order.ts';
import { IMPLAUSIBLE_ROWS } from '../domain/orders/reasons.ts';
import type { ItemWork } from '../worker/models/orders/orders.ts';
import type { Delivery } from './messages.ts';
import { type LocalItem, migrateProgress, type ReadyItem, type StagedPart } from './schema.ts';

/** Number of an item's subtasks by state. */
interface Counts extends Record<string, number> {
  waiting: number;
  failed: number;
  all: number;
}

/**
 * SQL: the subtask ?1 of item ?2, unless a repair has replaced the version ?3 for which it was scanned, or its bot
 * returned the lease ?4.
 */
const CLAIMED = `subtask_id = ?1 AND EXISTS (SELECT 1 FROM items WHERE item_id = ?2 AND version = ?3)
  AND NOT EXISTS (SELECT 1 FROM returned_leases WHERE subtask_id = ?1 AND lease = ?4)`;

/** The tables of an order object: its items and subtasks, copied from D1, and the rows from bots. */
export class ItemTables {
  private readonly storage: DurableObjectStorage;
  private made = false;

  constructor(storage: DurableObjectStorage) {
    this.storage = storage;
  }

  /** Creates the tables on first use, so that an object that is only watched stores nothing. */
  private get sql(): SqlStorage {
    if (!this.made) migrateProgress(this.storage);
    this.made = true;
    return this.storage.sql;
  }

  /** Deletes everything. What is needed again is copied from D1. */
  async drop(): Promise<void> {
    const dropped = this.storage.deleteAll();
    this.made = false;
    await dropped;
  }

  /** True if an item may still change, as far as this object knows. */
  isMoving(): boolean {
    return this.sql.exec(`SELECT 1 FROM items WHERE state IN ('open', 'finishing') LIMIT 1`).toArray().length > 0;
  }

  item(itemId: string): LocalItem | undefined {
    return this.sql.exec<LocalItem>(`SELECT * FROM items WHERE item_id = ?`, itemId).toArray()[0];
  }

  counts(itemId: string): Counts {
    return this.sql
      .exec<Counts>(
        `SELECT coalesce(sum(state = 'waiting'), 0) AS waiting, coalesce(sum(state = 'failed'), 0) AS failed,
           count(*) AS "all"
         FROM subtasks WHERE item_id = ?`,
        itemId,
      )
      .one();
  }

  /** Returns an item's progress for browsers, or null if this object does not know it. */
  progress(itemId: string): ItemProgress | null {
    const item = this.item(itemId);
    if (!item) return null;
    const { waiting, failed, all } = this.counts(itemId);
    return {
      item_id: itemId,
      state: item.state,
      subtask_count: all,
      incomplete_count: waiting,
      failed_count: failed,
      // Stays true during a repair, because the previous version's results remain.
      has_results: item.has_results === 1,
      preparing_until: preparingUntil(item),
    };
  }

  /** Copies an item and its subtasks from D1, unless this object has the same or a later version. */
  copy({ item, subtasks }: ItemWork): void {
    this.storage.transactionSync(() => {
      // Another call may have copied it while D1 was answering.
      if ((this.item(item.id)?.version ?? 0) >= item.version) return;
      this.sql.exec(
        `INSERT OR REPLACE INTO items (item_id, game, kingdom_id, version, state, has_results) VALUES (?, ?, ?, ?, ?, ?)`,
        item.id,
        item.game,
        item.kingdom_id,
        item.version,
        item.state,
        item.snapshot_id === null ? 0 : 1,
      );
      for (const { id, number, state, error } of subtasks)
        this.sql.exec(
          `INSERT OR REPLACE INTO subtasks (subtask_id, item_id, number, state, error) VALUES (?, ?, ?, ?, ?)`,
          id,
          item.id,
          number,
          state === 'leased' ? 'waiting' : state,
          error,
        );
    });
  }

  /** Stages rows of subtasks, all or none. */
  put(deliveries: readonly Delivery[]): HandInOutcome[] {
    return this.storage.transactionSync(() => deliveries.map((delivery) => this.putOne(delivery)));
  }

  private putOne({ subtask_id, bot, lease, item_id, version, captured_at, source, columns }: Delivery): HandInOutcome {
    const claim = [subtask_id, item_id, version, lease];
    const { rowsWritten } = this.sql.exec(
      `UPDATE subtasks SET state = 'staged', error = NULL, bot = ?5, captured_at = ?6, source = ?7, columns = ?8
       WHERE ${CLAIMED} AND state = 'waiting'`,
      ...claim,
      bot,
      captured_at,
      source,
      columns,
    );
    if (rowsWritten > 0) return 'accepted';
    const here = `SELECT 1 FROM subtasks WHERE ${CLAIMED} AND state IN ('staged', 'done')`;
    return this.sql.exec(here, ...claim).toArray().length > 0 ? 'duplicate' : 'lost';
  }

  /** Marks a subtask as failed permanently. */
  fail(subtaskId: number, reason: string | null): void {
    this.sql.exec(
      `UPDATE subtasks SET state = 'failed', error = ? WHERE subtask_id = ? AND state = 'waiting'`,
      reason,
      subtaskId,
    );
  }

  /** Returns the items that may still change and have failed parts. */
  failing(): string[] {
    const ids = `SELECT DISTINCT item_id FROM items JOIN subtasks USING (item_id)
      WHERE items.state IN ('open', 'finishing') AND subtasks.state = 'failed'`;
    return this.sql
      .exec<{ item_id: string }>(ids)
      .toArray()
      .map(({ item_id }) => item_id);
  }

  /** Requeues failed parts that wait in D1 again, after an admin's retry. Reopens their item. */
  requeue({ item, subtasks }: ItemWork): void {
    const waiting = subtasks.filter(({ state }) => state === 'waiting' || state === 'leased').map(({ id }) => id);
    this.storage.transactionSync(() => {
      this.sql.exec(
        `UPDATE subtasks SET state = 'waiting', error = NULL
         WHERE state = 'failed' AND subtask_id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(waiting),
      );
      if (this.counts(item.id).waiting === 0) return;
      this.sql.exec(`UPDATE items SET state = 'open' WHERE item_id = ? AND state = 'finishing'`, item.id);
    });
  }

  /** Records a lease that its bot returned. Rows that arrive under it are lost. */
  giveBack(subtaskId: number, lease: string): void {
    this.sql.exec(`INSERT OR IGNORE INTO returned_leases (subtask_id, lease) VALUES (?, ?)`, subtaskId, lease);
  }

  /** Records until when an item's kingdom is being prepared. */
  prepare(itemId: string, until: number): void {
    this.sql.exec(`UPDATE items SET preparing_until = ? WHERE item_id = ?`, until, itemId);
  }

  /** Marks an item as finishing if all of its subtasks have ended. */
  close(itemId: string): void {
    if (this.counts(itemId).waiting > 0) return;
    this.sql.exec(`UPDATE items SET state = 'finishing' WHERE item_id = ? AND state = 'open'`, itemId);
  }

  /** Returns items waiting to be finished that are not in backoff, those with failures last. */
  ready(now: number): ReadyItem[] {
    const latest = `SELECT max(captured_at) FROM subtasks WHERE item_id = items.item_id AND state = 'staged'`;
    return this.sql
      .exec<ReadyItem>(
        `SELECT *, coalesce((${latest}), 0) AS captured_at FROM items WHERE state = 'finishing' AND try_at <= ?
         ORDER BY tries`,
        now,
      )
      .toArray();
  }

  /** Returns when the next item is to be finished (epoch ms), or null if none waits. */
  nextTry(): number | null {
    const next = `SELECT min(try_at) AS at FROM items WHERE state = 'finishing'`;
    return this.sql.exec<{ at: number | null }>(next).one().at;
  }

  putAside(itemId: string, tries: number, until: number): void {
    this.sql.exec(`UPDATE items SET tries = ?, try_at = ? WHERE item_id = ?`, tries, until, itemId);
  }

  /** Returns the staged rows of an item, by rank. */
  staged(itemId: string): StagedPart[] {
    const parts = `SELECT subtask_id, number, bot, held, held_by, captured_at, source, columns FROM subtasks`;
    return this.sql
      .exec<StagedPart>(`${parts} WHERE item_id = ? AND state = 'staged' ORDER BY number`, itemId)
      .toArray();
  }

  /** Requeues implausible rows, or fails them after the last attempt. Reopens the item if some subtasks wait. */
  holdBack({ item_id, version }: LocalItem, states: ReadonlyMap<number, 'waiting' | 'failed'>): void {
    this.storage.transactionSync(() => {
      if (this.item(item_id)?.version !== version) return;
      for (const [id, state] of states)
        this.sql.exec(
          `UPDATE subtasks SET state = ?2, error = ?3, held = iif(?2 = 'waiting', columns, NULL), held_by = bot,
             bot = NULL, columns = NULL
           WHERE subtask_id = ?1 AND state = 'staged'`,
          id,
          state,
          state === 'failed' ? IMPLAUSIBLE_ROWS : null,
        );
      if (this.counts(item_id).waiting === 0) return;
      this.sql.exec(`UPDATE items SET state = 'open' WHERE item_id = ? AND state = 'finishing'`, item_id);
    });
  }

  /** True if no other item may still change, as far as this object knows. If false, D1 need not be asked. */
  isLast({ item_id }: LocalItem): boolean {
    const others = `SELECT 1 FROM items WHERE item_id <> ? AND state IN ('open', 'finishing') LIMIT 1`;
    return this.sql.exec(others, item_id).toArray().length === 0;
  }

  /** Ends an item and deletes its rows, unless a repair began meanwhile, whose subtasks are waiting. */
  end({ item_id, version }: LocalItem, state: ItemState): void {
    this.storage.transactionSync(() => {
      if (this.item(item_id)?.version !== version) return;
      this.sql.exec(
        `UPDATE items SET state = ?1, has_results = max(has_results, ?1 = 'done')
         WHERE item_id = ?2 AND state <> 'cancelled'`,
        state,
        item_id,
      );
      this.sql.exec(
        `UPDATE subtasks SET state = 'done', columns = NULL, held = NULL WHERE item_id = ? AND state = 'staged'`,
        item_id,
      );
      const all = `SELECT subtask_id FROM subtasks WHERE item_id = ?`;
      this.sql.exec(`DELETE FROM returned_leases WHERE subtask_id IN (${all})`, item_id);
    });
  }

  /** Deletes the staged rows of a cancelled item. */
  cancel(itemId: string): void {
    this.storage.transactionSync(() => {
      this.sql.exec(`UPDATE items SET state = 'cancelled', has_results = 0 WHERE item_id = ?`, itemId);
      this.sql.exec(`UPDATE subtasks SET state = 'cancelled', columns = NULL, held = NULL WHERE item_id = ?`, itemId);
    });
  }

  /** Ends an item with its earlier results. */
  giveUp(itemId: string): void {
    this.storage.transactionSync(() => {
      this.sql.exec(`UPDATE items SET state = 'done' WHERE item_id = ? AND state IN ('open', 'finishing')`, itemId);
      this.sql.exec(
        `UPDATE subtasks SET state = 'cancelled', columns = NULL, held = NULL
         WHERE item_id = ? AND state IN ('waiting', 'staged', 'failed')`,
        itemId,
      );
    });
  }
}
