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
import { t } from '../../domain/language/text.ts';
import { type EndedOrder, LiveOrders } from '../api/live.ts';
import type { ItemHeader, OrderPage } from '../api/orders.ts';
import { useToasts } from '../ui/toast.tsx';
import { notifyInTitle } from './notify-in-title.ts';

const Live = createContext<LiveOrders | null>(null);

/** Follows the user's unfinished orders on every page and announces finished ones. */
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

function announce({ order_id, results }: EndedOrder, show: (title: string, more: ReactNode) => void): void {
  const number = { order_id: String(order_id) };
  notifyInTitle(t('Order #{order_id} finished', number));
  if (!results) {
    show(t('Order #{order_id} ended without results', number), <Link to="/orders">{t('See why')}</Link>);
    return;
  }
  const { id, all } = results;
  show(
    t('Order #{order_id} is finished', number),
    <Link to="/order/$orderId" params={{ orderId: id }} search={all ? { all } : {}}>
      {t('View Results')}
    </Link>,
  );
}

const never = () => {};

/** Returns a function that tells whether the socket reports an order's progress, so that no polling is needed. */
export function useCovered(): (orderId: number) => boolean {
  const live = useContext(Live);
  useHeard(live);
  return (orderId) => live?.covers(orderId) ?? false;
}

function useHeard(live: LiveOrders | null): boolean {
  const line = live?.line;
  const subscribe = useCallback((listener: () => void) => line?.subscribe(listener) ?? never, [line]);
  return useSyncExternalStore(subscribe, () => line?.connected ?? false);
}

/** Follows the unfinished orders of a list. */
export function useLiveList(page: OrderPage | undefined): void {
  const live = useContext(Live);
  useEffect(() => {
    if (page) live?.noteList(page.orders);
  }, [live, page]);
}

/** Follows the order of an item. */
export function useLiveItem(item: ItemHeader | undefined): void {
  const live = useContext(Live);
  useEffect(() => {
    if (item) live?.noteItem(item);
  }, [live, item]);
}

/** Follows the user's own order whose combined results are shown. */
export function useLiveOrder(orderId: number | undefined): void {
  const live = useContext(Live);
  useEffect(() => (orderId === undefined ? undefined : live?.noteOrder(orderId)), [live, orderId]);
}
