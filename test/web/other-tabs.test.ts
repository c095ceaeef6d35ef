import './page.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { accountQuery } from '../../web/api/account.ts';
import { ordersQuery } from '../../web/api/orders.ts';
import { followOtherTabs } from '../../web/other-tabs.ts';
import { eventually } from '../support/eventually.ts';

/** Reactions to events in other tabs. */

let user: string | null;
let known: QueryClient;
let page: EventTarget;
let gone: AbortController;
let reloads: number;
let looked: unknown[];
let asked: string[];
/** The service's answers to requests for the account. */
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
    return Response.json(answer, { status: 'data' in answer ? 200 : 401 });
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

describe('a page of a signed-in user', () => {
  beforeEach(() => {
    seen({ user: 'ash' });
    user = 'ash';
  });

  it.each([null, 'birch'])('reloads once its user has changed to %s', (next) => {
    user = next;
    happens('storage');
    expect([reloads, asked]).toEqual([1, []]);
  });

  it('reloads after the back/forward cache only if the user changed', () => {
    user = null;
    happens('pageshow', { persisted: false });
    expect(reloads).toBe(0);
    happens('pageshow', { persisted: true });
    expect(reloads).toBe(1);
  });

  it('does nothing after unmount', () => {
    gone.abort();
    user = null;
    happens('storage');
    happens('pageshow', { persisted: true });
    expect(reloads).toBe(0);
  });

  it('reruns no guards after unmount', async () => {
    gone.abort();
    answer = { success: 0, msg: 'Please sign in.' };
    await known.fetchQuery({ ...accountQuery, staleTime: 0 });
    expect(looked).toEqual([]);
  });

  it('reruns the guards and drops the user’s data when the service reports no user', async () => {
    known.setQueryData(['orders'], 'his');
    answer = { success: 0, msg: 'Please sign in.' };
    await known.fetchQuery({ ...accountQuery, staleTime: 0 });
    expect([looked, known.getQueryData(['orders']), user]).toEqual([[null], undefined, null]);
  });

  it('reloads when the service names another user, whatever the storage tells', async () => {
    await known.fetchQuery({ ...accountQuery, staleTime: 0 });
    expect(reloads).toBe(0);
    answer = { success: 1, data: { user: 'birch' } };
    await known.fetchQuery({ ...accountQuery, staleTime: 0 });
    expect([reloads, looked]).toEqual([1, []]);
  });

  it('does nothing when the user signs out on this page', () => {
    seen(null);
    expect(looked).toEqual([]);
  });

  it('ignores other stored values', () => {
    happens('storage');
    happens('pageshow', { persisted: true });
    expect([reloads, asked]).toEqual([0, []]);
  });
});

describe('a page of a visitor', () => {
  it.each([null, undefined])('sends no request while the user stays signed out', (account) => {
    if (account === null) seen(account);
    happens('storage');
    expect([reloads, asked]).toEqual([0, []]);
  });

  it('shows a user who signs in elsewhere without reloading', async () => {
    seen(null);
    user = 'ash';
    happens('storage');
    await eventually(() => expect(looked).toEqual([{ user: 'ash' }]));
    expect([reloads, asked]).toEqual([0, ['https://muster.test/v1/account']]);
  });

  it('accepts the service’s answer that nobody is signed in', async () => {
    answer = { success: 0, msg: 'Please sign in.' };
    user = 'ash';
    happens('storage');
    await eventually(() => expect(looked).toEqual([null]));
    expect([reloads, user]).toEqual([0, null]);
  });
});

it('a finished order list refetches on focus, and the balance always does', () => {
  const again = (data?: { live: boolean }) => {
    const { refetchOnWindowFocus: when } = ordersQuery();
    return typeof when === 'function' && when({ state: { data } } as never);
  };
  // If the account never loaded, the failure triggers a request.
  expect(again()).toBe(false);
  expect([again({ live: false }), again({ live: true }), accountQuery.refetchOnWindowFocus]).toEqual([
    true,
    false,
    'always',
  ]);
});
