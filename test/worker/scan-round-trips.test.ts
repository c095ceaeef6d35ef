import { beforeAll, describe, expect, test } from 'vitest';
import { SCAN_DIALECTS, SCAN_FILE_TYPES } from '../../domain/library/files.ts';
import type { Row } from '../../domain/scans/rows.ts';
import { readScanFile } from '../../scan-files/read.ts';
import { readSnapshot } from '../../worker/files/parquet.ts';
import { rowsIn } from '../support/readings.ts';
import { type Person, signedInUser } from './client.ts';
import { keep } from './own-scans.ts';

/** Names and tags that files have trouble with. All are made up. */
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

/** A line a name; some figures are unknown, some at the edge of what is exact. */
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
        expect([meta.captured_at, table.count]).toEqual([moment, ODD.length]);
        return;
      }
      const reading = await readScanFile(name, bytes);
      expect(reading.problems.filter(({ dropped }) => dropped)).toEqual([]);
      expect(reading.unknown_headers).toEqual([]);
      const [scan] = reading.scans;
      expect(scan?.kingdom_id).toBe(4001);
      // Workbooks say the moment to the minute.
      expect(Math.abs((scan?.captured_at ?? 0) - moment)).toBeLessThan(60_000);
      expect(sorted(rowsIn(reading.scans))).toEqual(original);
    },
  );

  test('parquet in another tool’s columns and dialects for the other game are refused', async () => {
    const refused = await user.call('GET', `/v1/scans/${id}/download?type=parquet&dialect=hero-scrolls`);
    expect(refused).toMatchObject({ status: 400, msg: expect.stringMatching(/^dialect: Parquet/) });
    const [lords] = await keep(user, '2026-01-05.csv', 'lord_id,name,home_server,power,merits\n1,A,99,5,5\n');
    expect((await user.call('GET', `/v1/scans/${lords}/download?type=csv&dialect=roktracker-v4`)).msg).toMatch(
      /Call of Dragons/,
    );
    const file = await user.fetch(`/v1/scans/${lords}/download?type=csv`);
    expect(rowsIn((await readScanFile('a.csv', new Uint8Array(await file.arrayBuffer()))).scans)).toMatchObject([
      { lord_id: 1, merits: 5, home_server: 99 },
    ]);
  });
});
