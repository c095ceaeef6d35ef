import { describe, expect, test } from 'vitest';
import { readScanFile } from '../../scan-files/read.ts';
import { ods, workbook } from './workbooks.ts';

/** Made-up trackers with two lines of headers. */

async function read(content: string | Buffer, name = '1599.csv') {
  const { scans, mapping, unknown_headers, lines } = await readScanFile(name, Buffer.from(content as string));
  const moments = scans.map(({ stage, captured_at, table }) => [
    stage,
    captured_at && new Date(captured_at).toISOString().slice(0, 10),
    ...(table.numbers.power ?? []),
    ...(table.numbers.killpoints ?? []),
  ]);
  return { moments, mapping, unknown_headers, lines };
}

const MOMENTS = ['Start', 'Pass 4', 'Pass 5', 'Pass 6', 'Kingsland', 'KvK End'];
const ABOVE = [null, null, null, ...MOMENTS.flatMap((moment) => [moment, null])];
const BELOW = ['Rank', 'ID', 'Name', ...MOMENTS.flatMap(() => ['Power', 'Kill Points'])];
const PLAYERS = [1, 2].map((id) => [
  id,
  4000 + id,
  `P${id}`,
  ...MOMENTS.flatMap((_, at) => [100 * id + at, 10 * id + at]),
]);
const ROWS = [ABOVE, BELOW, ...PLAYERS];
const csv = (rows: readonly (readonly (string | number | null)[])[]) =>
  rows.map((row) => `${row.join(',')}\n`).join('');
// The mightiest first.
const SIX = MOMENTS.map((moment, at) => [moment, null, 200 + at, 100 + at, 20 + at, 10 + at]);

describe('headers of two lines', () => {
  test('may have times above figures, in csv, xlsx and ods', async () => {
    for (const [name, bytes] of [
      ['1599.csv', csv(ROWS)],
      ['1599.csv', csv([['KvK of our kingdom'], ...ROWS])],
      ['1599.xlsx', await workbook({ Tracker: ROWS })],
      ['1599.ods', ods({ Tracker: ROWS })],
    ] as const) {
      const { moments, lines } = await read(bytes, name);
      expect([name, moments, lines]).toEqual([name, SIX, { read: 2, kept: 2, dropped: 0 }]);
    }
  });

  test('may have figures above times, also days as a workbook’s numbers', async () => {
    const day = (text: string) => Date.parse(text) / 86_400_000 + 25_569;
    const rows = [
      ['ID', 'Name', 'Power', null, 'Kill Points', null],
      [null, null, day('2026-01-05'), day('2026-01-09'), day('2026-01-05'), day('2026-01-09')],
      [1, 'A', 10, 11, 5, 6],
    ];
    const days = [
      ['2026-01-05', '2026-01-05', 10, 5],
      ['2026-01-09', '2026-01-09', 11, 6],
    ];
    expect((await read(await workbook({ Tracker: rows }), '1599.xlsx')).moments).toEqual(days);
  });

  test('may have ids in the first line and figures in the second', async () => {
    const text = 'ID,Name,Start,,End,\n,,Power,KP,Power,KP\n1,A,10,5,11,6\n';
    expect((await read(text)).moments).toEqual([
      ['Start', null, 10, 5],
      ['End', null, 11, 6],
    ]);
  });

  test('report gains as not read', async () => {
    const text = 'Player,,Start,,End,,Difference,\nID,Name,Power,KP,Power,KP,Power,KP\n1,A,10,5,11,6,1,1\n';
    const { moments, unknown_headers } = await read(text);
    expect([moments.length, unknown_headers]).toEqual([2, ['Power Difference', 'KP Difference']]);
  });

  test('are not assumed if a line is a title, a row, or lacks a header', async () => {
    for (const text of [
      'KvK of our kingdom,,\nGovernor ID,Name,Power\n1,A,10\n',
      'Governor ID,Name,Power,\n1,A,10,5\n',
      'Governor ID,Name,Power,,\n1,A,10,start,end\n',
      'Start,,End\nGovernor ID,Name,Power\n1,A,10\n',
    ]) {
      const { moments, lines } = await read(text);
      expect([text, moments.map((moment) => moment.slice(0, 3)), lines.kept]).toEqual([text, [[null, null, 10]], 1]);
    }
  });
});
