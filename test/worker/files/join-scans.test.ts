import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { type Row, tableOf } from '../../../domain/scans/rows.ts';
import { writeSnapshot } from '../../../worker/files/parquet.ts';
import { putSnapshot } from '../../../worker/gateways/snapshot-store.ts';
import { joinScans } from '../../../worker/services/scans/join-scans.ts';

const { STORE } = env as unknown as { STORE: R2Bucket };

/** Stores rows as a scan. */
async function stored(key: string, captured_at: number, rows: readonly Row[]) {
  const meta = { game: 'rok', kingdom_id: 1, captured_at, source: 'test', quality: {} } as const;
  await putSnapshot(STORE, key, writeSnapshot(tableOf('rok', rows), meta));
  return { key, captured_at, rows: rows.length };
}

const lord = (id: number, more: Row = {}): Row => ({ governor_id: id, name: `Lord ${id}`, power: id * 100, ...more });

test('scans are joined newest first, with each governor’s newest reading', async () => {
  const scans = [
    await stored('old', 100, [lord(1), lord(2, { power: 7 })]),
    await stored('new', 200, [lord(2, { power: 9 }), lord(3)]),
    await stored('oldest', 50, [lord(3, { power: 1 }), lord(4)]),
  ];
  const side = await joinScans(STORE, 'rok', scans, { core: ['power', 'name'], more: [] });
  expect([...(side.numbers.governor_id ?? [])]).toEqual([2, 3, 1, 4]);
  expect([...(side.numbers.power ?? [])]).toEqual([9, 300, 100, 400]);
  expect(side.texts.name).toEqual(['Lord 2', 'Lord 3', 'Lord 1', 'Lord 4']);
  expect(side.count).toBe(4);
});

test('a column missing in one scan is empty there, and one missing in all is left out unless required', async () => {
  const scans = [
    await stored('few', 3, [lord(1), lord(2)]),
    await stored('deads', 2, [lord(3, { deads: 5 }), lord(4)]),
    await stored('tags', 1, [lord(5, { alliance_tag: 'OWL' })]),
  ];
  const columns = { core: [], more: ['deads', 'alliance_tag', 'acclaim', 'deads'] };
  const side = await joinScans(STORE, 'rok', scans, columns);
  expect([...(side.numbers.deads ?? [])]).toEqual([Number.NaN, Number.NaN, 5, Number.NaN, Number.NaN]);
  expect(side.texts.alliance_tag).toEqual([null, null, null, null, 'OWL']);
  expect(Object.keys(side.numbers).sort()).toEqual(['deads', 'governor_id']);
  const must = await joinScans(STORE, 'rok', scans, { core: ['deads', 'acclaim', 'alliance_tag'], more: [] });
  expect([...(must.numbers.acclaim ?? [])]).toEqual(new Array(5).fill(Number.NaN));
  expect([...(must.numbers.deads ?? [])]).toEqual([Number.NaN, Number.NaN, 5, Number.NaN, Number.NaN]);
  expect(must.texts.alliance_tag).toEqual([null, null, null, null, 'OWL']);
});

test('more scans than are read at once keep their order', async () => {
  const scans = [];
  for (let number = 0; number < 15; number++)
    scans.push(await stored(`many-${number}`, 1000 - number, [lord(2 * number + 1), lord(2 * number + 2)]));
  const side = await joinScans(STORE, 'rok', scans, { core: ['power'], more: [] });
  expect([...(side.numbers.governor_id ?? [])]).toEqual(Array.from({ length: 30 }, (_, row) => row + 1));
  expect([...(side.numbers.power ?? [])]).toEqual(Array.from({ length: 30 }, (_, row) => (row + 1) * 100));
});

test('a file with more rows than the database knows of is refused', async () => {
  const scan = await stored('three', 1, [lord(1), lord(2), lord(3)]);
  await expect(joinScans(STORE, 'rok', [{ ...scan, rows: 2 }], { core: [], more: [] })).rejects.toThrow(
    'snapshot three holds 3 rows where 2 are known',
  );
});
