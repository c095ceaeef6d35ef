import type { QueryClient } from '@tanstack/react-query';
import { isMoving, MAX_WATCHED, movingItems } from '../../domain/orders/order.ts';
import { API_BASE } from './client.ts';
import { LiveLine } from './live-line.ts';
import { type ItemHeader, itemQuery, type Order, type OrderItem, type OrderPage } from './orders.ts';

/** Orders that move, followed over the page's one socket, until they are finished. */

type ItemProgress = Pick<
  OrderItem,
  'item_id' | 'state' | 'has_results' | 'subtask_count' | 'incomplete_count' | 'failed_count' | 'preparing_until'
>;

interface ProgressMessage {
  type: 'progress';
  order_id: number;
  items: ItemProgress[];
  /** No item of the order can change by itself any more. */
  finished: boolean;
}

/** An order that came to its end while the page was open. */
export interface FinishedOrder {
  order_id: number;
  /** Where its results are: an item, or the order with `all`; null where there are none. */
  results: { id: string; all: boolean } | null;
}

interface Followed {
  /** It was seen moving: its end is news. */
  moved: boolean;
  /** What is known of its items. */
  items: Map<string, { has_results: boolean }>;
}

/** Milliseconds for which queries to be fetched again are gathered. */
const GATHERED_FOR = 300;

export class LiveOrders {
  private readonly client: QueryClient;
  private readonly announce: (order: FinishedOrder) => void;
  private readonly followed = new Map<number, Followed>();
  /** Finished ones by the line's word, of which an answer that was under way may still say that they move. */
  private readonly settled = new Set<number>();
  private readonly stale = new Map<string, readonly string[]>();
  private refreshing: ReturnType<typeof setTimeout> | undefined;
  /** The orders that the line tells of. */
  private told: readonly number[] = [];
  readonly line: LiveLine;

  /** `announce` is told of each followed order that is finished, once. */
  constructor(client: QueryClient, announce: (order: FinishedOrder) => void) {
    this.client = client;
    this.announce = announce;
    this.line = new LiveLine((message) => this.take(JSON.parse(message) as ProgressMessage));
  }

  /** Follows the orders of a list that move, and takes note of those that do not any more. */
  noteList(orders: readonly Order[]): void {
    for (const { order_id, standings, items, item_count } of orders) {
      // What could not be had was cancelled by itself, with a reason, and is news.
      const cancelled = standings.cancelled === item_count && items.every(({ error }) => error === null);
      this.note(order_id, movingItems(standings) > 0, cancelled, items);
    }
    this.aim();
  }

  /** The same for the order of an item whose results are looked at. */
  noteItem(item: ItemHeader): void {
    if (isMoving(item)) this.note(item.order_id, true, false, [item]);
    else if (item.item_count === 1) this.note(item.order_id, false, item.state === 'cancelled', [item]);
    // Whether the order's other items move is not known here; its next message tells.
    else this.settled.delete(item.order_id);
    this.aim();
  }

  /** Follows an order of which nothing is known yet. */
  noteOrder(orderId: number): void {
    if (Number.isSafeInteger(orderId) && !this.followed.has(orderId))
      this.followed.set(orderId, { moved: false, items: new Map() });
    this.aim();
  }

  private note(orderId: number, moves: boolean, cancelled: boolean, items: readonly ItemProgress[]): void {
    if (moves && this.settled.has(orderId)) return;
    this.settled.delete(orderId);
    const known = this.followed.get(orderId);
    if (!moves && !known) return;
    const order = known ?? { moved: false, items: new Map() };
    for (const { item_id, has_results } of items) order.items.set(item_id, { has_results });
    order.moved ||= moves;
    if (moves) this.followed.set(orderId, order);
    else this.leave(orderId, order, cancelled);
  }

  private leave(orderId: number, { moved, items }: Followed, cancelled: boolean): void {
    this.followed.delete(orderId);
    if (!moved || cancelled) return;
    const [only] = items.size === 1 ? items.keys() : [];
    const any = [...items.values()].some(({ has_results }) => has_results);
    const page = only ? { id: only, all: false } : { id: String(orderId), all: true };
    this.announce({ order_id: orderId, results: any ? page : null });
  }

  private aim(): void {
    const ids = [...this.followed.keys()].sort((a, b) => b - a).slice(0, MAX_WATCHED);
    // A line that tells of finished ones too is not worth hanging up.
    if (ids.length > 0 && ids.every((id) => this.told.includes(id))) return;
    this.told = ids;
    this.line.aim(ids.length > 0 ? liveUrl(ids) : null);
  }

  /** Writes a message into what is on the screen; what a finished item offers is fetched afresh. */
  private take({ type, order_id, items, finished }: ProgressMessage): void {
    if (type !== 'progress') return;
    const moved = new Map(items.map((item) => [item.item_id, item]));
    let settled = false;
    const progressed = <Item extends ItemProgress>(item: Item): Item => {
      const state = moved.get(item.item_id);
      settled ||= state !== undefined && isMoving(item) && !isMoving(state);
      return state ? { ...item, ...state } : item;
    };
    this.client.setQueriesData<OrderPage>({ queryKey: ['orders'] }, (page) =>
      page?.orders.some((order) => order.order_id === order_id)
        ? {
            ...page,
            orders: page.orders.map((order) =>
              order.order_id === order_id ? { ...order, items: order.items.map(progressed) } : order,
            ),
          }
        : page,
    );
    for (const { item_id } of items)
      this.client.setQueryData(itemQuery(item_id).queryKey, (header) => header && progressed(header));
    const order = this.followed.get(order_id);
    const ended = finished && order?.moved === true;
    if (settled || ended) this.refresh([['orders'], ...[...moved.keys()].map((id) => itemQuery(id).queryKey)]);
    if (ended) this.refresh(['rows', 'pages', 'combined'].map((name) => [name, String(order_id)]));
    if (!order) return;
    for (const { item_id, has_results } of items) order.items.set(item_id, { has_results });
    order.moved ||= !finished;
    if (finished) {
      this.settled.add(order_id);
      this.leave(order_id, order, false);
      this.aim();
    }
  }

  /** Fetches again what these keys stand for, soon: the items of a large order end by the dozen. */
  private refresh(keys: readonly (readonly string[])[]): void {
    for (const key of keys) this.stale.set(key.join(), key);
    this.refreshing ??= setTimeout(() => {
      this.refreshing = undefined;
      for (const queryKey of this.stale.values()) void this.client.invalidateQueries({ queryKey });
      this.stale.clear();
    }, GATHERED_FOR);
  }
}

function liveUrl(orderIds: readonly number[]): string {
  const url = new URL(`${API_BASE}/v1/orders/live?orders=${orderIds.join()}`, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}
