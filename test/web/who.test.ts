import './page.ts';
import { QueryClient, type QueryFunctionContext } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { accountQuery, balanceOf, forgetUser, isSignedIn } from '../../web/api/account.ts';
import { balanceQuery, statementQuery } from '../../web/api/balance.ts';
import { ApiError } from '../../web/api/client.ts';
import { ownGovernorsQuery, useOwn } from '../../web/api/own-governors.ts';
import { productsQuery } from '../../web/api/products.ts';
import { teamsQuery } from '../../web/api/teams.ts';
import type { DifferenceRows } from '../../web/components/difference/difference-rows.ts';
import { useOwnGovernors } from '../../web/components/events/own-governors.ts';
import { rememberColumns, useRememberedColumns } from '../../web/components/results/column-choice.ts';
import { useCancellation } from '../../web/routes/_signed-in/orders/-order-actions.tsx';
import { eventually } from '../support/eventually.ts';
import { hooked } from './hook.tsx';

/** The signed-in user, their data, and what the browser stores. */

let stored: Map<string, string>;
let answers: (() => Response | Promise<Response>)[];
const sent: { call: string; body: unknown }[] = [];
beforeEach(() => {
  stored = new Map();
  answers = [];
  sent.length = 0;
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => void stored.set(name, text),
    removeItem: (name: string) => void stored.delete(name),
  });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : null;
    sent.push({ call: `${init.method ?? 'GET'} ${String(url).replace('https://muster.test', '')}`, body });
    const next = answers.shift();
    if (!next) throw new Error(`nothing answers ${url}`);
    return next();
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const gives = (data: unknown) => () => Response.json({ success: 1, data });
const refuses = (status: number) => () => Response.json({ success: 0, msg: 'No.' }, { status });
const asked = <Data>({ queryFn }: { queryFn?: unknown }): Promise<Data> =>
  (queryFn as (context: QueryFunctionContext) => Promise<Data>)({
    signal: new AbortController().signal,
  } as QueryFunctionContext);

describe('the signed-in user', () => {
  it('is the one the server names, and the browser stores the name', async () => {
    answers = [gives({ user: 'ash', balance: 12.34 })];
    expect(await asked(accountQuery)).toMatchObject({ user: 'ash' });
    expect(stored.get('user')).toBe('ash');
    expect(balanceOf({ balance: 12.34 })).toBe(1234);
    expect(balanceOf({ balance: 0.001 })).toBe(0);
  });

  it('is nobody if the server says so, and unchanged if it does not answer', async () => {
    stored.set('user', 'ash');
    answers = [refuses(503), () => Promise.reject(new TypeError('no network')), refuses(401)];
    for (const status of [503, 0]) {
      const error = await asked(accountQuery).catch((each: unknown) => each);
      expect(error).toBeInstanceOf(ApiError);
      expect((error as ApiError).status).toBe(status);
      expect(stored.get('user')).toBe('ash');
    }
    expect(await asked(accountQuery)).toBeNull();
    expect(stored.has('user')).toBe(false);
  });

  it('is the stored one until the server has answered', () => {
    expect([isSignedIn(undefined, false), isSignedIn(undefined, true)]).toEqual([false, true]);
    expect([isSignedIn(null, true), isSignedIn({ user: 'ash' }, false)]).toEqual([false, true]);
  });

  it('leaves no data after sign-out', () => {
    const client = new QueryClient();
    stored.set('user', 'ash');
    client.setQueryData(['orders'], ['his']);
    client.setQueryData(accountQuery.queryKey, { user: 'ash' } as never);
    forgetUser(client);
    expect([stored.has('user'), client.getQueryData(['orders']), client.getQueryData(accountQuery.queryKey)]).toEqual([
      false,
      undefined,
      null,
    ]);
  });
});

it('products have their group and prices in whole cents', async () => {
  answers = [
    gives([
      {
        name: 'Scans',
        items: [
          { id: 'a', price: 0.5, price_extra: null },
          { id: 'b', price: 2, price_extra: 1.5 },
        ],
      },
      { name: 'Others', items: [] },
    ]),
  ];
  expect(await asked(productsQuery)).toEqual([
    {
      name: 'Scans',
      items: [
        { id: 'a', group: 'Scans', price: 50, price_extra: null },
        { id: 'b', group: 'Scans', price: 200, price_extra: 150 },
      ],
    },
    { name: 'Others', items: [] },
  ]);
  expect(sent).toEqual([{ call: 'GET /v1/products/list', body: null }]);
});

describe('own governors', () => {
  const mine = { rok: [1, 2], cod: [7], named: [{ game: 'rok', governor_id: 1, name: 'A' }] };
  const shown = async (own: object = mine) => {
    stored.set('user', 'ash');
    answers = [gives(own)];
    const page = await hooked(() => useOwn(true), null);
    await page.does(() => undefined);
    return page;
  };

  it('are fetched only if a user is signed in', async () => {
    const visitor = await hooked(() => useOwn(false), null);
    await visitor.does(() => undefined);
    expect([sent, visitor.value.isOwn('rok', 1)]).toEqual([[], false]);
    visitor.value.toggle('rok', 1);
    expect(sent).toEqual([]);
    await visitor.end();
    const page = await shown();
    expect(sent).toEqual([{ call: 'GET /v1/account/governors', body: null }]);
    expect([page.value.isOwn('rok', 1), page.value.isOwn('rok', 7), page.value.isOwn('cod', 7)]).toEqual([
      true,
      false,
      true,
    ]);
    await page.end();
  });

  it('change at once, keep what was added elsewhere meanwhile, and follow the server’s answer', async () => {
    const page = await shown();
    const named = { game: 'rok', governor_id: 3, name: 'C' } as never;
    let settle: (response: Response) => void = () => undefined;
    const elsewhere = { ...mine, rok: [1, 2, 5] };
    answers = [gives(elsewhere), () => new Promise<Response>((answer) => (settle = answer))];
    await page.does(async () => {
      page.value.toggle('rok', 3, named);
      await eventually(() => expect(sent).toHaveLength(3));
      expect(sent[2]).toEqual({ call: 'PUT /v1/account/governors', body: { rok: [1, 2, 5, 3], cod: [7] } });
      expect(page.client.getQueryData(ownGovernorsQuery.queryKey)).toMatchObject({
        rok: [1, 2, 3],
        named: [...mine.named, named],
      });
      settle(Response.json({ success: 1, data: { ...mine, rok: [3, 2, 1] } }));
    });
    expect(page.client.getQueryData(ownGovernorsQuery.queryKey)).toMatchObject({ rok: [3, 2, 1], named: mine.named });
    answers = [gives({ ...mine, rok: [3, 2, 1] }), gives({ ...mine, cod: [] })];
    await page.does(() => page.value.toggle('cod', 7));
    expect(sent[4]?.body).toEqual({ rok: [3, 2, 1], cod: [] });
    await page.end();
  });

  it('are rolled back if the server refuses', async () => {
    const page = await shown();
    answers = [gives(mine), refuses(400)];
    await page.does(() => page.value.toggle('rok', 2));
    expect(sent[2]?.body).toEqual({ rok: [1], cod: [7] });
    expect(page.client.getQueryData(ownGovernorsQuery.queryKey)).toEqual(mine);
    expect(page.value.saving.error?.message).toBe('No.');
    await page.end();
  });

  it('are pinned above the other rows', async () => {
    stored.set('user', 'ash');
    const rows = { table: { id: [9, 2, 7, 1] } } as unknown as DifferenceRows;
    let settle: (response: Response) => void = () => undefined;
    answers = [() => new Promise<Response>((answer) => (settle = answer))];
    const page = await hooked<{ rows: DifferenceRows | null; game: 'rok' | 'cod' }, number[]>(
      ({ rows: all, game }) => useOwnGovernors(game, all, true),
      { rows, game: 'rok' },
    );
    expect(page.value).toEqual([]);
    await page.does(() => settle(gives(mine)()));
    expect(page.value).toEqual([1, 3]);
    await page.show({ rows, game: 'cod' });
    expect(page.value).toEqual([2]);
    await page.show({ rows: null, game: 'rok' });
    expect(page.value).toEqual([]);
    await page.end();
  });
});

test('balance, statement and teams are read again after a cancellation, also if it was refused', async () => {
  for (const answer of [gives({ cancelled: 1, returned: 1 }), refuses(409)]) {
    const page = await hooked(() => useCancellation('7'), null);
    const keys = [accountQuery.queryKey, balanceQuery.queryKey, statementQuery({}).queryKey, teamsQuery.queryKey];
    for (const key of keys) page.client.setQueryData<unknown>(key, {});
    answers = [answer];
    await page.does(() => page.value.mutate());
    expect(keys.map((key) => page.client.getQueryState(key)?.isInvalidated)).toEqual([true, true, true, true]);
    await page.end();
  }
});

describe('the stored column choice', () => {
  const opened = async (game: string, combined: boolean, columns?: string) => {
    const change = vi.fn();
    const page = await hooked(
      (props: { game: string; combined: boolean; columns: string | undefined }) =>
        useRememberedColumns(props.game, props.combined, props.columns === undefined ? {} : props, change),
      { game, combined, columns },
    );
    return { page, change };
  };

  it('is added to a URL without one, by game and kind of table', async () => {
    rememberColumns('rok', false, 'name,power');
    rememberColumns('rok', true, 'name,deads');
    const { page, change } = await opened('rok', false);
    expect(change.mock.calls).toEqual([[{ columns: 'name,power' }]]);
    await page.show({ game: 'rok', combined: true, columns: undefined });
    expect(change.mock.calls.slice(1)).toEqual([[{ columns: 'name,deads' }]]);
    await page.show({ game: 'cod', combined: true, columns: undefined });
    expect(change).toHaveBeenCalledTimes(2);
    await page.end();
  });

  it('gives way to the URL, and is removed with the default', async () => {
    rememberColumns('rok', false, 'name,power');
    const chosen = await opened('rok', false, 'name');
    expect(chosen.change).not.toHaveBeenCalled();
    await chosen.page.end();
    rememberColumns('rok', false, undefined);
    const { page, change } = await opened('rok', false);
    expect(change).not.toHaveBeenCalled();
    await page.end();
  });

  it('is empty if storage is disabled', async () => {
    vi.stubGlobal('localStorage', undefined);
    rememberColumns('rok', false, 'name,power');
    const { page, change } = await opened('rok', false);
    expect(change).not.toHaveBeenCalled();
    await page.end();
  });
});
