import { describe, expect, test } from 'vitest';
import { MAX_SCANS } from '../../scan-files/limits.ts';
import { type FileOptions, readScanFile } from '../../scan-files/read.ts';
import { workbook } from './workbooks.ts';

/** Made-up long tables: several days of the same governors in one sheet. */

const HEAD = 'Date,Name,Governor ID,Alliance,Power,Kill Points';

async function read(content: string | Buffer, options: FileOptions = {}, name = '1599.csv') {
  const { scans, problems, lines, problem_count } = await readScanFile(name, Buffer.from(content as string), options);
  const told = problems.map(({ line, reason }) => [line, reason]);
  return { scans, told, lines, problem_count };
}

/** Kingdom, moment, and ids with powers of each scan. */
const shown = ({ scans }: Awaited<ReturnType<typeof read>>) =>
  scans.map(({ kingdom_id, captured_at, table, lines }) => ({
    kingdom_id,
    at: captured_at && new Date(captured_at).toISOString().slice(0, 16),
    powers: Object.fromEntries(
      Array.from({ length: table.count }, (_, row) => [table.numbers.governor_id?.[row], table.numbers.power?.[row]]),
    ),
    lines: [...lines],
  }));

describe('a long table with a column of days', () => {
  const ROWS = [
    '2026-01-06,Aldo,1,[A]x,110,5',
    '2026-01-05,Aldo,1,[A]x,100,4',
    '2026-01-05,Bree,2,[A]x,300,7',
    '2026-01-07,Aldo,1,[A]x,120,6',
    '2026-01-07,Cole,3,[A]x,90,1',
  ];
  const SCANS = [
    { kingdom_id: 1599, at: '2026-01-05T00:00', powers: { 1: 100, 2: 300 }, lines: [4, 3] },
    { kingdom_id: 1599, at: '2026-01-06T00:00', powers: { 1: 110 }, lines: [2] },
    { kingdom_id: 1599, at: '2026-01-07T00:00', powers: { 1: 120, 3: 90 }, lines: [5, 6] },
  ];

  test('becomes one scan for each day, the earliest first, with lines in any order', async () => {
    const reading = await read([HEAD, ...ROWS, ''].join('\n'));
    expect(shown(reading)).toEqual(SCANS);
    expect([reading.told, reading.lines]).toEqual([[], { read: 5, kept: 5, dropped: 0 }]);
  });

  test('is read in a workbook, whose days are numbers', async () => {
    const rows = ROWS.map((row) => row.split(',')).map(([day, name, id, tag, power, points]) => [
      Date.parse(`${day}T00:00Z`) / 86_400_000 + 25_569,
      name as string,
      Number(id),
      tag as string,
      Number(power),
      Number(points),
    ]);
    const bytes = await workbook({ 1599: [HEAD.split(','), ...rows] });
    expect(shown(await read(bytes, {}, 'x.xlsx'))).toEqual(SCANS);
  });

  test('has own days for each kingdom, which a time chosen for the file does not change', async () => {
    const content = `Kingdom,${HEAD}\n1599,${ROWS[0]}\n1599,${ROWS[1]}\n1600,${ROWS[2]}\n1600,${ROWS[4]}\n`;
    const at = Date.UTC(2026, 5, 1);
    const told = 'The lines say of which day they are, so the chosen time is not used.';
    for (const [options, problems] of [
      [{}, []],
      [{ captured_at: at }, [[null, told]]],
    ] as const) {
      const reading = await read(content, options);
      expect(reading.told.filter(([line]) => line === null)).toEqual(problems);
      expect(shown(reading).map((scan) => [scan.kingdom_id, scan.at])).toEqual([
        [1599, '2026-01-05T00:00'],
        [1599, '2026-01-06T00:00'],
        [1600, '2026-01-05T00:00'],
        [1600, '2026-01-07T00:00'],
      ]);
    }
  });

  test('drops lines without a day, and a governor’s second line of a day', async () => {
    const reading = await read([HEAD, ...ROWS, ',Dara,4,x,50,1', '2026-01-06,Aldo,1,x,111,5', ''].join('\n'));
    expect(shown(reading)).toEqual(SCANS);
    expect(reading.lines).toEqual({ read: 7, kept: 5, dropped: 2 });
    expect(reading.told).toEqual([
      [
        null,
        "1 governor repeated with different figures ('Aldo'): the first line of each counts, 1 other line left out.",
      ],
      [8, '1 appears twice with different figures: line 2 counts, this one is left out.'],
      [7, 'Other lines say of which day they are, this one does not; it is left out.'],
    ]);
  });

  test('is refused if the day of a repeated governor can be read in two ways', async () => {
    const dated = (first: string, second: string) => read(`${HEAD}\n${first},Aldo,1,x,9,1\n${second},Aldo,1,x,8,1\n`);
    const sentence = 'not every line has a clear day. Write days as 2026-01-31.';
    await expect(dated('05/01/2026', '06/01/2026')).rejects.toThrow(sentence);
    await expect(dated('12/01/2026', '13/01/2026')).rejects.toThrow(sentence);
    await expect(dated('13/01/2026', '12/01/2026')).rejects.toThrow(sentence);
    expect((await dated('13/01/2026', '14/01/2026')).scans).toHaveLength(2);
  });

  test('is refused with more days than a file may have scans', async () => {
    const days = (count: number) =>
      Array.from({ length: count }, (_, day) => {
        const at = new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10);
        return `${at},Aldo,1,x,${100 + day},1\n`;
      }).join('');
    expect((await read(`${HEAD}\n${days(MAX_SCANS)}`)).scans).toHaveLength(MAX_SCANS);
    await expect(read(`${HEAD}\n${days(MAX_SCANS + 1)}`)).rejects.toThrow('The file holds more than 300 scans');
  });

  test('is refused if it also has times side by side', async () => {
    const content = 'Date,Governor ID,Power Start,Power End\n2026-01-05,1,5,6\n2026-01-06,1,6,7\n';
    await expect(read(content)).rejects.toThrow('Line 3 has another time than line 2 of the same governor (1)');
  });
});

describe('governors that a file has twice', () => {
  const lines = (...rows: string[]) => read(`Governor ID,Name,Power,Kill Points\n${rows.join('\n')}\n`);

  test('are counted and named if their figures differ, and only then', async () => {
    const rows = [1, 2, 3, 4, 5].map((id) => `${id},g${id},${id},10`);
    const { told } = await lines(...rows, '1,g1,1,10', '2,renamed,2,10', '3,g3,3,11', '4,g4,9,10', '3,g3,4,11');
    expect(told).toEqual([
      [
        null,
        "2 governors repeated with different figures ('g3', 'g4'): the first line of each counts, 3 other lines left out.",
      ],
      [7, '1 appears twice: line 2 counts, this one is left out.'],
      [8, '2 appears twice: line 3 counts, this one is left out.'],
      [9, '3 appears twice with different figures: line 4 counts, this one is left out.'],
      [10, '4 appears twice with different figures: line 5 counts, this one is left out.'],
      [11, '3 appears twice with different figures: line 4 counts, this one is left out.'],
    ]);
  });

  test('are reported first, with up to three names, whatever other problems there are', async () => {
    const rows = Array.from({ length: 150 }, (_, at) => `${at + 1},${'n'.repeat(150)}${at},5,1`);
    const again = rows.map((row) => row.replace(/,5,1$/, ',6,1'));
    const { told, problem_count } = await lines(...rows, ...again);
    const name = `'${'n'.repeat(30)}'`;
    expect(told[0]).toEqual([
      null,
      `150 governors repeated with different figures (${name}, ${name}, ${name} and 147 more): the first line of each counts, 150 other lines left out.`,
    ]);
    expect([told.length, problem_count]).toEqual([100, 151]);
  });

  test('are compared at every time side by side', async () => {
    const staged = (...rows: string[]) => read(`Governor ID,Power Start,Power End\n${rows.join('\n')}\n`);
    expect((await staged('1,5,0', '1,5,0')).told.map(([line]) => line)).toEqual([3, null]);
    expect((await staged('1,5,0', '1,5,6')).told[0]?.[1]).toMatch(/^1 governor repeated with different figures/);
    expect((await staged('1,5,6', '1,5,7')).told[0]?.[1]).toMatch(/^1 governor repeated with different figures/);
  });

  test('are equal if both have a dash that means 0', async () => {
    const head = 'lord_id,name,home_server,power,merits,units_killed,killcount_t5';
    const { told } = await read(`${head}\n1,a,99,5,-,-,0\n1,a,99,5,-,-,0\n`, {}, '99.csv');
    expect(told).toEqual([[3, '1 appears twice: line 2 counts, this one is left out.']]);
  });
});
