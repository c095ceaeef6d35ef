import './page.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { accountQuery } from '../../web/api/account.ts';
import { ordersQuery } from '../../web/api/orders.ts';
import { followOtherTabs } from '../../web/other-tabs.ts';

/** What a page does about what happens in another tab of its browser. */

let user: string | null;
let known: QueryClient;
let page: EventTarget;
let gone: AbortController;
let reloads: number;
let looked: unknown[];
let asked: string[];
/** What the service answers to who asks for his account. */
let answer: object;

const ASH = { success: 1, data: { user: 'ash' } };

beforeEach(() => {
  [user, known, page, reloads, looked, asked, answer] = [null, new QueryClient(), new EventTarget(), 0, [], [], ASH];
  vi.stubGlobal('localStorage', {
    getItem: () => user,
    setItem: (_: string, name: string) => {
      user = name;
    },
    removeItem: () => {
      user = null;
    },
  });
  vi.stubGlobal('location', { href: 'https://muster.test/', reload: () => reloads++ });
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('fetch', async (url: string | URL | Request) => {
    asked.push(String(url));
    return Response.json(answer, { status: answer === ASH ? 200 : 401 });
  });
  gone = new AbortController();
  followOtherTabs(known, () => looked.push(known.getQueryData(accountQuery.queryKey)), gone.signal);
});
afterEach(() => {
  known.clear();
  vi.unstubAllGlobals();
});

const seen = (account: { user: string } | null) => known.setQueryData(accountQuery.queryKey, account as never);
const happens = (type: string, more = {}) => page.dispatchEvent(Object.assign(new Event(type), more));

describe('a page on which somebody is signed in', () => {
  beforeEach(() => {
    seen({ user: 'ash' });
    user = 'ash';
  });

  it.each([null, 'birch'])('is loaded anew once its user has left for %s', (next) => {
    user = next;
    happens('storage');
    expect([reloads, asked]).toEqual([1, []]);
  });

  it('is loaded anew where the browser had kept it meanwhile, and only then', () => {
    user = null;
    happens('pageshow', { persisted: false });
    expect(reloads).toBe(0);
    happens('pageshow', { persisted: true });
    expect(reloads).toBe(1);
  });

  it('is left alone once nobody draws it any more', () => {
    gone.abort();
    user = null;
    happens('storage');
    happens('pageshow', { persisted: true });
    expect(reloads).toBe(0);
  });

  it('has nobody look again once nobody draws it any more', async () => {
    gone.abort();
    answer = { success: 0, msg: 'Please sign in.' };
    await known.fetchQuery({ ...accountQuery, staleTime: 0 });
    expect(looked).toEqual([]);
  });

  it('has the guards look again once the service says that nobody is signed in, and keeps nothing of him', async () => {
    known.setQueryData(['orders'], 'his');
    answer = { success: 0, msg: 'Please sign in.' };
    await known.fetchQuery({ ...accountQuery, staleTime: 0 });
    expect([looked, known.getQueryData(['orders']), user]).toEqual([[null], undefined, null]);
  });

  it('is left to whoever signs him out here', () => {
    seen(null);
    expect(looked).toEqual([]);
  });

  it('stays where another thing was stored', () => {
    happens('storage');
    happens('pageshow', { persisted: true });
    expect([reloads, asked]).toEqual([0, []]);
  });
});

describe('a page of a visitor', () => {
  it.each([null, undefined])('asks nothing while he stays one', (account) => {
    if (account === null) seen(account);
    happens('storage');
    expect([reloads, asked]).toEqual([0, []]);
  });

  it('welcomes who signs in elsewhere, without being loaded anew', async () => {
    seen(null);
    user = 'ash';
    happens('storage');
    await vi.waitFor(() => expect(looked).toEqual([{ user: 'ash' }]));
    expect([reloads, asked]).toEqual([0, ['https://muster.test/v1/account']]);
  });

  it('takes the service’s word that nobody is signed in', async () => {
    answer = { success: 0, msg: 'Please sign in.' };
    user = 'ash';
    happens('storage');
    await vi.waitFor(() => expect(looked).toEqual([null]));
    expect([reloads, user]).toEqual([0, null]);
  });
});

it('a list of orders in which nothing moves is asked for again when it is looked at, and the balance always', () => {
  const again = (data?: { live: boolean }) => {
    const { refetchOnWindowFocus: when } = ordersQuery();
    return typeof when === 'function' && when({ state: { data } } as never);
  };
  // Of one that never came, its failure asks.
  expect(again()).toBe(false);
  expect([again({ live: false }), again({ live: true }), accountQuery.refetchOnWindowFocus]).toEqual([
    true,
    false,
    'always',
  ]);
});
