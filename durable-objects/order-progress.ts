import { DurableObject } from 'cloudflare:workers';
import { GAMES } from '../domain/games/games.ts';
import type { HandInOutcome } from '../domain/orders/contract.ts';
import { type ItemState, isMoving, nobodyFound } from '../domain/orders/order.ts';
import { noHistory } from '../domain/scans/history.ts';
import { tellingColumns } from '../domain/scans/quality.ts';
import type { Table } from '../domain/scans/rows.ts';
import { unpackColumns } from '../domain/scans/staged.ts';
import { waitAfter } from '../domain/work.ts';
import { type Db, openDb } from '../worker/db/open.ts';
import type { Env } from '../worker/env.ts';
import { wholeTable } from '../worker/files/parquet.ts';
import { openIfStored } from '../worker/gateways/snapshot-store.ts';
import { socketsOf } from '../worker/gateways/user-sockets.ts';
import { logError } from '../worker/log.ts';
import { announceEnd } from '../worker/models/messages/notifications.ts';
import { cancelUnavailable } from '../worker/models/orders/cancellations.ts';
import {
  beginFinishing,
  type Claim,
  endWithoutRows,
  finishedItems,
  isUnfinished,
  itemsWork,
  progressOfOrder,
} from '../worker/models/orders/orders.ts';
import { historyItem } from '../worker/models/scans/history.ts';
import { snapshotBefore } from '../worker/models/scans/snapshots.ts';
import { endedWellStatement, FINISHING_ITEMS, failedStatement } from '../worker/models/service/setbacks.ts';
import { holdDoubted } from '../worker/services/scans/hold-doubted.ts';
import { readToCompare } from '../worker/services/scans/judge-snapshot.ts';
import { publishCompared, publishHistory } from '../worker/services/scans/publish-snapshot.ts';
import { ItemTables } from './item-tables.ts';
import { type Delivery, type Failed, type ItemProgress, progressMessage } from './messages.ts';
import type { LocalItem, ReadyItem } from './schema.ts';
import { assemble, merge } from './staging.ts';

// A socket's first message carries no more than this; an order of thousands of items is followed by its totals.
const MAX_ITEMS_TOLD = 500;

// The largest history takes some seconds of the processor, and an alarm has thirty.
const FINISHED_AT_ONCE = 5;

// Late hand-ins and repairs most often come within the hour.
const REST_MS = 3_600_000;

// What failed once most often was in the way for a moment; after that waits grow as everywhere.
const SECOND_TRY_MS = 2000;

// Items that are heard of before their first rows: a call to D1 for each took as long as checking their rows.
const LEARNT_AHEAD = 20;

/** The user whose sockets watch the order, by its key in the object's storage. */
const WATCHER = 'watcher';

/**
 * Coordinates one order: holds the rows that bots hand in until an item is complete, counts down, tells the watching
 * browsers, and finishes items from an alarm, so that a crash in the middle is retried by the platform.
 */
export class OrderProgress extends DurableObject<Env> {
  private readonly tables: ItemTables;
  private readonly db: Db;
  private sockets: ReturnType<typeof socketsOf> | null = null;
  /** Counts calls of `watch`: an answer to a message from before the last one does not end its watching. */
  private watches = 0;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.tables = new ItemTables(state.storage);
    this.db = openDb(env.DB);
  }

  /** The object is named by its order. */
  private get orderId(): number {
    return Number(this.ctx.id.name);
  }

  /**
   * Stages rows of leased subtasks. Answers for each whether it was new: a subtask whose rows are here already keeps
   * the first ones, so a repeat is harmless. Rows that nobody waits for (any more) are lost.
   */
  async stage(deliveries: Delivery[]): Promise<HandInOutcome[]> {
    await this.learn(deliveries);
    const outcomes = this.tables.put(deliveries);
    await this.advance(deliveries.map(({ item_id }) => item_id));
    return outcomes;
  }

  /** Takes note that a subtask has failed for good. */
  async fail(failed: Failed): Promise<void> {
    await this.learn([failed]);
    this.tables.fail(failed.subtask_id, failed.reason);
    await this.advance([failed.item_id]);
  }

  /** A bot gave a lease back, which its signature does not tell: rows that come under it now are lost. */
  async giveBack(subtaskId: number, lease: string): Promise<void> {
    this.tables.giveBack(subtaskId, lease);
  }

  /** Takes up items that wait for no bot; what one call leaves, the next alarm or the sweep takes up. */
  async begin(): Promise<void> {
    for (const { item_id } of await finishedItems(this.db, { orderId: this.orderId })) await this.lookAgain(item_id);
  }

  /** Looks at an item again that D1 takes for finished: a call to this object was lost in a crash. */
  async lookAgain(itemId: string): Promise<void> {
    const [work] = await itemsWork(this.db, [itemId]);
    if (!work) return;
    this.tables.copy(work);
    for (const { id, state, error } of work.subtasks) if (state === 'failed') this.tables.fail(id, error);
    await this.advance([itemId]);
  }

  /** Takes note that an item's kingdom is being prepared, for the watching browsers. */
  async putOff(itemId: string, until: number): Promise<void> {
    await this.learn([{ item_id: itemId }]);
    this.tables.prepare(itemId, until);
    this.tell([itemId]);
  }

  /**
   * Copies items and their subtasks from D1 when the object first hears of them, and again when a repair began. The
   * order's next ones come along: rows of theirs are on their way.
   */
  private async learn(named: readonly { item_id: string; version?: number }[]): Promise<void> {
    const unknown = named.filter(({ item_id, version = 1 }) => (this.tables.item(item_id)?.version ?? 0) < version);
    if (unknown.length === 0) return;
    const works = await itemsWork(this.db, [...new Set(unknown.map(({ item_id }) => item_id))], LEARNT_AHEAD);
    for (const work of works) this.tables.copy(work);
  }

  /** Sets the alarm for the next item that waits to be finished; one that comes earlier stays. */
  private async wake(): Promise<void> {
    const at = this.tables.nextTry();
    if (at === null) return;
    const set = await this.ctx.storage.getAlarm();
    if (set === null || set > Math.max(at, Date.now())) await this.ctx.storage.setAlarm(Math.max(at, Date.now()));
  }

  /** After a change: items whose subtasks have all ended get an alarm, browsers get the new counts. */
  private async advance(itemIds: readonly string[]): Promise<void> {
    const changed = [...new Set(itemIds)];
    for (const itemId of changed) this.tables.close(itemId);
    await this.wake();
    this.tell(changed);
  }

  /** Finishes the complete items. Every step can be repeated, so a crash anywhere is only a retry. */
  override async alarm(): Promise<void> {
    const ready = this.tables.ready(Date.now());
    if (ready.length === 0) return this.rest();
    const now = ready.slice(0, FINISHED_AT_ONCE);
    const boughtHistory = now.some(({ item_id }) => this.tables.counts(item_id).all === 0);
    const claims = await beginFinishing(this.db, now);
    for (const item of now) await this.try(item, claims.get(item.item_id));
    if (ready.length === now.length && boughtHistory) await this.begin();
    await this.wake();
    await this.restLater();
  }

  /** Has the object look in a while whether its order has ended. */
  private async restLater(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + REST_MS);
  }

  /** Drops everything once the order has ended: most of what it takes are pages that rows were in. */
  private async rest(): Promise<void> {
    if (await isUnfinished(this.db, this.orderId)) return this.wake();
    const { watcher } = this;
    const isWatched = watcher !== undefined && (await socketsOf(this.env, watcher).isWatching(this.orderId));
    // A repair may have begun while D1 was answering.
    if (this.tables.isMoving()) return;
    await this.tables.drop();
    if (!isWatched) return;
    // Pages that are open hear of a later repair.
    this.ctx.storage.kv.put(WATCHER, watcher);
    await this.restLater();
  }

  /** Finishes an item, or puts it aside where that fails: one in trouble holds up no other. */
  private async try(item: ReadyItem, claim?: Claim): Promise<void> {
    const tries = item.tries + 1;
    const work = { job: FINISHING_ITEMS, subject: item.item_id };
    // Before it begins: work that ends the process is put aside as well.
    const next_at = Date.now() + (tries === 1 ? SECOND_TRY_MS : waitAfter(tries - 1));
    this.tables.putAside(item.item_id, tries, next_at);
    try {
      await this.conclude(item, claim);
      this.tables.putAside(item.item_id, 0, 0);
      if (tries > 1) await endedWellStatement(this.db, work).run();
    } catch (error) {
      logError({ ...work, tries }, error);
      await failedStatement(this.db, work, { tries, next_at, error, now: Date.now() }).run();
    }
  }

  private async conclude(item: ReadyItem, claim?: Claim): Promise<void> {
    // A repair began after a crash had kept this object from noting the end of the version before.
    if (claim?.state === 'repaired') return this.lookAgain(item.item_id);
    const state = claim?.state === 'finishing' ? await this.finish(item, claim) : (claim?.state ?? 'cancelled');
    // Rows were held back: bots read them again.
    if (state === 'open') return this.tell([item.item_id]);
    // Before this object takes the item for ended: a crash between the two is a retry, and nobody is told twice.
    const finished = this.tables.isLast(item) && (await announceEnd(this.db, this.orderId, this.env.SITE_ORIGIN));
    this.tables.end(item, state);
    this.tell([item.item_id], finished);
  }

  private async finish(item: ReadyItem, claim: Claim): Promise<ItemState> {
    const { compared, before, bought } = claim;
    const staged = this.tables.staged(item.item_id);
    if (staged.length === 0) return this.finishWithoutBots(item);
    const { game } = item;
    const parts = staged.map((part) => ({ ...part, ...unpackColumns(part.columns) }));
    const earlier = await readToCompare(this.env.STORE, compared, tellingColumns(game));
    const { id, power } = GAMES[game].roles;
    const last = before === compared ? earlier : await readToCompare(this.env.STORE, before, [id, power]);
    const doubted = await holdDoubted(
      this.db,
      { ...item, order_id: this.orderId, governors: bought.governors },
      parts,
      last,
    );
    if (doubted.size > 0) {
      this.tables.holdBack(item, doubted);
      // Those that have failed are left out of the rest.
      return [...doubted.values()].includes('waiting') ? 'open' : this.finish(item, claim);
    }
    const fresh = assemble(game, parts);
    const capture = {
      kingdom_id: item.kingdom_id,
      captured_at: item.captured_at,
      source: [...new Set(staged.map(({ source }) => source))].join(', ').slice(0, 200),
      id: item.item_id,
      item_id: item.item_id,
      version: item.version,
      bought,
    };
    const table = await this.withEarlierRows(item, fresh);
    if (table.count === 0 && item.has_results === 0) return this.finishEmpty(item);
    await publishCompared(this.db, this.env.STORE, table, capture, earlier);
    return 'done';
  }

  /** Bots read the kingdom and found nobody: what they could not read may still be there, otherwise it is paid back. */
  private async finishEmpty({ item_id, game, kingdom_id }: LocalItem): Promise<ItemState> {
    if (this.tables.counts(item_id).failed > 0) return endWithoutRows(this.db, item_id);
    return cancelUnavailable(this.db, item_id, nobodyFound(game, kingdom_id));
  }

  /** Nobody brought rows: the item has failed, or is made of stored ones, or there are none and it is paid back. */
  private async finishWithoutBots({ item_id }: LocalItem): Promise<ItemState> {
    const history = await historyItem(this.db, item_id);
    if (!history) return endWithoutRows(this.db, item_id);
    if (await publishHistory(this.db, this.env.STORE, history)) return 'done';
    return cancelUnavailable(this.db, item_id, noHistory(history.game, history.kingdom_id));
  }

  /** A repair read only a part again: the rest comes from the version before. */
  private async withEarlierRows(item: LocalItem, fresh: Table): Promise<Table> {
    if (item.version === 1) return fresh;
    const key = await snapshotBefore(this.db, item.item_id, item.version);
    const earlier = key && (await openIfStored(this.env.STORE, key));
    return earlier ? merge(await wholeTable(earlier), fresh) : fresh;
  }

  /** The order was cancelled in D1: what is staged is dropped. */
  async cancel(itemIds: string[]): Promise<void> {
    for (const itemId of itemIds) this.tables.cancel(itemId);
    await this.restLater();
    this.tell(itemIds);
  }

  /** What an item with results still lacked was paid back in D1: its results stand, and nothing more is read of it. */
  async giveUp(itemId: string): Promise<void> {
    this.tables.giveUp(itemId);
    await this.restLater();
    this.tell([itemId]);
  }

  // --- Watching browsers --------------------------------------------------------------------------------------------

  private get watcher(): string | undefined {
    return this.ctx.storage.kv.get<string>(WATCHER);
  }

  /** Tells one socket of the order's user all that is known, and the user's sockets of every change from now on. */
  async watch(userId: string, socket: string): Promise<void> {
    this.ctx.storage.kv.put(WATCHER, userId);
    this.watches++;
    const known = await this.known();
    await this.restLater();
    // Those that move come first.
    const [first] = known;
    this.send(userId, progressMessage(this.orderId, known, !first || !isMoving(first)), socket);
  }

  /** D1's figures for the order, with this object's own where it knows better. */
  private async known(): Promise<ItemProgress[]> {
    const listed = await progressOfOrder(this.db, this.orderId, MAX_ITEMS_TOLD);
    return listed.map((item) => this.tables.progress(item.item_id) ?? item);
  }

  private tell(itemIds: readonly string[], finished = false): void {
    const { watcher } = this;
    if (watcher === undefined) return;
    const items = itemIds.flatMap((itemId) => this.tables.progress(itemId) ?? []);
    this.send(watcher, progressMessage(this.orderId, items, finished));
  }

  /** Sends in the order of calls, which one stub keeps; another one begins where the last broke. */
  private send(userId: string, text: string, socket: string | null = null): void {
    const { watches } = this;
    this.sockets ??= socketsOf(this.env, userId);
    const told = this.sockets.tell(this.orderId, text, socket).then(
      (isWatched) => {
        if (!isWatched && watches === this.watches) this.ctx.storage.kv.delete(WATCHER);
      },
      (error: unknown) => {
        this.sockets = null;
        console.error(JSON.stringify({ order: this.orderId, error: String(error) }));
      },
    );
    this.ctx.waitUntil(told);
  }
}
