import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { addDays, type Day, dayStart } from '../../domain/days.ts';
import { publishDueBoards } from '../../worker/services/boards/publish-boards.ts';
import { caller, db, send } from './client.ts';
import { governor, publishRows } from './scans.ts';

/** Rows of a board in another order than by rank. */

const DAY: Day = '2026-03-09';
const ROWS = 230;
const visitor = caller();
const asked = (query: string) => visitor.call('GET', `/v1/governor/rankings/rok?${query}`);

interface Ranked {
  rank: number;
  governor_id: number;
  deads: number | null;
  name: string;
}

const ranked = async (query: string): Promise<Ranked[]> => (await asked(query)).data.rankings;

beforeAll(async () => {
  const at = dayStart(DAY) + 5 * 3_600_000;
  const rows = Array.from({ length: ROWS }, (_, index) =>
    governor(index + 1, 9e7 - index * 1000, {
      // Unknown for some, and equal for many.
      deads: index % 10 === 3 ? null : (index * 37) % 23,
      name: index % 50 === 0 ? '' : index === 228 ? '가온' : `Governor ${index + 1}`,
    }),
  );
  await publishRows('rok', 1001, at, rows);
  await publishDueBoards(db, env.STORE, dayStart(addDays(DAY, 1)) + 1000);
});

/** All rows by a figure, unknown ones last, equal ones by rank. */
const byDeads = (all: readonly Ranked[], ascending: boolean): number[] =>
  all
    .toSorted(({ deads: one }, { deads: other }) => {
      if (one === null || other === null) return Number(one === null) - Number(other === null);
      return ascending ? one - other : other - one;
    })
    .map(({ rank }) => rank);

it.each([false, true])(
  'come by pages in the whole board’s order, unknown figures last (ascending: %s)',
  async (rising) => {
    const all = await ranked('count=-1');
    const pages = [];
    for (const page of [0, 1, 2])
      pages.push(...(await ranked(`count=100&page=${page}&sort=deads&ascending=${rising}`)));
    expect(pages.map(({ rank }) => rank)).toEqual(byDeads(all, rising));
    const slice = await ranked(`count=25&page=3&sort=deads&ascending=${rising}`);
    expect(slice).toEqual(pages.slice(75, 100));
  },
);

it('sort texts by numbers in them, empty ones last', async () => {
  const names = (await ranked('count=100&sort=name&ascending=true')).map(({ name }) => name);
  expect(names.slice(0, 3)).toEqual(['Governor 2', 'Governor 3', 'Governor 4']);
  const [last] = (await ranked('count=10&page=22&sort=name')).slice(-1);
  expect(last?.name).toBe('');
});

it('sort texts in the order of the language that is asked for', async () => {
  const first = async (language: string) =>
    (await ranked(`count=10&sort=name&ascending=true&language=${language}`))[0]?.name;
  expect(await first('en')).toBe('Governor 2');
  // In Korean, Hangul comes before Latin letters.
  expect(await first('ko')).toBe('가온');
  expect(await first('de')).toBe('Governor 2');
  expect((await asked('count=10&sort=name&language=nl')).status).toBe(400);
  const tag = async (more: string) =>
    (await send(`/v1/governor/rankings/rok?count=10&sort=${more}`, {}, env)).headers.get('etag');
  expect(await tag('name&language=ko')).not.toBe(await tag('name'));
  // Figures have one order.
  expect(await tag('deads&language=ko')).toBe(await tag('deads'));
});

it('come with the figures of the whole board', async () => {
  const [{ data: sorted }, { data: whole }] = [await asked('count=10&sort=deads'), await asked('count=10')];
  expect(sorted.info).toEqual(whole.info);
  const kingdoms = await visitor.call('GET', '/v1/kingdom/rankings/rok?count=10&sort=total_deads');
  expect(kingdoms.data.rankings.map(({ kingdom_id }: { kingdom_id: number }) => kingdom_id)).toEqual([1001]);
});

it('have an ETag for each order', async () => {
  const tags = new Set<string | null>();
  for (const order of ['', '&sort=deads', '&sort=deads&ascending=true', '&sort=name'])
    tags.add((await send(`/v1/governor/rankings/rok?count=100&page=0${order}`, {}, env)).headers.get('etag'));
  expect(tags.size).toBe(4);
});

it.each([
  ['count=100&sort=shoe_size', /^sort: 'shoe_size' is not one of rank, .*deads/],
  ['count=100&sort=merits', /^sort: 'merits' is not one of/],
  ['sort=deads', /^count: must be one of 10, 25, 50, 100 if the rows are sorted/],
  ['count=100&sort=deads&ascending=down', /^ascending: .*must be true or false/],
  ['count=100&page=3&sort=deads', /^page: there are 3 of 100 rows/],
])('are refused for %s', async (query, message) => {
  expect(await asked(query)).toMatchObject({ status: 400, msg: expect.stringMatching(message) });
});
