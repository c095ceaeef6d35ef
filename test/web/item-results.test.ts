import './page.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { ROWS_AT_ONCE } from '../../domain/scans/results.ts';
import { prefetchResults } from '../../web/api/item-results.ts';
import { itemQuery } from '../../web/api/orders.ts';

/** Prefetching of an item's page. */

afterEach(() => {
  vi.unstubAllGlobals();
});

const ITEM = 'GET /v1/order/item/i7';
const ROWS = 'GET /v1/order/i7/download?type=json';

/** The calls, and whether both were answered when prefetching finished. */
async function asked(item: object | null) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    calls.push(`GET ${String(url).replace('https://muster.test', '')}`);
    await new Promise((settle) => setTimeout(settle, 1));
    if (item === null) return Response.json({ success: 0, msg: 'Not now.' }, { status: 503 });
    return Response.json({ success: 1, data: calls.length === 1 ? item : { rows: [] } });
  });
  await prefetchResults(client, 'i7');
  const done = client.isFetching() === 0;
  client.clear();
  return { calls, done };
}

it.each<[string, object | null, string[]]>([
  ['with results', { has_results: true, rows: ROWS_AT_ONCE, versions: [{ version: 1 }] }, [ITEM, ROWS]],
  ['whose rows are not counted', { has_results: true, rows: null, versions: [{ version: 1 }] }, [ITEM, ROWS]],
  ['of more rows than are sent at once', { has_results: true, rows: ROWS_AT_ONCE + 1 }, [ITEM]],
  ['without results yet', { has_results: false, rows: null }, [ITEM]],
  ['that cannot be read', null, [ITEM]],
])('an item %s', async (_, item, calls) => {
  expect(await asked(item)).toEqual({ calls, done: true });
});

it('rows are fetched again once a repair has made another version', async () => {
  const client = new QueryClient();
  let version = 1;
  const rows: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    if (!url.includes('/download'))
      return Response.json({ success: 1, data: { has_results: true, versions: [{ version }] } });
    rows.push(`version ${version}`);
    return Response.json({ success: 1, data: { rows: [] } });
  });
  for (version of [1, 1, 2]) {
    await client.invalidateQueries({ queryKey: itemQuery('i7').queryKey });
    await prefetchResults(client, 'i7');
  }
  client.clear();
  expect(rows).toEqual(['version 1', 'version 2']);
});
