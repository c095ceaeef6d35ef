import './page.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bookmarkHeader } from '../../web/api/client.ts';
import { type EndedOrder, LiveOrders } from '../../web/api/live.ts';
import { type ItemHeader, itemQuery, type Order, type OrderPage } from '../../web/api/orders.ts';

/** The single socket for unfinished orders: its URL, cache updates and announcements. */

class FakeSocket {
  static all: FakeSocket[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;
  closed = false;
  readonly url: string;
  constructor(url: string) {
    this.url = url;
    FakeSocket.all.push(this);
  }
  send() {}
  close() {
    this.closed = true;
  }
}
const open = () => FakeSocket.all.filter(({ closed }) => !closed).map(({ url }) => url);
const tell = (message: object) => FakeSocket.all.at(-1)?.onmessage?.({ data: JSON.stringify(message) });

let client: QueryClient;
let news: EndedOrder[];
let live: LiveOrders;

beforeEach(() => {
  vi.useFakeTimers();
  FakeSocket.all = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('document', Object.assign(new EventTarget(), { hidden: false }));
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('location', new URL('https://muster.test/orders'));
  client = new QueryClient();
  news = [];
  live = new LiveOrders(client, (order) => news.push(order));
});
afterEach(() => {
  live.line.end();
  client.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const item = (item_id: string, about: object = {}) => ({
  item_id,
  state: 'open',
  has_results: false,
  subtask_count: 3,
  incomplete_count: 3,
  failed_count: 0,
  preparing_until: null,
  error: null,
  ...about,
});
const order = (order_id: number, items: object[], standings: object = { open: items.length }) =>
  ({ order_id, items, item_count: items.length, standings }) as unknown as Order;
const progress = (order_id: number, items: object[], finished = false, bookmark: string | null = null) => ({
  type: 'progress',
  order_id,
  bookmark,
  items,
  finished,
});
const done = { state: 'done', has_results: true, incomplete_count: 0 };
const keysFetched = () =>
  vi.mocked(client.invalidateQueries).mock.calls.map(([filters]) => (filters?.queryKey ?? []).join('/'));

describe('the socket of live orders', () => {
  it('covers the newest twenty unfinished orders, and closes without any', () => {
    live.noteList([order(1, [item('a', done)], { done: 1 })]);
    expect(open()).toEqual([]);
    live.noteList(Array.from({ length: 21 }, (_, index) => order(index + 1, [item(`i${index}`)])));
    const newest = Array.from({ length: 20 }, (_, index) => 21 - index).join();
    expect(open()).toEqual([`wss://muster.test/v1/orders/live?orders=${newest}`]);
  });

  it('makes later reads see what it told', () => {
    live.noteList([order(2, [item('a')])]);
    tell(progress(2, [item('a', done)], false, '00000002-0'));
    expect(bookmarkHeader()).toEqual({ 'x-bookmark': '00000002-0' });
    tell(progress(2, [item('a', done)], true, '00000001-9'));
    expect(bookmarkHeader()).toEqual({ 'x-bookmark': '00000002-0' });
  });

  it('stays while it covers all followed orders', () => {
    live.noteList([order(2, [item('a')]), order(3, [item('b')])]);
    live.noteList([order(3, [item('b')]), order(2, [item('a')])]);
    tell(progress(3, [item('b', done)], true));
    expect(open()).toEqual(['wss://muster.test/v1/orders/live?orders=3,2']);
    live.noteOrder(9);
    expect(open()).toEqual(['wss://muster.test/v1/orders/live?orders=9,2']);
    tell(progress(9, [], true));
    tell(progress(2, [], true));
    expect(open()).toEqual([]);
  });

  it('tells whose progress it reports, from its first message on', () => {
    live.noteList([order(2, [item('a')])]);
    expect(live.covers(2)).toBe(false);
    tell(progress(2, [item('a')]));
    expect([live.covers(2), live.covers(3)]).toEqual([true, false]);
    FakeSocket.all.at(-1)?.onclose?.();
    expect(live.covers(2)).toBe(false);
  });

  it('leaves out orders of other members of a team, for which the service would refuse it', () => {
    live.noteItem({ ...item('a'), order_id: 9, item_count: 1, own: false } as unknown as ItemHeader);
    expect(open()).toEqual([]);
    live.noteList([order(2, [item('b')])]);
    expect(open()).toEqual(['wss://muster.test/v1/orders/live?orders=2']);
  });

  it('uses ws on http pages and ignores orders without a number', () => {
    vi.stubGlobal('location', new URL('http://localhost:8787/orders'));
    live.noteOrder(Number.NaN);
    expect(open()).toEqual([]);
    live.noteOrder(5);
    expect(open()).toEqual(['ws://localhost:8787/v1/orders/live?orders=5']);
  });
});

describe('a progress message', () => {
  beforeEach(() => {
    vi.spyOn(client, 'invalidateQueries').mockResolvedValue();
  });

  it('updates lists and items of its order only', () => {
    const pages = { orders: [order(1, [item('a'), item('b')]), order(2, [item('c')])] } as OrderPage;
    client.setQueryData(['orders'], pages);
    client.setQueryData(itemQuery('a').queryKey, { ...item('a'), order_id: 1 } as unknown as ItemHeader);
    live.noteList(pages.orders);
    tell({ ...progress(1, [item('a', { incomplete_count: 1 })]), type: 'other' });
    tell(progress(1, [item('a', { incomplete_count: 2 }), item('c', { incomplete_count: 0 })]));
    const shown = client.getQueryData<OrderPage>(['orders']);
    expect(shown?.orders.map(({ items }) => items.map(({ incomplete_count }) => incomplete_count))).toEqual([
      [2, 3],
      [3],
    ]);
    expect(client.getQueryData(itemQuery('a').queryKey)).toMatchObject({ incomplete_count: 2, order_id: 1 });
    expect(client.getQueryData(itemQuery('b').queryKey)).toBeUndefined();
    vi.advanceTimersByTime(1000);
    expect(keysFetched()).toEqual([]);
  });

  it('refetches soon after an item has finished, once for many', () => {
    client.setQueryData(['orders'], { orders: [order(1, [item('a'), item('b')])] } as OrderPage);
    live.noteList([order(1, [item('a'), item('b')])]);
    tell(progress(1, [item('a', done)]));
    tell(progress(1, [item('b', done)]));
    vi.advanceTimersByTime(299);
    expect(keysFetched()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(keysFetched()).toEqual(['orders', itemQuery('a').queryKey.join('/'), itemQuery('b').queryKey.join('/')]);
    vi.mocked(client.invalidateQueries).mockClear();
    tell(progress(1, [item('b', done)], true));
    vi.advanceTimersByTime(300);
    expect(keysFetched()).toEqual(['orders', itemQuery('b').queryKey.join('/'), 'combined/1']);
  });
});

describe('a finished order', () => {
  it('is announced once, with its results', () => {
    live.noteList([order(1, [item('a')]), order(2, [item('b'), item('c')]), order(3, [item('d')])]);
    tell(progress(1, [item('a', done)], true));
    tell(progress(2, [item('c', done)], true));
    tell(progress(3, [item('d', { state: 'failed' })], true));
    tell(progress(3, [item('d', { state: 'failed' })], true));
    expect(news).toEqual([
      { order_id: 1, results: { id: 'a', all: false } },
      { order_id: 2, results: { id: '2', all: true } },
      { order_id: 3, results: null },
    ]);
  });

  it('is not announced if it was never seen unfinished', () => {
    live.noteOrder(7);
    tell(progress(7, [item('a', done)], true));
    expect(news).toEqual([]);
    live.noteOrder(8);
    tell(progress(8, [item('b')]));
    tell(progress(8, [item('b', done)], true));
    expect(news).toEqual([{ order_id: 8, results: { id: 'b', all: false } }]);
  });

  it('is also announced by a list, unless the user cancelled it', () => {
    const cancelled = { state: 'cancelled' };
    live.noteList([order(1, [item('a')]), order(2, [item('b')]), order(3, [item('c')])]);
    live.noteList([
      order(1, [item('a', done)], { done: 1 }),
      order(2, [item('b', cancelled)], { cancelled: 1 }),
      order(3, [item('c', { ...cancelled, error: 'There is no history.' })], { cancelled: 1 }),
    ]);
    expect(news).toEqual([
      { order_id: 1, results: { id: 'a', all: false } },
      { order_id: 3, results: null },
    ]);
    expect(open()).toEqual([]);
  });

  it('is not reopened by a list already in flight, but by a later one', () => {
    live.noteList([order(1, [item('a')])]);
    tell(progress(1, [item('a', done)], true));
    live.noteList([order(1, [item('a')])]);
    expect(open()).toEqual([]);
    live.noteList([order(1, [item('a', done)], { done: 1 })]);
    live.noteList([order(1, [item('a', { state: 'open', has_results: true })])]);
    expect(open()).toEqual(['wss://muster.test/v1/orders/live?orders=1']);
  });

  it('is announced by its item’s header if it has only one item', () => {
    const header = (about: object, item_count = 1) =>
      ({ ...item('a'), order_id: 4, item_count, own: true, ...about }) as unknown as ItemHeader;
    live.noteItem(header({}));
    expect(open()).toEqual(['wss://muster.test/v1/orders/live?orders=4']);
    live.noteItem(header(done, 2));
    expect([news, open()]).toEqual([[], ['wss://muster.test/v1/orders/live?orders=4']]);
    live.noteItem(header(done));
    expect([news, open()]).toEqual([[{ order_id: 4, results: { id: 'a', all: false } }], []]);
    live.noteItem(header({}));
    live.noteItem(header({ state: 'cancelled' }));
    expect([news.length, open()]).toEqual([1, []]);
  });
});
