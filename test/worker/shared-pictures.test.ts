import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { GAMES } from '../../domain/games/games.ts';
import { Adder } from '../../domain/scans/result-sums.ts';
import { emptyTable, numbersOf, type Row, tableOf, textsOf } from '../../domain/scans/rows.ts';
import { writeSnapshot } from '../../worker/files/parquet.ts';
import { keepSums } from '../../worker/gateways/snapshot-store.ts';
import type { Stored } from '../../worker/services/results/page-results.ts';
import { sharedCard, shownWithSums } from '../../worker/services/results/shared-card.ts';
import { governor } from './scans.ts';

/**
 * The picture of shared results: the strongest first, each once, and none whose power is in doubt. The sums in the head
 * of their page.
 */

const DAY = Date.parse('2026-03-02T10:00Z');
const stored = (kingdom_id: number, more: Partial<Stored> = {}): Stored => ({
  key: `pictures/${kingdom_id}`,
  game: 'rok',
  kind: 'scan',
  kingdom_id,
  captured_at: DAY,
  rows: 1,
  ...more,
});
const shared = (...snapshots: [Stored, ...Stored[]]) =>
  sharedCard(env.STORE, { game: 'rok', combined: true, snapshots, expires_at: 1 });

it('a picture of one scan shows its five strongest governors', async () => {
  const rows: Row[] = [
    governor(1, 9e6, { doubted: 'power' }),
    governor(2, 8e6),
    governor(3, 7e6, { alliance_tag: '' }),
    governor(2, 6e6),
    governor(4, 5e6, { name: '' }),
    governor(5, 4e6, { doubted: 'deads' }),
    governor(6, 3e6),
    governor(7, 2e6),
  ];
  const meta = { game: 'rok' as const, kingdom_id: 7, captured_at: DAY, source: '', quality: {} };
  await env.STORE.put('pictures/7', writeSnapshot(tableOf('rok', rows), meta));
  const card = await shared(stored(7, { rows: 8 }));
  expect([card.title, card.line]).toEqual(['Kingdom 7 · 2 Mar 2026', 'Rise of Kingdoms · 8 governors by power']);
  expect(card.rows.map(({ rank, otherwise, value }) => [rank, otherwise, value])).toEqual([
    [1, 'Governor 2', 8e6],
    [2, 'Governor 3', 7e6],
    [3, 'Governor 4', 5e6],
    [4, 'Governor 5', 4e6],
    [5, 'Governor 6', 3e6],
  ]);
  expect(card.rows.slice(0, 3).map(({ name, about }) => [name, about])).toEqual([
    ['Governor 2', '[A2]'],
    ['Governor 3', 'Kingdom 7'],
    ['', '[A1]'],
  ]);
});

it('a picture of several kingdoms shows the five strongest with known power', async () => {
  const powers = [5, 9, null, 7, 1, 3, 8];
  const snapshots = powers.map((_, index) => stored(11 + index, { rows: index + 1 })) as [Stored, ...Stored[]];
  snapshots.push(stored(18, { kind: 'history' }), stored(19, { game: 'cod' }));
  const none = new Adder().finish();
  const parts = [...powers, 20, 30].map((value) => ({ ...none, power: { ...none.power, value } }));
  await keepSums(
    env.STORE,
    snapshots.map(({ key }) => key),
    { parts, totals: [] },
  );
  const card = await shared(...snapshots);
  expect([card.title, card.line]).toEqual([
    '9 kingdoms · 2 Mar 2026',
    'Rise of Kingdoms · 30 rows · kingdoms by power',
  ]);
  expect(card.rows.map(({ rank, name, about, value }) => [rank, name, about, value])).toEqual([
    [1, 'Kingdom 12', '2 governors', 9],
    [2, 'Kingdom 17', '7 governors', 8],
    [3, 'Kingdom 14', '4 governors', 7],
    [4, 'Kingdom 11', '1 governor', 5],
    [5, 'Kingdom 16', '6 governors', 3],
  ]);
});

const sumsOf = async (...snapshots: [Stored, ...Stored[]]) =>
  (await shownWithSums(env.STORE, { game: 'rok', combined: true, snapshots, expires_at: 1 })).sums;

/** Two histories. The first one ends a day before the other. */
const HISTORIES = [1, 2].map((kingdom_id) => stored(kingdom_id, { key: `histories/${kingdom_id}`, kind: 'history' }));
const [EARLY, LATE] = HISTORIES as [Stored, Stored];

it('a page has the sums of one history, but not those of several, which may end on different days', async () => {
  for (const { key, kingdom_id } of HISTORIES) {
    const table = emptyTable('rok', 1, 'history');
    textsOf(table, 'day')[0] = `2026-03-0${kingdom_id}`;
    numbersOf(table, GAMES.rok.roles.power)[0] = 9e6;
    const meta = { game: 'rok', kind: 'history', kingdom_id, captured_at: DAY, source: '', quality: {} } as const;
    await env.STORE.put(key, writeSnapshot(table, meta));
  }
  expect(await sumsOf(EARLY)).toMatchObject({ count: 1, power: { value: 9e6 } });
  expect(await sumsOf(EARLY, LATE)).toBeNull();
});

it('a page lacks the sums of results that cannot be read', async () => {
  expect(await sumsOf(stored(21, { key: 'pictures/lost' }))).toBeNull();
});
