import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isMoving } from '../../domain/order.ts';
import { API_BASE } from './client.ts';
import { type Order, type OrderItem, type OrderPage, ordersQuery } from './orders.ts';

/** How many orders are watched at once: the newest; the list's own refresh covers the others. */
const WATCHED = 4;
/** Waits before another try, in milliseconds. After the last one the list's refresh is what is left. */
const RETRIES = [1_000, 2_000, 5_000, 10_000, 20_000];

type ItemProgress = Pick<
  OrderItem,
  'item_id' | 'state' | 'has_results' | 'subtask_count' | 'incomplete_count' | 'failed_count'
>;

interface ProgressMessage {
  type: 'progress';
  items: ItemProgress[];
}

/** Keeps the progress of the page's newest live orders moving, as their bots report it. */
export function useLiveProgress(page: OrderPage | undefined, before: number | undefined): void {
  const client = useQueryClient();
  const watched = (page?.orders ?? [])
    .filter((order) => order.items.some(isMoving))
    .slice(0, WATCHED)
    .map((order) => order.order_id)
    .join();
  useEffect(() => {
    const stops = watched
      .split(',')
      .filter(Boolean)
      .map((orderId) => watch(Number(orderId), (message) => take(client, before, Number(orderId), message)));
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, watched, before]);
}

/** Writes a message into the list that is on the screen; what a finished item offers comes with a fresh list. */
function take(client: QueryClient, before: number | undefined, orderId: number, message: ProgressMessage): void {
  const { queryKey } = ordersQuery(before);
  const moved = new Map(message.items.map((item) => [item.item_id, item]));
  const page = client.getQueryData(queryKey);
  const order = page?.orders.find((candidate) => candidate.order_id === orderId);
  if (!page || !order) return;
  const settled = order.items.some((item) => {
    const state = moved.get(item.item_id);
    return state !== undefined && isMoving(item) && !isMoving(state);
  });
  client.setQueryData(queryKey, {
    ...page,
    orders: page.orders.map((candidate) => (candidate === order ? movedOrder(order, moved) : candidate)),
  });
  if (settled) void client.invalidateQueries({ queryKey });
}

const movedOrder = (order: Order, moved: ReadonlyMap<string, ItemProgress>): Order => ({
  ...order,
  items: order.items.map((item) => ({ ...item, ...moved.get(item.item_id) })),
});

/** Opens an order's live line and keeps it open; returns what closes it for good. */
function watch(orderId: number, receive: (message: ProgressMessage) => void): () => void {
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  let stopped = false;
  const open = () => {
    socket = new WebSocket(liveUrl(orderId));
    socket.onmessage = ({ data }) => {
      tries = 0;
      const message = JSON.parse(String(data)) as ProgressMessage;
      if (message.type === 'progress') receive(message);
    };
    socket.onclose = () => {
      const wait = RETRIES[tries++];
      if (!stopped && wait !== undefined) timer = setTimeout(open, wait);
    };
  };
  open();
  return () => {
    stopped = true;
    clearTimeout(timer);
    socket?.close();
  };
}

function liveUrl(orderId: number): URL {
  const url = new URL(`${API_BASE}/v1/order/${orderId}/live`, location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url;
}
