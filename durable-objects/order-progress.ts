import { DurableObject } from 'cloudflare:workers';
import type { HandInOutcome } from '../domain/fleet/contract.ts';
import { GAMES } from '../domain/games/games.ts';
import type { ItemProgress, ProgressMessage } from '../domain/orders/answers.ts';
import { type ItemState, isMoving } from '../domain/orders/order.ts';
import { NOBODY_FOUND } from '../domain/orders/reasons.ts';
import { joinedSource } from '../domain/scans/file-time.ts';
import { noHistory } from '../domain/scans/history.ts';
import { tellingColumns } from '../domain/scans/quality.ts';
import type { Table } from '../domain/scans/rows.ts';
import { unpackColumns } from '../domain/scans/staged.ts';
import { waitAfter } from '../domain/work.ts';
import { isOpen } from '../worker/configuration/checks.ts';
import { type Db, openDb } from '../worker/db/open.ts';
import type { Env } from '../worker/env.ts';
import { logError } from '../worker/errors.ts';
import { wholeTable } from '../worker/files/parquet.ts';
import { openIfStored } from '../worker/gateways/snapshot-store.ts';
import { socketsOf } from '../worker/gateways/user-sockets.ts';
import { together } from '../worker/isolate/at-once.ts';
import { withMemory } from '../worker/isolate/memory.ts';
import { announceEnd } from '../worker/models/messages/notifications.ts';
import { cancelUnavailable } from '../worker/models/orders/cancellations.ts';
import {
  beginFinishing,
  type Claim,
  endWithoutRows,
  finishedItems,
  isUnfinished,
} from '../worker/models/orders/finishing.ts';
import { itemsWork, progressOfOrder } from '../worker/models/orders/orders.ts';
import { historyItem } from '../worker/models/scans/history.ts';
import { snapshotBefore } from '../worker/models/scans/snapshots.ts';
import { FINISHING_ITEMS, failedStatement, succeededStatement } from '../worker/models/service/job-failures.ts';
import { holdDoubted } from '../worker/services/scans/hold-doubted.ts';
import { readToCompare } from '../worker/services/scans/judge-snapshot.ts';
import { publishCompared, publishHistory } from '../worker/services/scans/publish-snapshot.ts';
import { speakerFor } from '../worker/services/service/speak.ts';
import { ItemTables } from './item-tables.ts';
import type { Delivery, Failed } from './messages.ts';
import type { LocalItem, ReadyItem } from './schema.ts';
import { assemble, merge } from './staging.ts';

// Maximum number of items in a socket's first message, unfinished ones first.
const MAX_ITEMS_TOLD = 500;

// The largest history takes some seconds of CPU time, and an alarm has thirty.
const FINISHED_AT_ONCE = 5;
/** From this many subtasks, an item waits for the memory in which it is finished. */
const LARGE_ITEM = 10;

// Late hand-ins and repairs usually come within the hour.
const REST_MS = 3_600_000;

// A closed service may be copied or repaired, so its objects write nothing and look again after this time.
const CLOSED_MS = 60_000;

// A first failure is usually transient. Further waits grow as everywhere, but undelivered items are refunded after a
// day, so an outage must not delay them for hours after its end.
const SECOND_TRY_MS = 2000;
const LONGEST_WAIT_MS = 30 * 60_000;

// Number of items copied ahead of their first rows, because a D1 call for each took as long as checking its rows.
const LEARNT_AHEAD = 20;

// An item has up to fifty subtasks, and an isolate 128 MB.
const RETRIED_AT_ONCE = 500;

/** Storage key of the user whose sockets watch the order. */
const WATCHER = 'watcher';

/**
 * Coordinates one order: stages rows from bots until an item is complete, counts progress, notifies watching browsers,
 * and finishes items from an alarm, which the platform retries after a crash.
 */
export class OrderProgress extends DurableObject<Env> {
  private readonly tables: ItemTables;
  private readonly session: D1DatabaseSession;
  private readonly db: Db;
  private sockets: ReturnType<typeof socketsOf> | null = null;
  /** Resolves once the parts being held back may be handed in again. */
  private held: Promise<unknown> = Promise.resolve();
  /** Counts calls of `watch`, so that a reply to an earlier message does not end a newer watch. */
  private watches = 0;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.tables = new ItemTables(state.storage);
    this.session = env.DB.withSession('first-primary');
    this.db = openDb(env, this.session);
  }

  /** The object's name is the order's number. */
  private get orderId(): number {
    return Number(this.ctx.id.name);
  }

  /**
   * Stages rows of leased subtasks and returns each outcome. A subtask keeps the first rows it got, so repeats are
   * harmless. Rows that are not expected (any more) are lost.
   */
  async stage(deliveries: Delivery[]): Promise<HandInOutcome[]> {
    await this.learn(deliveries);
    await this.held;
    const outcomes = this.tables.put(deliveries);
    await this.advance(deliveries.map(({ item_id }) => item_id));
    return outcomes;
  }

  /** Records that a subtask has failed permanently. */
  async fail(failed: Failed): Promise<void> {
    await this.learn([failed]);
    this.tables.fail(failed.subtask_id, failed.reason);
    await this.advance([failed.item_id]);
  }

  /**
   * Records that a bot returned a lease, which the lease's signature does not show. Rows that arrive under it are lost.
   */
  async giveBack(subtaskId: number, lease: string): Promise<void> {
    this.tables.giveBack(subtaskId, lease);
  }

  /** Starts items that need no bot. The next alarm or the sweep continues where one call stops. */
  async begin(): Promise<void> {
    for (const { item_id } of await finishedItems(this.db, { orderId: this.orderId })) await this.lookAgain(item_id);
  }

  /** Checks an item that D1 considers finished, because a call to this object was lost in a crash. */
  async lookAgain(itemId: string): Promise<void> {
    const [work] = await itemsWork(this.db, [itemId]);
    if (!work) return;
    this.tables.copy(work);
    for (const { id, state, error } of work.subtasks) if (state === 'failed') this.tables.fail(id, error);
    await this.advance([itemId]);
  }

  /** Requeues failed parts that an admin had tried again in D1. */
  async retry(): Promise<void> {
    const failing = this.tables.failing();
    for (let from = 0; from < failing.length; from += RETRIED_AT_ONCE)
      for (const work of await itemsWork(this.db, failing.slice(from, from + RETRIED_AT_ONCE)))
        this.tables.requeue(work);
    await this.restLater();
    this.tell(failing);
  }

  /** Records that an item's kingdom is being prepared and notifies browsers. */
  async putOff(itemId: string, until: number): Promise<void> {
    await this.learn([{ item_id: itemId }]);
    this.tables.prepare(itemId, until);
    this.tell([itemId]);
  }

  /**
   * Copies items and their subtasks from D1 on first contact, and again after a repair began. Also copies the order's
   * next items, whose rows will arrive soon.
   */
  private async learn(named: readonly { item_id: string; version?: number }[]): Promise<void> {
    const unknown = named.filter(({ item_id, version = 1 }) => (this.tables.item(item_id)?.version ?? 0) < version);
    if (unknown.length === 0) return;
    const works = await itemsWork(this.db, [...new Set(unknown.map(({ item_id }) => item_id))], LEARNT_AHEAD);
    for (const work of works) this.tables.copy(work);
  }

  /** Sets the alarm for the next item to finish, unless an earlier one is set. */
  private async wake(): Promise<void> {
    const at = this.tables.nextTry();
    if (at === null) return;
    const set = await this.ctx.storage.getAlarm();
    if (set === null || set > Math.max(at, Date.now())) await this.ctx.storage.setAlarm(Math.max(at, Date.now()));
  }

  /** After a change, schedules the finishing of complete items and sends browsers the new counts. */
  private async advance(itemIds: readonly string[]): Promise<void> {
    const changed = [...new Set(itemIds)];
    for (const itemId of changed) this.tables.close(itemId);
    await this.wake();
    this.tell(changed);
  }

  /** Finishes complete items. Every step is idempotent, so a crash only causes a retry. */
  override async alarm(): Promise<void> {
    if (!isOpen(this.env)) return this.ctx.storage.setAlarm(Date.now() + CLOSED_MS);
    const ready = this.tables.ready(Date.now());
    if (ready.length === 0) return this.rest();
    const now = ready.slice(0, FINISHED_AT_ONCE);
    const claims = await beginFinishing(this.db, now);
    const attempt = (item: ReadyItem) => {
      const act = () => this.try(item, claims.get(item.item_id));
      return this.tables.counts(item.item_id).all >= LARGE_ITEM ? withMemory('finishing', act) : act();
    };
    const histories = now.filter(({ item_id }) => this.tables.counts(item_id).all === 0);
    // A history takes much memory, and an item that failed before may have ended the process.
    const alone = now.filter((item) => item.tries > 0 || histories.includes(item));
    // The others wait for D1 and R2 most of the time.
    await together(now.filter((item) => !alone.includes(item)).map(attempt));
    for (const item of alone) await attempt(item);
    if (ready.length === now.length && histories.length > 0) await this.begin();
    await this.wake();
    await this.restLater();
  }

  /** Schedules a check whether the order has ended. */
  private async restLater(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + REST_MS);
  }

  /** Deletes everything once the order has ended; otherwise its database pages would stay allocated. */
  private async rest(): Promise<void> {
    if (await isUnfinished(this.db, this.orderId)) return this.wake();
    const { watcher } = this;
    const isWatched = watcher !== undefined && (await socketsOf(this.env, watcher).isWatching(this.orderId));
    // A repair may have begun while D1 was answering.
    if (this.tables.isMoving()) return;
    await this.tables.drop();
    if (!isWatched) return;
    // Open pages are notified of a later repair.
    this.ctx.storage.kv.put(WATCHER, watcher);
    await this.restLater();
  }

  /** Finishes an item, or puts it into backoff if that fails, so that it does not hold up others. */
  private async try(item: ReadyItem, claim?: Claim): Promise<void> {
    const tries = item.tries + 1;
    const work = { job: FINISHING_ITEMS, subject: item.item_id };
    // Set before the attempt, so that work that kills the process is in backoff too.
    const next_at = Date.now() + (tries === 1 ? SECOND_TRY_MS : Math.min(waitAfter(tries - 1), LONGEST_WAIT_MS));
    this.tables.putAside(item.item_id, tries, next_at);
    try {
      await this.conclude(item, claim);
      this.tables.putAside(item.item_id, 0, 0);
      if (tries > 1) await succeededStatement(this.db, work).run();
    } catch (error) {
      logError({ ...work, tries }, error);
      await failedStatement(this.db, work, { tries, next_at, error, now: Date.now() }).run();
    }
  }

  private async conclude(item: ReadyItem, claim?: Claim): Promise<void> {
    // A repair began after a crash that kept this object from recording the end of the previous version.
    if (claim?.state === 'repaired') return this.lookAgain(item.item_id);
    const state = claim?.state === 'finishing' ? await this.finish(item, claim) : (claim?.state ?? 'cancelled');
    // Implausible rows were requeued.
    if (state === 'open') return this.tell([item.item_id]);
    // Announce before ending the item locally: a crash in between only causes a retry, and nobody is notified twice.
    const finished =
      this.tables.isLast(item) &&
      (await announceEnd(this.db, speakerFor(this.env), this.orderId, this.env.SITE_ORIGIN));
    this.tables.end(item, state);
    this.tell([item.item_id], finished);
  }

  /**
   * Holds back implausible parts, in D1 and here. Hand-ins wait meanwhile, because D1 leases these parts again first.
   */
  private holding(
    item: ReadyItem,
    { bought }: Claim,
    parts: Parameters<typeof holdDoubted>[2],
    last: Table | null,
  ): ReturnType<typeof holdDoubted> {
    const about = { ...item, order_id: this.orderId, governors: bought.governors };
    const holding = holdDoubted(this.db, about, parts, last).then((doubted) => {
      if (doubted.size > 0) this.tables.holdBack(item, doubted);
      return doubted;
    });
    const before = this.held;
    this.held = holding.then(
      () => before,
      () => before,
    );
    return holding;
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
    const doubted = await this.holding(item, claim, parts, last);
    // Those that have failed are left out of the rest.
    if (doubted.size > 0) return [...doubted.values()].includes('waiting') ? 'open' : this.finish(item, claim);
    const fresh = assemble(game, parts);
    const capture = {
      kingdom_id: item.kingdom_id,
      captured_at: item.captured_at,
      source: joinedSource(staged.map(({ source }) => source)),
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

  /**
   * Ends an item in whose kingdom bots found nobody. If parts failed, governors may still be there; otherwise it is
   * refunded.
   */
  private async finishEmpty({ item_id }: LocalItem): Promise<ItemState> {
    if (this.tables.counts(item_id).failed > 0) return endWithoutRows(this.db, item_id);
    return cancelUnavailable(this.db, item_id, NOBODY_FOUND);
  }

  /**
   * Ends an item without rows from bots: it failed, or it is a history made from stored data, or there is no such data
   * and it is refunded.
   */
  private async finishWithoutBots({ item_id }: LocalItem): Promise<ItemState> {
    const history = await historyItem(this.db, item_id);
    if (!history) return endWithoutRows(this.db, item_id);
    if (await publishHistory(this.db, this.env.STORE, history)) return 'done';
    return cancelUnavailable(this.db, item_id, noHistory(history.game, history.kingdom_id));
  }

  /** Adds the previous version's rows to those that a repair scanned again. */
  private async withEarlierRows(item: LocalItem, fresh: Table): Promise<Table> {
    if (item.version === 1) return fresh;
    const key = await snapshotBefore(this.db, item.item_id, item.version);
    const earlier = key && (await openIfStored(this.env.STORE, key));
    return earlier ? merge(await wholeTable(earlier), fresh) : fresh;
  }

  /** Deletes staged rows after the items were cancelled in D1. */
  async cancel(itemIds: string[]): Promise<void> {
    for (const itemId of itemIds) this.tables.cancel(itemId);
    await this.restLater();
    this.tell(itemIds);
  }

  /** Ends an item whose missing parts were refunded in D1. Its results stay, and nothing more is scanned. */
  async giveUp(itemId: string): Promise<void> {
    this.tables.giveUp(itemId);
    await this.restLater();
    this.tell([itemId]);
  }

  // --- Watching browsers --------------------------------------------------------------------------------------------

  private get watcher(): string | undefined {
    return this.ctx.storage.kv.get<string>(WATCHER);
  }

  /** Sends everything known to one socket of the order's user, and every later change to all of the user's sockets. */
  async watch(userId: string, socket: string): Promise<void> {
    this.ctx.storage.kv.put(WATCHER, userId);
    this.watches++;
    const known = await this.known();
    await this.restLater();
    // Unfinished items come first.
    const [first] = known;
    this.send(userId, { items: known, finished: !first || !isMoving(first) }, socket);
  }

  /** Returns D1's progress, overridden by this object's where it has newer data. */
  private async known(): Promise<ItemProgress[]> {
    const listed = await progressOfOrder(this.db, this.orderId, MAX_ITEMS_TOLD);
    return listed.map((item) => this.tables.progress(item.item_id) ?? item);
  }

  private tell(itemIds: readonly string[], finished = false): void {
    const { watcher } = this;
    if (watcher === undefined) return;
    const items = itemIds.flatMap((itemId) => this.tables.progress(itemId) ?? []);
    this.send(watcher, { items, finished });
  }

  /** Sends messages in the order of calls, which a stub preserves. After an error, a new stub is created. */
  private send(
    userId: string,
    progress: Pick<ProgressMessage, 'items' | 'finished'>,
    socket: string | null = null,
  ): void {
    const bookmark = this.session.getBookmark();
    const message: ProgressMessage = { type: 'progress', order_id: this.orderId, bookmark, ...progress };
    const { watches } = this;
    this.sockets ??= socketsOf(this.env, userId);
    const told = this.sockets.tell(this.orderId, JSON.stringify(message), socket).then(
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
