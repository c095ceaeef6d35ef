import { describe, expect, test } from 'vitest';
import { layoutOf } from '../../domain/scans/layouts.ts';
import type { Cell } from '../../domain/scans/numerals.ts';
import { defused } from '../../domain/scans/spreadsheet.ts';
import { readScanFile } from '../../scan-files/read.ts';
import { openWorkbook } from '../../scan-files/workbook.ts';
import { rowsIn } from '../support/readings.ts';
import { archive, rawWorkbook, workbook } from './workbooks.ts';

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString().slice(0, 19));

/** A file read, with its rows in the order of its lines. */
async function read(name: string, content: string | Buffer) {
  const reading = await readScanFile(name, Buffer.from(content as string));
  return { ...reading, rows: rowsIn(reading.scans), captured_at: reading.scans[0]?.captured_at ?? null };
}

/** A sheet's lines. */
async function linesOf(bytes: Buffer, sheet: string) {
  const lines: { line: number; cells: unknown[] }[] = [];
  const onLine = (line: number, cells: Cell[]) => lines.push({ line, cells: [...cells] });
  await (await openWorkbook(bytes)).read(new Map([[sheet, onLine]]));
  return lines;
}

const TRACKER = 'Governor ID,Governor Name,Power,Kill Points,Deaths,T1,T2,T3,T4,T5,Alliance';
const trackerLine = (id: number, name: string) => `${id},${name},1000,40,3,0,0,0,0,2,[MC~]Moss Company`;

test('a quote at the start of a name takes no line below it', async () => {
  const lines = ['1001|"King|9', '1002|b|8', '1003|"Q" x|7', '1004|"Queen|6', '1005|c|5', '1006|"d"|4'];
  const powers = { 1001: 9, 1002: 8, 1003: 7, 1004: 6, 1005: 5, 1006: 4 };
  for (const [mark, names] of [
    [',', ['"King', 'b', 'Q x', '"Queen', 'c', 'd']],
    ['\t', ['"King', 'b', '"Q" x', '"Queen', 'c', 'd']],
  ] as const) {
    const { rows } = await read('1599.csv', `Governor ID|Name|Power\n${lines.join('\n')}\n`.replaceAll('|', mark));
    expect(Object.fromEntries(rows.map(({ governor_id, power }) => [governor_id, power]))).toEqual(powers);
    expect(rows.map(({ name }) => name)).toEqual(names);
  }
  const { rows } = await read('1599.csv', 'Governor ID,Name,Power\n1001,"a\nb",5\n1002,"c\rd","6"\n');
  expect(rows.map(({ name, power }) => [name, power])).toEqual([
    ['a\nb', 5],
    ['c\rd', 6],
  ]);
});

describe('the time of a scan', () => {
  const HEAD = ['Governor ID', 'Name', 'Power', 'Date'];

  test('is a number of days with decimals, as LibreOffice saves it', async () => {
    const csv = `${HEAD.join(',')}\n1001,a,5,46008.1666666667\n`;
    const xlsx = await workbook({ 1599: [HEAD, [1001, 'a', 5, 46_008.1666666667]] });
    for (const file of [csv, xlsx]) expect(iso((await read('1599.csv', file)).captured_at)).toBe('2025-12-17T04:00:00');
  });

  test.each([
    ['2025-12-17 04:00', '2025-12-17 20:00'],
    ['"12/17/2025, 4:00:00 AM"', '"12/17/2025, 8:00:00 PM"'],
    ['2025-12-17 4 am', '2025-12-17 8 pm'],
  ])('differs within a day, which refuses a governor at both: %s', async (first, second) => {
    await expect(read('1599.csv', `${HEAD.join(',')}\n1001,a,5,${first}\n1001,a,6,${second}\n`)).rejects.toThrow(
      'Line 3 has another time than line 2 of the same governor (1001): put each time into a file of its own.',
    );
  });

  test('is that of the file’s name, if the sheet is named by the same day', async () => {
    const at = async (file: string, sheet: string) =>
      iso((await read(file, await workbook({ [sheet]: [HEAD.slice(0, 3), [1001, 'a', 5]] }))).captured_at);
    expect(await at('1599_2024-12-04T1633Z.xlsx', '2024-12-04')).toBe('2024-12-04T16:33:00');
    expect(await at('1599_2024-12-05T1633Z.xlsx', '2024-12-04')).toBe('2024-12-04T00:00:00');
    expect(await at('1599_2024-12-04T1633Z.xlsx', '2024-12-04 0900')).toBe('2024-12-04T09:00:00');
    expect(await at('1599.xlsx', '2024-12-04')).toBe('2024-12-04T00:00:00');
  });
});

test('a dash in merits and units killed is 0 if the kills by tier were read, else unknown', async () => {
  const tiers = 'killcount_t5,killcount_t4,killcount_t3,killcount_t2,killcount_t1';
  const { rows } = await read(
    '99_2026-01-02.csv',
    [
      `lord_id,name,home_server,power,merits,units_killed,units_dead,map_id,in_power_rankings,highest_power,${tiers}`,
      '11,Aldo,99,500,-,-,-,99,True,600,0,0,0,0,0',
      '12,Bree,99,400,7,8,-,99,True,600,0,0,0,8,0',
      '13,Cole,99,300,-,-,-,99,True,-,-,-,-,-,-',
      '14,Dara,99,200,-,9,1,99,True,600,0,0,0,9,0',
    ].join('\n'),
  );
  expect(rows.map(({ merits, units_killed, units_dead }) => [merits, units_killed, units_dead])).toEqual([
    [0, 0, null],
    [7, 8, null],
    [null, null, null],
    [0, 9, 1],
  ]);
});

describe('unexpected contents', () => {
  const HEAD = 'Kingdom,Governor ID,Name,Power';
  const told = async (content: string) => {
    const { problems, lines, scans } = await read('x.csv', content);
    return { told: problems.map(({ line, reason, dropped }) => [line, reason, dropped]), lines, scans };
  };

  test('columns without a header are reported once each and not read', async () => {
    const { told: said, lines } = await told('Governor ID,Name,,Power,,\n1,a,5,100,6,\n2,b,7,90,,8\n3,c,,80,,9,\n');
    expect(said).toEqual([
      [2, 'Column 3 has no header: what stands there is not read.', false],
      [2, 'Column 5 has no header: what stands there is not read.', false],
      [3, 'Column 6 has no header: what stands there is not read.', false],
    ]);
    expect(lines).toEqual({ read: 3, kept: 3, dropped: 0 });
    // A blank line does not count towards the number of columns.
    expect((await told('Governor ID,Name,Power,\n\n1,a,100,5\n')).told).toEqual([
      [3, 'Column 4 has no header: what stands there is not read.', false],
    ]);
    const { told: shifted } = await told('Governor ID,Name,Power,\n1,a,100\n2,b,c,5\n');
    expect(shifted).toEqual([
      [3, '4 cells where the headers are 3: is there a separator inside a name? The line is left out.', true],
    ]);
  });

  test('repeated headers are dropped, and other headers refuse the file', async () => {
    const { told: said, lines } = await told(`${HEAD}\n1599,1,a,100\n${HEAD}\n1599,2,b,90\n`);
    expect(said).toEqual([[3, 'This line repeats the headers; it is left out.', true]]);
    expect(lines).toEqual({ read: 3, kept: 2, dropped: 1 });
    await expect(told(`${HEAD}\n1599,1,a,100\nKingdom,Governor ID,Power,Name\n1599,2,90,b\n`)).rejects.toThrow(
      'Line 3 has other headers than those above it: put it into a file of its own.',
    );
  });

  test('a governor at several times refuses the file, but not if read again within the hour', async () => {
    const at = (first: string, second: string) =>
      told(`${HEAD},updated_on\n1599,1,a,100,${first}\n1599,2,b,90,${first}\n1599,1,a,110,${second}\n`);
    await expect(at('2026-01-05 10:00', '2026-01-05 11:01')).rejects.toThrow(
      'Line 4 has another time than line 2 of the same governor (1): put each time into a file of its own.',
    );
    const { told: said, scans } = await at('2026-01-05 10:00', '2026-01-05 11:00');
    expect(said.slice(1)).toEqual([
      [4, '1 appears twice with different figures: line 2 counts, this one is left out.', true],
    ]);
    expect(iso(scans[0]?.captured_at ?? null)).toBe('2026-01-05T10:00:00');
  });

  test('each kingdom has the time of its own rows, unless the user sets one', async () => {
    const rows = '1599,1,a,100,2026-01-05 10:00\n1600,2,b,90,2026-01-06 11:00\n1600,3,c,80,2026-01-04 09:00\n';
    const moments = async (options = {}) =>
      (await readScanFile('2026-01-09.csv', Buffer.from(`${HEAD},updated_on\n${rows}`), options)).scans.map(
        ({ captured_at }) => iso(captured_at),
      );
    expect(await moments()).toEqual(['2026-01-05T10:00:00', '2026-01-06T11:00:00']);
    expect(await moments({ captured_at: Date.UTC(2026, 0, 7) })).toEqual([
      '2026-01-07T00:00:00',
      '2026-01-07T00:00:00',
    ]);
    const { told: said } = await told(`${HEAD},updated_on\n${rows}`);
    expect(said).toEqual([
      [null, "The rows were read between 2026-01-04 and 2026-01-06: the last one's moment is taken.", false],
    ]);
  });

  test('a total below the rows is no governor, with any id', async () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, at) => `1599,${at + 1},g${at},${at + 5}\n`).join('');
    const powerOf = (count: number) => (count * (count + 9)) / 2;
    const file = (count: number, more = 0) =>
      told(`${HEAD}\n${rows(count)}1599,${count + 1},Total,${powerOf(count) + more}\n`);
    const { told: said, lines, scans } = await file(10);
    expect(said).toEqual([
      [12, 'The power is the sum of all lines above, so this line is their total. It is left out.', true],
    ]);
    expect([lines, scans[0]?.table.count]).toEqual([{ read: 11, kept: 10, dropped: 1 }, 10]);
    expect((await file(10, 1)).lines.kept).toBe(11);
    expect((await file(9)).lines.kept).toBe(10);
    const zeros = Array.from({ length: 12 }, (_, at) => `1599,${at + 1},g${at},0\n`).join('');
    expect((await told(`${HEAD}\n${zeros}`)).lines.kept).toBe(12);
  });

  test('an ambiguous time is reported once', async () => {
    const { told: said, scans } = await told(`${HEAD},Date\n1599,1,a,100,05/01/2026\n1599,2,b,90,05/01/2026\n`);
    expect(said).toEqual([[2, "'05/01/2026' is not a clear date and time. Write it as 2026-01-31 18:30.", false]]);
    expect(scans[0]?.captured_at).toBeNull();
  });
});

describe('csv', () => {
  test('our own: drops the apostrophes that we add, and keeps those of players and other tools', async () => {
    const { lead } = layoutOf({ game: 'rok' });
    const names = ['=1+1', "'=1+1", "''=A1", '-IR-', "'quoted'", 'a;=1+1;b'];
    const line = (name: string, index: number) =>
      lead
        .map((key) => ({ governor_id: index + 1, name: `"${name}"`, home_kingdom: 4001, power: 9 - index })[key] ?? '')
        .join(',');
    const ours = await read('a.csv', [lead.join(','), ...names.map(defused).map(line)].join('\r\n'));
    expect(ours.rows.map(({ name }) => name)).toEqual(names);
    const theirs = await read('b.csv', ['Governor ID,Name,Kingdom,Power', "1,'=1+1,4001,5"].join('\r\n'));
    expect(theirs.rows.map(({ name }) => name)).toEqual(["'=1+1"]);
  });

  test('with a byte order mark, quotes, Windows line breaks and semicolons', async () => {
    const scan = await read(
      '4001_2026-01-02.csv',
      `\ufeff${TRACKER}\r\n${trackerLine(1, '"Moss, ""the"" old"')}\r\n\r\n${trackerLine(2, '灯')}\r\n`,
    );
    expect(scan.rows.map(({ name, home_kingdom }) => [name, home_kingdom])).toEqual([
      ['Moss, "the" old', 4001],
      ['灯', 4001],
    ]);
    expect([iso(scan.captured_at), scan.utf8]).toEqual(['2026-01-02T00:00:00', true]);
    const semicolons = await read('4001.csv', `${TRACKER}\n${trackerLine(1, 'A')}\n`.replaceAll(',', ';'));
    expect(semicolons.rows).toHaveLength(1);
    expect(semicolons.captured_at).toBeNull();
  });

  test('in Windows-1252 if it is not valid UTF-8, and in UTF-16', async () => {
    const bytes = Buffer.from(`${TRACKER}\n${trackerLine(1, 'Große Krähe €')}\n`.replace('€', '\x80'), 'latin1');
    const scan = await read('4001.csv', bytes);
    expect([scan.rows[0]?.name, scan.utf8]).toEqual(['Große Krähe €', false]);
    const wide = Buffer.from(`\ufeff${TRACKER}\n${trackerLine(1, '灯')}\n`, 'utf16le');
    expect((await read('4001.csv', wide)).rows[0]?.name).toBe('灯');
  });

  test('problems name the line of the file, also after a name with a line break', async () => {
    const text = `${TRACKER}\n${trackerLine(1, '"two\nlines"')}\n${trackerLine(2, 'B').replace(',3,', ',3x,')}\n`;
    expect((await read('4001.csv', text)).problems).toMatchObject([
      { line: 4, column: 'Deaths', reason: "'3x' is not a number." },
    ]);
  });

  test('rows keep their own kingdom', async () => {
    const scan = await read('4001.csv', 'Kingdom,Governor ID,Governor Name,Power\n4002,1,A,9\n4003,1,A,8\n,2,B,7\n');
    expect(scan.rows.map(({ home_kingdom }) => home_kingdom)).toEqual([4002, 4003, 4001]);
  });

  test('a file without a scan is refused with a reason', async () => {
    await expect(read('a.csv', 'Name,Score\nA,1\n')).rejects.toThrow('No column of governor ids or lord ids');
    await expect(read('a.csv', '')).rejects.toThrow('The file is empty.');
  });
});

describe('jsonl', () => {
  test('one object a line, keys in any order', async () => {
    const lines = [
      { ID: 1, Name: 'A', Power: 9, Killpoints: -1, 'T45 Kills': 0, Alliance: '[X]Y' },
      { Name: 'B', ID: 2, Power: 8, Killpoints: 40, 'Total Kills': 3 },
    ];
    const scan = await read('4001.jsonl', lines.map((line) => JSON.stringify(line)).join('\r\n'));
    expect(scan.rows).toMatchObject([
      { governor_id: 1, name: 'A', killpoints: null, alliance_tag: 'X', alliance_name: 'Y', home_kingdom: 4001 },
      { governor_id: 2, name: 'B', killpoints: 40, alliance_tag: null },
    ]);
  });

  test('an invalid line is named', async () => {
    await expect(read('a.jsonl', '{"ID":1,"Power":2}\n[1]\n')).rejects.toThrow('Line 2 is not a JSON object.');
  });
});

describe('xlsx', () => {
  const SCROLLS = [
    'Kingdom',
    'Governor Name',
    'Governor ID',
    'Power',
    'Alliance Tag',
    'Kill Points',
    'T5 Kills',
    'Town Hall',
  ];
  const scroll = (kingdom: string, id: string) => [kingdom, 'Copper Pike', id, 5_000_000_000, '2238', 40, 2, 25];

  test('Hero Scrolls: kingdoms from sheet names, the time from the summary, and no governor twice', async () => {
    const bytes = await workbook({
      Summary: [['Kingdom data'], [null, null, null, null, null, '2026-01-05 00:44 UTC']],
      'Top 10s': [SCROLLS, scroll('4001', '9')],
      '4001': [SCROLLS, scroll('4001', '1'), scroll('4001', '2')],
      '4002': [SCROLLS, scroll('4002', '3')],
      'Rolled Up 4001': [SCROLLS, scroll('4001', '1'), scroll('4001', '2')],
    });
    const scan = await read('kingdom_4001_2025-01-01.xlsx', bytes);
    expect(scan.rows.map((row) => [row.home_kingdom, row.governor_id])).toEqual([
      [4001, 1],
      [4001, 2],
      [4002, 3],
    ]);
    expect(scan.rows[0]).toMatchObject({
      power: 5_000_000_000,
      alliance_tag: '2238',
      killcount_t5: 2,
      town_center: 25,
    });
    expect([iso(scan.captured_at), scan.dialect, scan.problems]).toEqual(['2026-01-05T00:44:00', 'Hero Scrolls', []]);
  });

  test('RokTracker: the day from the sheet’s name, the kingdom from the file’s', async () => {
    const cells = [1, 'Moss', 1000, 40, 3, 0, 0, 0, 0, 2, '[MC~]Moss Company'];
    const bytes = await workbook({ Notes: [['nothing here']], '2024-12-04': [TRACKER.split(','), cells] });
    const scan = await read('1599.xlsx', bytes);
    expect(scan.rows).toMatchObject([{ governor_id: 1, home_kingdom: 1599, deads: 3, alliance_tag: 'MC~' }]);
    expect(iso(scan.captured_at)).toBe('2024-12-04T00:00:00');
  });

  test('cells of every kind: prefixes, inline and rich strings, formulas, booleans, gaps, escapes', async () => {
    const bytes = rawWorkbook(
      '1',
      `<x:row r="3"><x:c r="B3" t="inlineStr"><x:is><x:t>in &amp; line</x:t></x:is></x:c><x:c r="AA3" t="s"><x:v>0</x:v></x:c></x:row>
       <x:row><x:c t="str"><x:f>"a"&amp;"b"</x:f><x:v>ab_x0021_</x:v></x:c><x:c t="b"><x:v>1</x:v></x:c><x:c t="e"><x:v>#N/A</x:v></x:c><x:c><x:v>1.5E3</x:v></x:c></x:row>`,
      '<si><r><t>rich </t></r><r><t xml:space="preserve">text</t></r><rPh><t>reading</t></rPh></si>',
    );
    const gap = Array(24).fill(null);
    expect(await linesOf(bytes, '1')).toEqual([
      { line: 3, cells: [null, 'in & line', ...gap, 'rich text'] },
      { line: 4, cells: ['ab!', true, null, 1500] },
    ]);
  });

  test('zip bombs, damaged files and other files are refused with a sentence', async () => {
    const bomb = archive({
      'xl/workbook.xml': '<workbook/>',
      'xl/_rels/workbook.xml.rels': Buffer.alloc(5_000_001, 32),
    });
    await expect(openWorkbook(bomb)).rejects.toThrow('unpacks to more than 5 MB');
    await expect(read('a.xlsx', 'PK no zip')).rejects.toThrow('its end is cut off');
    await expect(openWorkbook(archive({ 'a.txt': 'x' }))).rejects.toThrow('it has no workbook');
    await expect(linesOf(rawWorkbook('1', '<x:row>'), '1')).rejects.toThrow('The workbook is damaged');
    await expect(read('a.xlsx', rawWorkbook('Notes', ''))).rejects.toThrow('None of the sheets holds a scan: Notes.');
  });
});
