import '../page.ts';
import { expect, test, vi } from 'vitest';
import { RowIndex } from '../../../web/table/row-index.ts';
import { useAhead } from '../../../web/table/use-ahead.ts';
import { useIndexedPage } from '../../../web/table/use-indexed-page.ts';
import { hooked } from '../hook.tsx';

/** Seven rows: row 0 has the least power, row 6 the most. */
const index = new RowIndex(7, (row) => `governor ${row}`);
const values = (id: string) => (id === 'power' ? index.values(id, (row) => row * 10) : null);
type Given = Parameters<typeof useIndexedPage>[0];
const given = (part: Partial<Given>): Given => ({
  index,
  rows: index.all,
  values,
  query: '',
  search: {},
  change: () => undefined,
  usual: { id: 'power', ascending: false },
  usualSize: 3,
  ...part,
});
async function shownBy(part: Partial<Given>) {
  const page = await hooked(useIndexedPage, given(part));
  const { shown, from, count, pager } = page.value;
  await page.end();
  return [shown, from, count, pager.pages];
}

test('a page shows its rows in the usual order, and a page past the end shows the last', async () => {
  expect(await shownBy({})).toEqual([[6, 5, 4], 0, 7, 3]);
  expect(await shownBy({ search: { page: 2 } })).toEqual([[3, 2, 1], 3, 7, 3]);
  expect(await shownBy({ search: { page: 9 } })).toEqual([[0], 6, 7, 3]);
  expect(await shownBy({ search: { size: 5, page: 2 } })).toEqual([[1, 0], 5, 7, 2]);
  expect(await shownBy({ rows: new Uint32Array() })).toEqual([[], 0, 0, 1]);
});

test('the URL’s order and the search apply; an unknown column sorts as usual, or not at all', async () => {
  expect((await shownBy({ search: { sort: 'power', ascending: true } }))[0]).toEqual([0, 1, 2]);
  expect((await shownBy({ search: { sort: 'constructor' } }))[0]).toEqual([6, 5, 4]);
  expect((await shownBy({ search: { sort: 'constructor', ascending: true } }))[0]).toEqual([6, 5, 4]);
  expect((await shownBy({ search: { sort: 'constructor' }, usual: null }))[0]).toEqual([0, 1, 2]);
  expect((await shownBy({ usual: null }))[0]).toEqual([0, 1, 2]);
  expect(await shownBy({ query: 'Governor 4' })).toEqual([[4], 0, 1, 1]);
  expect(await shownBy({ rows: Uint32Array.of(1, 3) })).toEqual([[3, 1], 0, 2, 1]);
});

test('rows that are not loaded yet count as pages', async () => {
  expect(await shownBy({ total: 30, search: { page: 4 } })).toEqual([[], 9, 30, 10]);
});

test('another order, page or size goes to the URL, without what is usual', async () => {
  const change = vi.fn();
  const page = await hooked(useIndexedPage, given({ change, search: { page: 2 } }));
  const { onSort, pager } = page.value;
  onSort({ id: 'power', ascending: true });
  onSort({ id: 'power', ascending: false });
  pager.change(3);
  pager.change(1);
  pager.resize(5);
  pager.resize(3);
  await page.end();
  expect(change.mock.calls.map(([part]) => part)).toEqual([
    { sort: 'power', ascending: true, page: undefined },
    { sort: undefined, ascending: undefined, page: undefined },
    { page: 3 },
    { page: undefined },
    { size: 5, page: undefined },
    { size: undefined, page: undefined },
  ]);
});

test('new values of a column sort again', async () => {
  const page = await hooked(useIndexedPage, given({}));
  await page.show(given({ values: () => Float64Array.of(7, 1, 1, 9, 1, 1, 1) }));
  expect(page.value.shown).toEqual([3, 0, 1]);
  await page.end();
});

/** A header on a phone, whose order is loaded once it is on the screen and the browser is idle. */
async function onPhone() {
  const moments: (() => void)[] = [];
  const load = vi.fn();
  const observed = { show: () => {}, disconnect: vi.fn() };
  const header = await hooked(
    () => useAhead({ id: 'power', ascending: false }, { path: () => '/v1/rows', load }),
    undefined,
  );
  vi.stubGlobal('requestIdleCallback', (moment: () => void) => moments.push(moment));
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(seen: (entries: object[]) => void) {
        observed.show = () => seen([{ isIntersecting: true }]);
      }
      observe() {}
      disconnect = observed.disconnect;
    },
  );
  const leave = header.value?.ref({} as HTMLElement);
  const end = async () => {
    await header.end();
    vi.unstubAllGlobals();
  };
  const idle = () => {
    for (const moment of moments.splice(0)) moment();
  };
  return { ...observed, show: () => observed.show(), load, leave, idle, end };
}

test('an order is loaded once when its header is on the screen', async () => {
  const { show, disconnect, load, idle, end } = await onPhone();
  show();
  expect([load.mock.calls.length, disconnect.mock.calls.length]).toEqual([0, 1]);
  idle();
  idle();
  expect(load.mock.calls).toEqual([[{ id: 'power', ascending: false }]]);
  await end();
});

test('no order is loaded for a header that has left before the browser is idle', async () => {
  const { show, load, leave, idle, end } = await onPhone();
  show();
  leave?.();
  idle();
  expect(load).not.toHaveBeenCalled();
  await end();
});
