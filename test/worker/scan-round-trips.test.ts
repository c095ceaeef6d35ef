import { gunzipSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { beforeAll, describe, expect, test } from 'vitest';
import { GAMES } from '../../domain/games/games.ts';
import { LOCALES } from '../../domain/language/locales.ts';
import { SCAN_DIALECTS, SCAN_FILE_TYPES } from '../../domain/scans/files.ts';
import { cellOf, type Row, type Table } from '../../domain/scans/rows.ts';
import { readScanFile } from '../../scan-files/read.ts';
import { readSnapshot } from '../../worker/files/parquet.ts';
import { rowsIn } from '../support/readings.ts';
import { type Person, signedInUser } from './client.ts';
import { keep } from './own-scans.ts';

const compressors = { GZIP: (bytes: Uint8Array) => gunzipSync(bytes) };

/** Names and tags that are hard to keep in files. All are made up. */
const ODD = [
  'Moss, "the" old',
  '=1+1',
  "'=SUM(A1)",
  '-IR-',
  '@ABC',
  'two\nlines',
  ' ㅤ edges ',
  '灯 the Lamp',
  '[X]Y',
  '1234',
  '007',
  '<b>&amp;</b>',
  'a;b\tc|d',
  '💠',
  '',
];

const HEADERS = [
  ...['Kingdom', 'Governor ID', 'Governor Name', 'Alliance Tag', 'Alliance Name', 'Power', 'Kill Points', 'Deads'],
  ...[
    'T1 Kills',
    'T2 Kills',
    'T3 Kills',
    'T4 Kills',
    'T5 Kills',
    'Town Hall',
    'Troop Power',
    'Acclaim',
    'Highest Acclaim',
  ],
  ...[
    'Resources Gathered',
    'Resources Given',
    'Helps Given',
    'Current League',
    'Ark Kills/Battle',
    'T4 Deaths',
    'Highest Power',
  ],
];

/** One line per name; some figures are unknown, some at the limit of exact numbers. */
const lines = ODD.map((name, index) =>
  HEADERS.map((header) => {
    if (header === 'Kingdom') return '4001';
    if (header === 'Governor ID') return String(70_000_000 + index);
    if (header === 'Governor Name') return name;
    if (header === 'Alliance Tag') return index % 3 === 0 ? '' : name.trim().slice(0, 4);
    if (header === 'Alliance Name') return index % 4 === 0 ? '' : `Company ${index}]`;
    if (header === 'Current League') return '0-0-0';
    if (header === 'Ark Kills/Battle') return '12.5';
    if (header === 'Power') return index === 0 ? '9999999999999' : String(1_000_000 - index);
    if (header === 'Highest Power' && index > 0) return '';
    return (index + header.length) % 5 === 0 ? '' : String(index * 1000 + header.length);
  }),
);

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;
const FILE = [HEADERS, ...lines]
  .map((cells) => cells.map(quoted).join(','))
  .join('\r\n')
  .concat('\r\n');

/** The rows of a table, of the columns that tools know. */
const rowsOf = (table: Table): Row[] =>
  Array.from({ length: table.count }, (_, row) =>
    Object.fromEntries(
      GAMES[table.game].columns.filter(({ ours }) => !ours).map((column) => [column.key, cellOf(table, column, row)]),
    ),
  );

const sorted = (rows: readonly Row[]): Row[] => rows.toSorted((a, b) => Number(a.governor_id) - Number(b.governor_id));

let user: Person;
let id: string;
let original: Row[];
const moment = Date.UTC(2026, 0, 5, 0, 44, 30);

beforeAll(async () => {
  user = await signedInUser(0);
  const [scan] = await keep(user, 'round.csv', FILE, { captured_at: String(moment) });
  id = scan as string;
  const reading = await readScanFile('round.csv', Buffer.from(FILE));
  expect(reading.problems).toEqual([]);
  original = sorted(rowsIn(reading.scans));
});

const IN_WORDS = LOCALES.flatMap((language) => (['csv', 'xlsx'] as const).map((type) => [language, type] as const));

const combinations = SCAN_DIALECTS.flatMap((dialect) => SCAN_FILE_TYPES.map((type) => [dialect, type] as const));

describe('every number and name comes back', () => {
  test.each(combinations.filter(([dialect, type]) => type !== 'parquet' || dialect === 'muster'))(
    '%s as %s',
    async (dialect, type) => {
      const response = await user.fetch(`/v1/scans/${id}/download?type=${type}&dialect=${dialect}`);
      expect(response.status).toBe(200);
      const [, name = ''] = /filename="(.*)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
      expect(name).toBe(`4001_2026-01-05T004430Z.${type}`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (type === 'parquet') {
        const { table, meta } = await readSnapshot(bytes);
        expect(meta.captured_at).toBe(moment);
        expect(sorted(rowsOf(table))).toEqual(original);
        return;
      }
      const reading = await readScanFile(name, bytes);
      expect(reading.problems.filter(({ dropped }) => dropped)).toEqual([]);
      expect(reading.unknown_headers).toEqual([]);
      const [scan] = reading.scans;
      expect(scan?.kingdom_id).toBe(4001);
      // Workbooks store the time to the minute.
      expect(Math.abs((scan?.captured_at ?? 0) - moment)).toBeLessThan(60_000);
      expect(sorted(rowsIn(reading.scans))).toEqual(original);
    },
  );

  test.each(IN_WORDS)('with titles in %s, as %s', async (language, type) => {
    const response = await user.fetch(`/v1/scans/${id}/download?type=${type}&headers=${language}`);
    // A workbook tells its time itself, in its summary.
    const name = type === 'xlsx' ? 'scan.xlsx' : '2026-01-05T004430Z.csv';
    const reading = await readScanFile(name, new Uint8Array(await response.arrayBuffer()));
    expect([reading.game, reading.problems, reading.unknown_headers]).toEqual(['rok', [], []]);
    expect(reading.scans.map(({ kingdom_id }) => kingdom_id)).toEqual([4001]);
    expect(Math.abs((reading.scans[0]?.captured_at ?? 0) - moment)).toBeLessThan(60_000);
    expect(sorted(rowsIn(reading.scans))).toEqual(original);
  });

  test.each(SCAN_DIALECTS.filter((dialect) => dialect !== 'muster'))('%s as parquet', async (dialect) => {
    const download = (type: string) => user.fetch(`/v1/scans/${id}/download?type=${type}&dialect=${dialect}`);
    const response = await download('parquet');
    expect(response.headers.get('content-type')).toBe('application/vnd.apache.parquet');
    const file = await response.arrayBuffer();
    const rows = await parquetReadObjects({ file, compressors });
    // The columns are named as in that tool's other files, and whole numbers stay whole.
    const json = (await (await download('json')).json()) as Record<string, unknown>[];
    expect(Object.keys(rows[0] ?? {})).toEqual(Object.keys(json[0] ?? {}));
    const plain = rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([key, value]) => [key, typeof value === 'bigint' ? Number(value) : value]),
      ),
    );
    expect(plain).toEqual(json);
    const reading = await readScanFile('4001_2026-01-05T004430Z.json', Buffer.from(JSON.stringify(plain)));
    expect([reading.unknown_headers, sorted(rowsIn(reading.scans))]).toEqual([[], original]);
    // The file is not accepted as a snapshot of ours.
    await expect(readSnapshot(new Uint8Array(file))).rejects.toThrow('not a snapshot');
  });

  test('dialects for the other game are refused', async () => {
    const [lords] = await keep(user, '2026-01-05.csv', 'lord_id,name,home_server,power,merits\n1,A,99,5,5\n');
    expect((await user.call('GET', `/v1/scans/${lords}/download?type=csv&dialect=roktracker-v4`)).msg).toMatch(
      /Call of Dragons/,
    );
  });
});

describe('every number and name of Call of Dragons comes back', () => {
  const headers = ['lord_id', 'name', 'alliance_tag', 'home_server', 'power', 'highest_power', 'merits', 'units_dead'];
  const more = ['killcount_t5', 'killcount_t4', 'town_center', 'faction', 'gold', 'gems_spent', 'in_power_rankings'];
  const file = [
    [...headers, ...more],
    ...ODD.map((name, index) => [
      ...[String(80_000_000 + index), name, index % 3 === 0 ? '-' : name.trim().slice(0, 4), '99'],
      ...[index === 0 ? '9999999999999' : String(5_000_000 - index), '', index % 4 === 0 ? '-' : '7', '0'],
      ...[String(index), '12', '25', index % 2 === 0 ? 'Wilderburg' : '-', '', '3', index % 2 === 0 ? 'TRUE' : 'False'],
    ]),
  ]
    .map((cells) => cells.map(quoted).join(','))
    .join('\n');
  let lords: string;
  let read: Row[];

  const byId = (rows: readonly Row[]): Row[] => rows.toSorted((a, b) => Number(a.lord_id) - Number(b.lord_id));

  beforeAll(async () => {
    [lords] = (await keep(user, 'lords.csv', file, { captured_at: String(moment) })) as [string];
    const reading = await readScanFile('lords.csv', Buffer.from(file));
    expect([reading.problems, reading.lines.kept]).toEqual([[], ODD.length]);
    read = byId(rowsIn(reading.scans));
    expect(read[0]).toMatchObject({
      lord_id: 80_000_000,
      name: ODD[0],
      power: 9_999_999_999_999,
      in_power_rankings: 1,
    });
  });

  test.each(SCAN_FILE_TYPES)('as %s', async (type) => {
    const response = await user.fetch(`/v1/scans/${lords}/download?type=${type}`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (type === 'parquet') {
      expect(byId(rowsOf((await readSnapshot(bytes)).table))).toEqual(read);
      return;
    }
    const reading = await readScanFile(`99_2026-01-05T004430Z.${type}`, bytes);
    expect([reading.game, reading.problems, reading.unknown_headers]).toEqual(['cod', [], []]);
    expect(byId(rowsIn(reading.scans))).toEqual(read);
  });

  test.each(IN_WORDS)('with titles in %s, as %s', async (language, type) => {
    const response = await user.fetch(`/v1/scans/${lords}/download?type=${type}&headers=${language}`);
    const reading = await readScanFile(`2026-01-05T004430Z.${type}`, new Uint8Array(await response.arrayBuffer()));
    expect([reading.game, reading.problems, reading.unknown_headers]).toEqual(['cod', [], []]);
    expect(byId(rowsIn(reading.scans))).toEqual(read);
  });
});
