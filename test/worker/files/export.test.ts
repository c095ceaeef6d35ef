import ExcelJs from 'exceljs';
import * as fc from 'fast-check';
import { parquetMetadata } from 'hyparquet';
import { expect, test } from 'vitest';
import {
  cellOf,
  emptyTable,
  numbersOf,
  presentColumns,
  type Row,
  type Table,
  tableOf,
  textsOf,
} from '../../../domain/scans/rows.ts';
import { defused } from '../../../domain/scans/spreadsheet.ts';
import { exportStream } from '../../../worker/files/export.ts';
import { openSnapshot, readSnapshot, writeSnapshot } from '../../../worker/files/parquet.ts';
import { exported, HOSTILE, hostileTable, metaFor, plainTable, textOf } from './rows.ts';

/** Rows as files contain them. */
function expectedRows(table: Table): Row[] {
  const columns = presentColumns(table);
  return Array.from({ length: table.count }, (_, row) =>
    Object.fromEntries(columns.map((column) => [column.key, cellOf(table, column, row)])),
  );
}

/** A reader of csv by RFC 4180 that is independent of the writer. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let match = field.exec(text); match; match = field.exec(text)) {
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '\r\n') {
      rows.push(row);
      row = [];
    }
  }
  expect(row).toEqual([]);
  return rows;
}

const inCsv = (value: string | number | null): string =>
  value === null ? '' : typeof value === 'string' ? defused(value) : String(value);

function expectCsv(bytes: Uint8Array, rows: Row[], keys: string[]): void {
  const [header, ...lines] = parseCsv(textOf(bytes));
  expect(header).toEqual(keys);
  expect(lines).toEqual(rows.map((row) => keys.map((key) => inCsv(row[key] ?? null))));
}

async function workbook(bytes: Uint8Array): Promise<ExcelJs.Workbook> {
  const book = new ExcelJs.Workbook();
  await book.xlsx.load(bytes.slice().buffer as never);
  return book;
}

/** exceljs resolves Excel's escapes in shared strings but not in inline ones; Excel resolves both. */
const resolved = (value: unknown): unknown =>
  typeof value === 'string'
    ? value.replace(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : value;

/** The cells of the rows' sheet below its header, empty ones as null. */
async function sheetRows(bytes: Uint8Array): Promise<unknown[][]> {
  const sheet = (await workbook(bytes)).worksheets[0] as ExcelJs.Worksheet;
  const width = sheet.columnCount;
  return Array.from({ length: sheet.rowCount - 1 }, (_, row) =>
    Array.from({ length: width }, (_, column) => resolved(sheet.getRow(row + 2).getCell(column + 1).value ?? null)),
  );
}

const keysOf = (table: Table) => presentColumns(table).map(({ key }) => key);
/** Tables of 300 rows are sorted by power already; the hostile one keeps its order. */
const TABLES = [hostileTable(), plainTable('rok', 300), plainTable('cod', 300), emptyTable('rok', 0)];

test('csv contains every cell, with formulas defused and unread figures empty', async () => {
  for (const table of TABLES) expectCsv(await exported('csv', [table]), expectedRows(table), keysOf(table));
});

test('no cell of a csv can run as a formula, and tags that look like one stay unchanged', async () => {
  const table = tableOf('rok', [
    { governor_id: 1, name: '=HYPERLINK("http://example.com","x")', alliance_tag: '-IR-', power: 5 },
    { governor_id: 2, name: 'a;=1+1;b', alliance_tag: '@ABC', power: 4 },
  ]);
  const [, ...lines] = parseCsv(textOf(await exported('csv', [table])));
  expect(lines.map((cells) => [cells[1], cells[3]])).toEqual([
    ['-IR-', `'=HYPERLINK("http://example.com","x")`],
    ['@ABC', "a;'=1+1;b"],
  ]);
});

test('json contains every cell under the keys of the specification', async () => {
  for (const table of TABLES) {
    const {
      data: { rows },
    } = JSON.parse(textOf(await exported('json', [table]))) as { data: { rows: Row[] } };
    expect(rows).toEqual(expectedRows(table));
  }
});

test('xlsx contains every cell, text as text', async () => {
  for (const table of TABLES) {
    const rows = await sheetRows(await exported('xlsx', [table]));
    expect(rows).toEqual(expectedRows(table).map((row) => keysOf(table).map((key) => row[key] ?? null)));
  }
});

test('12,345 rows reach every format whole', async () => {
  const table = plainTable('rok', 12_345);
  const rows = expectedRows(table);
  const keys = keysOf(table);
  expectCsv(await exported('csv', [table]), rows, keys);
  expect(JSON.parse(textOf(await exported('json', [table])))).toEqual({ success: 1, data: { rows } });
  expect(await sheetRows(await exported('xlsx', [table]))).toEqual(
    rows.map((row) => keys.map((key) => row[key] ?? null)),
  );
  expect((await readSnapshot(await exported('parquet', [table]))).table).toEqual(table);
}, 30_000);

test('the workbook has styles and sums', async () => {
  const table = plainTable('rok', 400);
  const book = await workbook(await exported('xlsx', [table]));
  const sheet = book.worksheets[0] as ExcelJs.Worksheet;
  expect(book.worksheets.map(({ name }) => name)).toEqual(['Kingdom 3584', 'Summary']);
  expect(sheet.getRow(1).getCell(5).value).toBe('Power');
  expect(sheet.getRow(1).getCell(5).font).toMatchObject({ bold: true });
  expect(sheet.getRow(2).getCell(5).numFmt).toBe('#,##0');
  expect(sheet.getRow(2).getCell(1).numFmt).toBe('0');
  expect(sheet.views).toMatchObject([{ state: 'frozen', ySplit: 1 }]);
  expect(sheet.autoFilter).toBe('A1:N401');
  const sum = (rows: number) => Array.from(table.numbers.power?.slice(0, rows) ?? []).reduce((a, b) => a + b, 0);
  const figures = new Map<unknown, unknown>();
  book.getWorksheet('Summary')?.eachRow((row) => {
    const label = row.getCell(1).value;
    if (!figures.has(label)) figures.set(label, row.getCell(2).value);
  });
  expect(Object.fromEntries(figures)).toMatchObject({
    Game: 'Rise of Kingdoms',
    Kingdom: '3584',
    'Scanned at': new Date('2026-11-21T06:30:00Z'),
    Rows: 400,
    'Total Power': sum(400),
    'Top 100 Power': sum(100),
    'Top 350 Power': sum(350),
    'Read in full and consistent.': 400,
  });
});

test('items of an order are exported one after the other, with their kingdoms', async () => {
  const tables = [plainTable('rok', 40), plainTable('rok', 30, 1), plainTable('rok', 0, 2)];
  const rows = tables.flatMap(expectedRows);
  expect(new Set(rows.map((row) => row.home_kingdom))).toEqual(new Set([3584, 3585]));
  expectCsv(await exported('csv', tables), rows, keysOf(plainTable('rok', 40)));
  expect((await sheetRows(await exported('xlsx', tables))).length).toBe(70);
  const { table, meta } = await readSnapshot(await exported('parquet', tables));
  expect(table.count).toBe(70);
  expect(meta.quality).toEqual({ ok: 70 });
});

test('a Parquet file names every kingdom of its rows once', async () => {
  const kingdomsOf = async (tables: Table[]) => {
    const { key_value_metadata } = parquetMetadata((await exported('parquet', tables)).buffer as ArrayBuffer);
    return key_value_metadata?.find(({ key }) => key === 'kingdoms')?.value;
  };
  expect(await kingdomsOf([plainTable('rok', 3)])).toBe('[3584]');
  expect(await kingdomsOf([plainTable('rok', 3), plainTable('rok', 0, 1), plainTable('rok', 2, 2)])).toBe(
    '[3584,3585,3586]',
  );
  const parts = [3600, 412, 3600].map((kingdom) => {
    const table = plainTable('rok', 2);
    return { open: () => openSnapshot(writeSnapshot(table, metaFor(table, kingdom))) };
  });
  const bytes = await new Response(await exportStream('parquet', parts)).arrayBuffer();
  const values = parquetMetadata(bytes).key_value_metadata;
  expect(values).toContainEqual({ key: 'kingdoms', value: '[412,3600]' });
});

test('a column that only one item has is exported for all', async () => {
  const [plain, rich] = [plainTable('rok', 2), tableOf('rok', [{ governor_id: 1, helps_given: 5, highest_power: 1 }])];
  const {
    data: { rows },
  } = JSON.parse(textOf(await exported('json', [plain, rich]))) as { data: { rows: Row[] } };
  expect(rows.map((row) => row.helps_given)).toEqual([null, null, 5]);
});

test('items of both games keep their own columns', async () => {
  const tables = [plainTable('rok', 2), plainTable('cod', 1)];
  const {
    data: { rows },
  } = JSON.parse(textOf(await exported('json', tables))) as { data: { rows: Row[] } };
  expect(rows.map((row) => [row.governor_id, row.lord_id, row.power])).toEqual([
    [10_000_000, null, 200_000_000],
    [10_000_097, null, 199_600_798],
    [null, 10_000_000, 200_000_000],
  ]);
  await expect(exported('parquet', tables)).rejects.toThrow('rows of one game');
  expect((await sheetRows(await exported('xlsx', tables))).length).toBe(3);
});

test('a Parquet file of many items is streamed in full row groups, without cells of earlier rows', async () => {
  // Full rows, almost empty rows, and full rows again: each group starts empty.
  const [full, bare] = [plainTable('rok', 7000), emptyTable('rok', 7000)];
  numbersOf(bare, 'governor_id').forEach((_, row, ids) => {
    ids[row] = row + 1;
  });
  const tables = [full, bare, plainTable('rok', 7000, 5)];
  const parts = tables.map((table) => {
    const bytes = writeSnapshot(table, metaFor(table));
    return { open: () => openSnapshot(bytes) };
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of await exportStream('parquet', parts)) chunks.push(chunk);
  expect(chunks.length).toBe(4);
  const file = new Uint8Array(Buffer.concat(chunks));
  const groups: number[] = [];
  for await (const { count } of (await openSnapshot(file)).groups(['governor_id'])) groups.push(count);
  expect(groups).toEqual([10_000, 10_000, 1000]);
  const { table } = await readSnapshot(file);
  const joined = emptyTable('rok', 21_000);
  tables.forEach((part, index) => {
    for (const [key, cells] of Object.entries(part.numbers)) joined.numbers[key]?.set(cells, index * 7000);
    for (const [key, cells] of Object.entries(part.texts))
      cells.forEach((text, row) => {
        textsOf(joined, key)[index * 7000 + row] = text;
      });
  });
  expect(table).toEqual(joined);
});

test('sorted rows keep every number, whatever else is in its column', async () => {
  const values = [0, 1, 2 ** 32 - 2, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER, null];
  // The first item has small numbers only, the second one also numbers beyond four bytes.
  const items = [values.slice(0, 3), values].map((deads, item) =>
    tableOf(
      'rok',
      deads.map((value, row) => ({
        governor_id: item * 100 + row,
        power: 1000 - item * 100 - row,
        deads: value,
        killcount_t1: row === 0 ? null : row,
        ark_kills_per_battle: row === 1 ? null : row + 0.125,
      })),
    ),
  );
  for (const reversed of [false, true]) {
    const {
      data: { rows },
    } = JSON.parse(textOf(await exported('json', items, { sort: 'Power', reversed }))) as { data: { rows: Row[] } };
    const expected = items
      .flatMap((table) => expectedRows(table))
      .map(({ governor_id, deads, killcount_t1, ark_kills_per_battle }) => ({
        governor_id,
        deads,
        killcount_t1,
        ark_kills_per_battle,
      }));
    if (reversed) expected.reverse();
    expect(
      rows.map(({ governor_id, deads, killcount_t1, ark_kills_per_battle }) => ({
        governor_id,
        deads,
        killcount_t1,
        ark_kills_per_battle,
      })),
    ).toEqual(expected);
  }
});

test('json is sorted by power or kill points over all items, either way, unknown ones last', async () => {
  const tables = [plainTable('rok', 50), plainTable('rok', 50, 1)];
  const unsorted = tables.flatMap(expectedRows);
  for (const [sort, key] of [
    ['Power', 'power'],
    ['Killpoints', 'killpoints'],
  ] as const) {
    for (const reversed of [false, true]) {
      const {
        data: { rows },
      } = JSON.parse(textOf(await exported('json', tables, { sort, reversed }))) as { data: { rows: Row[] } };
      const known = unsorted.map((row) => row[key]).filter((value) => value !== null) as number[];
      const sorted = known.sort((a, b) => (reversed ? a - b : b - a));
      const unknown = new Array(100 - known.length).fill(null);
      expect(rows.map((row) => row[key])).toEqual([...sorted, ...unknown]);
      expect(new Set(rows.map((row) => row.governor_id)).size).toBe(100);
    }
  }
});

test('more rows than a format allows are refused before the first byte', async () => {
  const table = plainTable('rok', 1);
  const snapshot = await openSnapshot(writeSnapshot(table, metaFor(table)));
  const huge = { open: async () => ({ ...snapshot, count: 2_000_000, groups: () => snapshot.groups() }) };
  await expect(exportStream('json', [huge], { sort: 'Power' })).rejects.toThrow(
    'Too many results, not downloadable: 2,000,000 rows, sorted json holds 100,000.',
  );
  await expect(exportStream('parquet', [huge])).rejects.toThrow('parquet holds 500,000');
  await expect(exportStream('xlsx', [huge])).rejects.toThrow('2,000,000 rows, xlsx holds 1,048,575.');
});

test('a reader that cancels stops the work', async () => {
  const table = plainTable('rok', 30_000);
  const bytes = writeSnapshot(table, metaFor(table));
  const part = { open: () => openSnapshot(bytes) };
  // Two large workbooks may be made at once: an unreleased slot would block the third forever.
  for (let time = 0; time < 3; time++) {
    const reader = (await exportStream('xlsx', [part])).getReader();
    expect((await reader.read()).done).toBe(false);
    await reader.cancel();
  }
  const whole = new Uint8Array(await new Response(await exportStream('xlsx', [part])).arrayBuffer());
  expect(whole.length).toBeGreaterThan(100_000);
});

const name = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), fc.constantFrom(...HOSTILE));
const row: fc.Arbitrary<Row> = fc.record({
  governor_id: fc.maxSafeNat(),
  name,
  alliance_tag: fc.option(name, { nil: null }),
  power: fc.option(fc.maxSafeNat(), { nil: null }),
  highest_power: fc.constantFrom(null, 0, 7),
  killpoints: fc.option(fc.nat(), { nil: null }),
  ark_kills_per_battle: fc.option(fc.double({ min: 0, max: 1e15, noNaN: true }), { nil: null }),
});

test('csv, json and xlsx contain any rows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
      const table = tableOf('rok', rows);
      const expected = expectedRows(table);
      const keys = keysOf(table);
      expectCsv(await exported('csv', [table]), expected, keys);
      expect(JSON.parse(textOf(await exported('json', [table])))).toEqual({ success: 1, data: { rows: expected } });
      expect(await sheetRows(await exported('xlsx', [table]))).toEqual(
        expected.map((cells) => keys.map((key) => cells[key] ?? null)),
      );
    }),
    { numRuns: 25 },
  );
});
