import type { QueryClient } from '@tanstack/react-query';
import type { ItemProgress, ProgressMessage } from '../../domain/orders/answers.ts';
import { isMoving, MAX_WATCHED, movingItems } from '../../domain/orders/order.ts';
import { apiBase, noteBookmark } from './client.ts';
import { LiveSocket } from './live-socket.ts';
import { type ItemHeader, itemQuery, type Order, type OrderPage } from './orders.ts';

/** Follows unfinished orders over the page's single socket and updates the query cache. */

/** An order that finished while the page was open. */
export interface EndedOrder {
  order_id: number;
  /** The results page: an item's, or the order's with `all`. Null if there are no results. */
  results: { id: string; all: boolean } | null;
}

interface Followed {
  /** The order was seen unfinished, so its end is worth announcing. */
  moved: boolean;
  /** Latest known state of its items. */
  items: Map<string, { has_results: boolean }>;
}

/** Delay for batching refetches, in ms. */
const GATHERED_FOR = 300;

export class LiveOrders {
  private readonly client: QueryClient;
  private readonly announce: (order: EndedOrder) => void;
  private readonly followed = new Map<number, Followed>();
  /** Orders that the socket reported finished. A response already in flight may still show them as unfinished. */
  private readonly settled = new Set<number>();
  private readonly stale = new Map<string, readonly string[]>();
  private refreshing: ReturnType<typeof setTimeout> | undefined;
  /** Orders of the current connection. */
  private told: readonly number[] = [];
  readonly line: LiveSocket;

  /** `announce` is called once for each followed order that finishes. */
  constructor(client: QueryClient, announce: (order: EndedOrder) => void) {
    this.client = client;
    this.announce = announce;
    this.line = new LiveSocket((message) => this.take(JSON.parse(message) as ProgressMessage));
  }

  /** Follows the unfinished orders of a list and stops following finished ones. */
  noteList(orders: readonly Order[]): void {
    for (const { order_id, standings, items, item_count } of orders) {
      // An order cancelled because data was unavailable has an error, and is announced.
      const cancelled = standings.cancelled === item_count && items.every(({ error }) => error === null);
      this.note(order_id, movingItems(standings) > 0, cancelled, items);
    }
    this.aim();
  }

  /** Does the same for the order of an item on screen, if it is the user's own. */
  noteItem(item: ItemHeader): void {
    // The service refuses a socket that names an order of another member of a team.
    if (!item.own) return;
    if (isMoving(item)) this.note(item.order_id, true, false, [item]);
    else if (item.item_count === 1) this.note(item.order_id, false, item.state === 'cancelled', [item]);
    // Other items may still be unfinished; the next message tells.
    else this.settled.delete(item.order_id);
    this.aim();
  }

  /** Follows an order of the user whose state is unknown. */
  noteOrder(orderId: number): void {
    if (Number.isSafeInteger(orderId) && !this.followed.has(orderId))
      this.followed.set(orderId, { moved: false, items: new Map() });
    this.aim();
  }

  /** Returns whether the socket reports an order's progress, so that no polling is needed. */
  covers(orderId: number): boolean {
    return this.line.connected && this.told.includes(orderId);
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
    // If the connection already covers these orders, keep it although it covers finished ones too.
    if (ids.length > 0 && ids.every((id) => this.told.includes(id))) return;
    this.told = ids;
    this.line.aim(ids.length > 0 ? liveUrl(ids) : null);
  }

  /** Writes a progress message to the query cache and refetches what finished items offer. */
  private take({ type, order_id, bookmark, items, finished }: ProgressMessage): void {
    if (type !== 'progress') return;
    noteBookmark(bookmark);
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
    if (ended) this.refresh([['combined', String(order_id)]]);
    if (!order) return;
    for (const { item_id, has_results } of items) order.items.set(item_id, { has_results });
    order.moved ||= !finished;
    if (finished) {
      this.settled.add(order_id);
      this.leave(order_id, order, false);
      this.aim();
    }
  }

  /** Refetches these queries after a short delay, because items of a large order finish by the dozen. */
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
  const url = new URL(`${apiBase()}/v1/orders/live?orders=${orderIds.join()}`, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}
