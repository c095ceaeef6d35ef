import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { describe, expect, test } from 'vitest';
import { ended, fileOf, order, rowsOf, signedIn, waitFor } from '../support/client.ts';
import { byId, csvRows } from '../support/files.ts';
import { startService } from '../support/service.ts';

/** A folder of real exports of other tools: hero-scrolls, roktracker, cod. They are not part of this repository. */
const REAL_SCANS = process.env.REAL_SCANS;

type Cells = Record<string, unknown>;

/** The rows of one sheet by its headers, read with exceljs and none of the product's own code. */
async function sheetRows(
  file: string,
  sheet: (book: exceljs.Workbook) => exceljs.Worksheet | undefined,
): Promise<Cells[]> {
  const book = new exceljs.Workbook();
  await book.xlsx.readFile(file);
  const found = sheet(book);
  if (!found) throw new Error(`${file} has no such sheet`);
  // The array is sparse: its first place, and every empty cell, is a hole.
  const headers = Array.from(found.getRow(1).values as unknown[], String);
  const rows: Cells[] = [];
  found.eachRow((row, number) => {
    if (number === 1) return;
    rows.push(
      Object.fromEntries(
        headers.flatMap((header, column) => (column === 0 ? [] : [[header, row.getCell(column).value]])),
      ),
    );
  });
  return rows;
}

const newest = (folder: string, named: RegExp): string => {
  const file = readdirSync(folder)
    .filter((name) => named.test(name))
    .sort()
    .at(-1);
  if (!file) throw new Error(`${folder} has no file like ${named}`);
  return join(folder, file);
};

/** Orders a kingdom from a copy whose bots read the folder; returns the page's rows and those of the csv file. */
async function ordered(game: 'rok' | 'cod', folder: string, kingdom: number, count: number): Promise<Cells[][]> {
  const service = await startService({ SCANS_DIR: folder, READY_PRODUCTS: 'rok-kingdom-scan,cod-server-scan' });
  try {
    const client = await signedIn(service.address);
    const done = await waitFor(client, await order(client, game, [kingdom], count), ended);
    const item = done.items[0];
    expect(item).toMatchObject({ state: 'done', error: null });
    const id = item?.item_id ?? '';
    return [await rowsOf(client, id), csvRows(await fileOf(client, id, 'csv'))];
  } finally {
    await service.remove();
  }
}

const TIERS = [1, 2, 3, 4, 5];
const ROK = ['name', 'alliance_tag', 'power', 'killpoints', 'deads', ...TIERS.map((tier) => `killcount_t${tier}`)];

const COD = [
  'name',
  'alliance_tag',
  'power',
  'merits',
  'units_dead',
  'highest_power',
  ...TIERS.map((tier) => `killcount_t${tier}`),
];

describe.skipIf(!REAL_SCANS)('real scan files, ordered and read back to the unit (set REAL_SCANS to run)', () => {
  const root = REAL_SCANS ?? '';

  test('kingdom 3584 from the newest Hero Scrolls workbook', async () => {
    const folder = join(root, 'hero-scrolls');
    const sheet = await sheetRows(newest(folder, /\.xlsx$/), (book) => book.getWorksheet('3584'));
    const columns = [
      'Governor Name',
      'Alliance Tag',
      'Power',
      'Kill Points',
      'Deads',
      ...TIERS.map((tier) => `T${tier} Kills`),
    ];
    const wanted = byId(sheet, 'Governor ID', columns);
    expect(wanted.size).toBeGreaterThan(200);
    for (const rows of await ordered('rok', folder, 3584, 300)) expect(byId(rows, 'governor_id', ROK)).toEqual(wanted);
  });

  test('kingdom 1599 from the newest RokTracker workbook', async () => {
    const folder = join(root, 'roktracker');
    const sheet = await sheetRows(newest(folder, /\.xlsx$/), (book) => book.worksheets[0]);
    const split = sheet.map((row) => ({ ...row, Tag: /^\[(.*?)\]/.exec(String(row.Alliance ?? ''))?.[1] }));
    const columns = ['Governor Name', 'Tag', 'Power', 'Kill Points', 'Deaths', 'T1', 'T2', 'T3', 'T4', 'T5'];
    const wanted = byId(split, 'Governor ID', columns);
    expect(wanted.size).toBeGreaterThan(40);
    for (const rows of await ordered('rok', folder, 1599, 300)) expect(byId(rows, 'governor_id', ROK)).toEqual(wanted);
  });

  test('Call of Dragons server 60 from its csv, once the product is for sale', async () => {
    const folder = join(root, 'cod');
    const sheet = csvRows(readFileSync(newest(folder, /^Echo.*\.csv$/))).filter((row) => row.home_server === '60');
    const blank = sheet.map((row) =>
      Object.fromEntries(Object.entries(row).map(([key, cell]) => [key, cell === '-' ? '' : cell])),
    );
    const wanted = byId(blank, 'lord_id', COD);
    expect(wanted.size).toBe(599);
    for (const rows of await ordered('cod', folder, 60, 1000)) expect(byId(rows, 'lord_id', COD)).toEqual(wanted);
  });
});
