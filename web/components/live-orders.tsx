import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { type FinishedOrder, LiveOrders } from '../api/live.ts';
import type { ItemHeader, OrderPage } from '../api/orders.ts';
import { useToasts } from '../ui/toast.tsx';
import { titleNews } from './title-news.ts';

const Live = createContext<LiveOrders | null>(null);

/** Follows the user's moving orders on whatever screen he is, and says when one is finished. */
export function LiveOrdersProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const [live, setLive] = useState<LiveOrders | null>(null);
  const { toasts, show } = useToasts(useHeard(live));
  useEffect(() => {
    const orders = new LiveOrders(client, (order) => announce(order, show));
    setLive(orders);
    return () => orders.line.end();
  }, [client, show]);
  return (
    <Live value={live}>
      {children}
      {toasts}
    </Live>
  );
}

function announce({ order_id, results }: FinishedOrder, show: (title: string, more: ReactNode) => void): void {
  titleNews(`Order #${order_id} finished`);
  if (!results) {
    show(`Order #${order_id} ended without results`, <Link to="/orders">See why</Link>);
    return;
  }
  const { id, all } = results;
  show(
    `Order #${order_id} is finished`,
    <Link to="/order/$orderId" params={{ orderId: id }} search={all ? { all } : {}}>
      View Results
    </Link>,
  );
}

const never = () => {};

/** True while the socket tells of every change, so that nobody needs to ask. */
export const useConnected = (): boolean => useHeard(useContext(Live));

function useHeard(live: LiveOrders | null): boolean {
  const line = live?.line;
  const subscribe = useCallback((listener: () => void) => line?.subscribe(listener) ?? never, [line]);
  return useSyncExternalStore(subscribe, () => line?.connected ?? false);
}

/** Follows what moves in a list of orders. */
export function useLiveList(page: OrderPage | undefined): void {
  const live = useContext(Live);
  useEffect(() => {
    if (page) live?.noteList(page.orders);
  }, [live, page]);
}

/** The same for the order of one item. */
export function useLiveItem(item: ItemHeader | undefined): void {
  const live = useContext(Live);
  useEffect(() => {
    if (item) live?.noteItem(item);
  }, [live, item]);
}

/** The same for an order whose combined results are looked at. */
export function useLiveOrder(orderId: number | undefined): void {
  const live = useContext(Live);
  useEffect(() => (orderId === undefined ? undefined : live?.noteOrder(orderId)), [live, orderId]);
}
