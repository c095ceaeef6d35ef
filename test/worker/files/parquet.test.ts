import { Buffer } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { GAMES } from '../../../domain/games/games.ts';
import { emptyTable, type Row, type Table, tableOf } from '../../../domain/scans/rows.ts';
import { packDeltas } from '../../../worker/files/deltas.ts';
import {
  openSnapshot,
  readSnapshot,
  SnapshotWriter,
  wholeTable,
  writeSnapshot,
} from '../../../worker/files/parquet.ts';
import { readFooter } from '../../../worker/files/parquet-footer.ts';
import { OLDER_SNAPSHOT } from './older-snapshot.ts';
import { HOSTILE, hostileTable, MOMENT, metaFor, plainTable } from './rows.ts';

const back = async (table: Table) => (await readSnapshot(writeSnapshot(table, metaFor(table)))).table;

/** The file as hyparquet reads it, which is independent of our writer. */
const byLibrary = (bytes: Uint8Array<ArrayBuffer>) =>
  parquetReadObjects({
    file: bytes.slice().buffer,
    compressors: Object.fromEntries([['GZIP', (input: Uint8Array) => gunzipSync(input)]]),
  });

test('hostile names, the largest numbers and missing values survive a round trip', async () => {
  const table = hostileTable();
  expect(await back(table)).toEqual(table);
});

test('12,345 rows of each game survive a round trip, in row groups', async () => {
  for (const game of ['rok', 'cod'] as const) {
    const table = plainTable(game, 12_345);
    const snapshot = await openSnapshot(writeSnapshot(table, metaFor(table)));
    expect(snapshot.count).toBe(12_345);
    const sizes: number[] = [];
    for await (const group of snapshot.groups([GAMES[game].roles.id])) sizes.push(group.count);
    expect(sizes).toEqual([10_000, 2_345]);
    expect(await wholeTable(snapshot)).toEqual(table);
  }
});

test('a table without rows makes a file too', async () => {
  const empty = emptyTable('cod', 0);
  const snapshot = await openSnapshot(writeSnapshot(empty, metaFor(empty)));
  expect(snapshot.count).toBe(0);
  expect([...snapshot.filled]).toEqual([]);
  expect(await wholeTable(snapshot)).toEqual(empty);
});

test('the metadata survives a round trip', async () => {
  const table = plainTable('rok', 3);
  const meta = { ...metaFor(table), quality: { ok: 2, listed: 1 } };
  const bytes = writeSnapshot(table, meta);
  expect((await openSnapshot(bytes)).meta).toEqual(meta);
  expect(meta.captured_at).toBe(MOMENT);
});

test('columns are read by name, unknown ones refused, and empty ones known without reading', async () => {
  const table = plainTable('rok', 100);
  const snapshot = await openSnapshot(writeSnapshot(table, metaFor(table)));
  const { power, name, highestPower } = GAMES.rok.roles;
  const some = await wholeTable(snapshot, [power, name]);
  expect(Object.keys(some.numbers)).toEqual([power]);
  expect(some.numbers[power]).toEqual(table.numbers[power]);
  expect(some.texts).toEqual({ [name]: table.texts[name] });
  expect(snapshot.filled.has(highestPower)).toBe(true);
  expect(snapshot.filled.has('civilization')).toBe(false);
  expect(() => snapshot.groups(['no_such_column'])).toThrow("rok has no column 'no_such_column'");
});

test('only the bytes of the row group and its columns are fetched', async () => {
  const table = plainTable('rok', 20_000);
  const bytes = writeSnapshot(table, metaFor(table));
  const fetched: number[] = [];
  const file = {
    byteLength: bytes.length,
    slice: (from: number, to = bytes.length) => {
      fetched.push(to - from);
      return bytes.slice(from, to).buffer;
    },
  };
  const snapshot = await openSnapshot(file);
  fetched.length = 0;
  for await (const group of snapshot.groups(['power'])) expect(group.count).toBe(10_000);
  expect(fetched.length).toBe(2);
  expect(Math.max(...fetched)).toBeLessThan(80_000);
});

test('a column without values costs almost nothing', async () => {
  const table = plainTable('rok', 10_000);
  const bytes = writeSnapshot(table, metaFor(table));
  const filled = { ...table, numbers: { ...table.numbers, helps_received: table.numbers.power as Float64Array } };
  const empty = GAMES.rok.columns.length - (await openSnapshot(bytes)).filled.size;
  expect(writeSnapshot(filled, metaFor(table)).length - bytes.length).toBeGreaterThan(10_000);
  expect(writeSnapshot(emptyTable('rok', 10_000), metaFor(table)).length / GAMES.rok.columns.length).toBeLessThan(250);
  expect(empty).toBeGreaterThan(30);
});

test('another Parquet reader reads the same', async () => {
  const table = hostileTable();
  const rows = await byLibrary(writeSnapshot(table, metaFor(table)));
  expect(rows.length).toBe(table.count);
  // It drops a byte order mark at the start of a name, though the mark is in the bytes.
  const withoutMark = table.texts.name?.map((name) => name?.replace(/^\ufeff/, '') ?? null);
  expect(rows.map((row) => row.name)).toEqual(withoutMark);
  expect(rows[0]?.power).toBe(BigInt(Number.MAX_SAFE_INTEGER));
  expect(rows[3]?.killcount_t1).toBe(2n ** 32n + 2n);
  expect(rows[3]?.ark_kills_per_battle).toBe(3.125);
  expect(rows.at(-1)?.power).toBeNull();
});

test('another reader finds the same in the footer, whatever its length', async () => {
  for (const table of [hostileTable(), plainTable('cod', 35_000), emptyTable('rok', 0)]) {
    const bytes = writeSnapshot(table, metaFor(table));
    const file = {
      byteLength: bytes.length,
      slice: (from: number, to = bytes.length) => bytes.slice(from, to).buffer,
    };
    const [ours, theirs] = [await readFooter(file), await parquetMetadataAsync(file)];
    expect([...ours.values]).toEqual(theirs.key_value_metadata?.map(({ key, value }) => [key, value]));
    expect(ours.groups.map(({ rows, columns }) => ({ rows, columns: [...columns] }))).toEqual(
      theirs.row_groups.map((group) => ({
        rows: Number(group.num_rows),
        columns: group.columns.flatMap(({ meta_data: column }) => {
          if (!column || column.statistics?.null_count === group.num_rows) return [];
          const start = Number(column.data_page_offset);
          return [[column.path_in_schema.join('.'), { start, end: start + Number(column.total_compressed_size) }]];
        }),
      })),
    );
  }
});

test('columns are read into a table from any row on, and nothing else changes', async () => {
  const table = hostileTable();
  const snapshot = await openSnapshot(writeSnapshot(table, metaFor(table)));
  const keys = ['power', 'deads', 'civilization', 'name'];
  const room = { game: 'rok', count: table.count + 5, numbers: {}, texts: {} } as Table;
  for (const key of ['power', 'deads']) room.numbers[key] = new Float64Array(room.count).fill(-1);
  for (const key of ['civilization', 'name']) room.texts[key] = new Array<string | null>(room.count).fill('before');
  await snapshot.into(room, 3, keys);
  for (const key of ['power', 'deads'])
    expect([...(room.numbers[key] ?? [])]).toEqual([-1, -1, -1, ...(table.numbers[key] ?? []), -1, -1]);
  for (const key of ['civilization', 'name'])
    expect(room.texts[key]).toEqual(['before', 'before', 'before', ...(table.texts[key] ?? []), 'before', 'before']);
});

test('a file with a changed byte is read or refused, and never read forever', async () => {
  const table = plainTable('rok', 40);
  const bytes = writeSnapshot(table, metaFor(table));
  const read = (bent: Uint8Array<ArrayBuffer>) =>
    readSnapshot(bent).then(
      () => 'read',
      (error: unknown) => (error instanceof Error ? 'refused' : 'thrown'),
    );
  const place = fc.nat(bytes.length - 1);
  await fc.assert(
    fc.asyncProperty(place, fc.nat(255), async (at, value) => {
      const bent = bytes.slice();
      bent[at] = value;
      expect(['read', 'refused']).toContain(await read(bent));
    }),
    { numRuns: 300 },
  );
  // A file that was cut off has no footer.
  await fc.assert(
    fc.asyncProperty(place, async (end) => {
      expect(await read(bytes.slice(0, end))).toBe('refused');
    }),
  );
});

test('a page with a changed byte is refused, whatever it holds', async () => {
  const table = hostileTable();
  const bytes = writeSnapshot(table, metaFor(table));
  const file = { byteLength: bytes.length, slice: (from: number, to = bytes.length) => bytes.slice(from, to).buffer };
  const [group] = (await readFooter(file)).groups;
  for (const { end } of group?.columns.values() ?? []) {
    const bent = bytes.slice();
    bent[end - 1] = (bent[end - 1] as number) ^ 1;
    await expect(readSnapshot(bent)).rejects.toThrow('the page is not what its checksum says');
  }
});

test('a snapshot from before integers were packed is still read', async () => {
  const rows: Row[] = [
    { governor_id: 12, name: 'Ana', power: 2 ** 40 + 5, deads: 7, ark_kills_per_battle: 3.125 },
    { governor_id: 11, name: 'Bo 灯', power: 900 },
    { governor_id: 13, name: 'Cem', power: 0, deads: 0 },
  ];
  const { meta, table } = await readSnapshot(gunzipSync(Buffer.from(OLDER_SNAPSHOT, 'base64')));
  expect(meta.kingdom_id).toBe(3584);
  expect(table).toEqual(tableOf('rok', rows));
});

/** Numbers whose differences have up to `bits` bits, some of them missing. */
const figures = fc
  .record({ bits: fc.nat(53), least: fc.constantFrom(0, 1, -(2 ** 51), 2 ** 52, -Number.MAX_SAFE_INTEGER) })
  .chain(({ bits, least }) =>
    fc.array(fc.option(fc.maxSafeNat(), { nil: null, freq: 20 }), { minLength: 1, maxLength: 300 }).map((draws) =>
      draws.map((draw) => {
        const value = draw === null ? null : (draw % 2 ** bits) + least;
        return value === null || !Number.isSafeInteger(value) ? null : value;
      }),
    ),
  );

test('integers of every size survive a round trip, also in another reader', async () => {
  await fc.assert(
    fc.asyncProperty(figures, async (values) => {
      const table = tableOf(
        'rok',
        values.map((killpoints) => ({ killpoints })),
      );
      const bytes = writeSnapshot(table, metaFor(table));
      expect((await readSnapshot(bytes)).table).toEqual(table);
      const theirs = (await byLibrary(bytes)).map(({ killpoints }) =>
        killpoints === null ? null : Number(killpoints),
      );
      expect(theirs).toEqual(values);
    }),
    { numRuns: 150 },
  );
});

test('a partial block takes no more bits than its numbers', () => {
  const noise = Array.from({ length: 129 }, (_, index) => (index * 7919) % 1000);
  const [block, oneMore] = [noise, [...noise, (noise.at(-1) ?? 0) + 1]].map((values) =>
    packDeltas(Float64Array.from(values)),
  );
  // The next block: its smallest difference in one byte, and four widths of 0.
  expect((oneMore?.length ?? 0) - (block?.length ?? 0)).toBe(5);
});

test('names of every length and script survive a round trip, also if they repeat', async () => {
  const letters = ['a', 'é', '灯', '🏰'];
  const names = letters.flatMap((letter) => Array.from({ length: 200 }, (_, length) => letter.repeat(length + 1)));
  const mixed = [...names, ...names.toReversed(), '', ...names.map((name, index) => name + letters[index % 4])];
  const read = await back(
    tableOf(
      'rok',
      mixed.map((name, index) => ({ governor_id: index + 1, name })),
    ),
  );
  expect(read.texts.name).toEqual(mixed);
});

test('lone surrogates become the replacement character', async () => {
  const read = await back(tableOf('rok', [{ governor_id: 1, name: 'half \ud83d and \ude00' }]));
  expect(read.texts.name).toEqual(['half \ufffd and \ufffd']);
});

test('a fraction is refused in a column of integers', () => {
  const table = tableOf('rok', [{ governor_id: 1.5 }]);
  expect(() => writeSnapshot(table, metaFor(table))).toThrow('governor_id: 1.5 is no whole number');
});

test('tables appended one by one make one file', async () => {
  const writer = new SnapshotWriter({ game: 'rok' });
  const whole = plainTable('rok', 700);
  for (const [from, to] of [
    [0, 500],
    [500, 500],
    [500, 700],
  ] as const) {
    const part: Table = { game: 'rok', count: to - from, numbers: {}, texts: {} };
    for (const [key, values] of Object.entries(whole.numbers)) part.numbers[key] = values.slice(from, to);
    for (const [key, values] of Object.entries(whole.texts)) part.texts[key] = values.slice(from, to);
    writer.append(part);
  }
  expect((await readSnapshot(writer.finish(metaFor(whole)))).table).toEqual(whole);
});

test('bytes that are no snapshot are refused', async () => {
  await expect(openSnapshot(new TextEncoder().encode('no Parquet at all'))).rejects.toThrow();
});

const cell = fc.option(fc.oneof(fc.maxSafeNat(), fc.nat(1000)), { nil: null });
const row: fc.Arbitrary<Row> = fc.record({
  governor_id: cell,
  power: cell,
  ark_kills_per_battle: fc.option(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), { nil: null }),
  name: fc.option(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 50 }), fc.constantFrom(...HOSTILE)), { nil: null }),
});

test('any rows survive a round trip', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 60 }), async (rows) => {
      const table = tableOf('rok', rows);
      expect(await back(table)).toEqual(table);
    }),
    { numRuns: 60 },
  );
});
