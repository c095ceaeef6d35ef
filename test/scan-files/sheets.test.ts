import { describe, expect, test } from 'vitest';
import { MAX_FILE_BYTES, MAX_FILE_ROWS, MAX_PROBLEMS } from '../../scan-files/limits.ts';
import { type FileOptions, readScanFile, SCAN_FILE } from '../../scan-files/read.ts';
import { rowsIn } from '../support/readings.ts';
import { archive, rawWorkbook, type Sheets, workbook } from './workbooks.ts';

/** Detection of a file's format, headers, sheets and name. */

const HEAD = ['Governor ID', 'Name', 'Power'];
const csv = (...lines: (string | number)[][]) => lines.map((line) => `${line.join(',')}\n`).join('');
const read = async (name: string, content: string | Buffer, options?: FileOptions) => {
  const reading = await readScanFile(name, Buffer.from(content as string), options);
  return { ...reading, ids: rowsIn(reading.scans).map((row) => row.governor_id ?? row.lord_id) };
};
const readBook = async (name: string, sheets: Sheets, options?: FileOptions) =>
  read(name, await workbook(sheets), options);
const placed = ({ scans }: Awaited<ReturnType<typeof read>>) =>
  scans.map(({ kingdom_id, captured_at }) => [kingdom_id, captured_at]);

const DAY = Date.UTC(2026, 0, 2);
const row = (id: number) => [id, `G${id}`, 1000 - id];

test.each([
  ['a.csv', true],
  ['a.TSV', true],
  ['a.ndjson', true],
  ['a.xlsx', true],
  ['a.xls', false],
  ['csv', false],
  ['a.csv.bak', false],
])('%s is a scan file: %s', (name, is) => {
  expect(SCAN_FILE.test(name)).toBe(is);
});

describe('a file', () => {
  test('may be as large as the limit', async () => {
    const text = csv(HEAD, row(1));
    expect((await read('1.csv', text, { maxBytes: text.length })).ids).toEqual([1]);
    await expect(read('1.csv', text, { maxBytes: text.length - 1 })).rejects.toThrow('The file is larger than');
    const most = Buffer.alloc(MAX_FILE_BYTES, ' ');
    await expect(readScanFile('1.csv', most)).rejects.toThrow(/^Line 1 is too long/);
  });

  test('may have as many rows as the limit', async () => {
    const rows = Array.from({ length: MAX_FILE_ROWS }, (_, index) => `${index + 1},a,${MAX_FILE_ROWS - index}`);
    const { lines } = await read('1.csv', `${HEAD}\n${rows.join('\n')}\n`);
    expect(lines).toEqual({ read: MAX_FILE_ROWS, kept: MAX_FILE_ROWS, dropped: 0 });
  });

  test.each([
    [0x89, 0x51],
    [0xff, 0xd8, 0xfe],
    [0x47, 0x49, 0x45],
    [0x25, 0x50, 0x44, 0x45],
    [0x1f, 0x8c],
    [0x50, 0x41, 0x52, 0x32],
    [0xd0, 0xcf, 0x11, 0xe1],
    [0x50, 0x4c],
  ])('that starts almost like another kind is read as text (%d %d)', async (...bytes) => {
    const text = Buffer.concat([Buffer.from(bytes), Buffer.from(`\n${csv(HEAD, row(1))}`)]);
    expect((await read('1.csv', text)).ids).toEqual([1]);
  });

  test('that is a picture is refused', async () => {
    await expect(read('1.csv', 'GIF89a')).rejects.toThrow('This is a picture');
  });

  test('has its headers in the first ten non-empty lines', async () => {
    const title = ['Scan', 'of', 'ours'];
    const above = (count: number) => csv(...Array(count).fill(title), HEAD, row(1));
    expect((await read('1.csv', above(9))).ids).toEqual([1]);
    await expect(read('1.csv', above(10))).rejects.toThrow('among the headers: Scan, of, ours.');
    const blank = `${'\n'.repeat(20)},,\n`;
    expect((await read('1.csv', `${blank}${above(9)}`)).ids).toEqual([1]);
    await expect(read('1.csv', blank)).rejects.toThrow('The file is empty.');
    const sheet = (count: number) => ({ Scan: [...Array(count).fill(title), HEAD, row(1)] });
    expect((await readBook('1.xlsx', sheet(9))).ids).toEqual([1]);
    await expect(readBook('1.xlsx', sheet(10))).rejects.toThrow('None of the sheets holds a scan: Scan.');
  });

  test('loses lines with a value beyond the headers', async () => {
    const text = csv([...HEAD, '', ''], [...row(1), ''], [...row(2), 'x'], [...row(3), '', '', ''], row(4));
    const { ids, problems } = await read('1.csv', text);
    expect(ids).toEqual([1, 3, 4]);
    expect(problems).toMatchObject([{ line: 3, reason: expect.stringContaining('4 cells where the headers are 3') }]);
  });

  test('loses a truncated last line only if it lacks cells', async () => {
    expect((await read('1.csv', `${csv(HEAD, row(1))}2,G2,9`)).ids).toEqual([1, 2]);
    expect((await read('1.csv', `${csv(HEAD, row(1))}2,G2`)).ids).toEqual([1]);
  });

  test('lists a hundred problems, and counts all', async () => {
    const wrong = (count: number) => csv(HEAD, row(1), ...Array(count).fill(['', 'x', 1]));
    const most = await read('1.csv', wrong(MAX_PROBLEMS));
    expect([most.problems.length, most.problem_count]).toEqual([MAX_PROBLEMS, MAX_PROBLEMS]);
    const more = await read('1.csv', wrong(MAX_PROBLEMS + 1));
    expect([more.problems.length, more.problem_count]).toEqual([MAX_PROBLEMS, MAX_PROBLEMS + 1]);
  });

  test('says if its encoding may have damaged names', async () => {
    expect((await read('1.csv', Buffer.from(`${HEAD}\n1,Gr\xf6,9\n`, 'latin1'))).utf8).toBe(false);
    expect((await read('1.csv', csv(HEAD, row(1)))).utf8).toBe(true);
    expect((await readBook('1.xlsx', { a: [HEAD, row(1)] })).utf8).toBe(true);
  });

  test('with sums over days says of which days', async () => {
    const sums = csv(['Character ID', 'Username', 'Power', 'Total Merits'], [1, 'A', 9, 3]);
    expect(await read('101_2026-01-02_2026-01-05.csv', sums)).toMatchObject({
      game: 'cod',
      range: { from: DAY, to: Date.UTC(2026, 0, 5) },
    });
    expect((await read('101.csv', sums)).range).toEqual({ from: null, to: null });
    expect((await read('1.csv', csv(HEAD, row(1)))).range).toBeNull();
  });
});

describe('kingdom and time', () => {
  test('are the user’s choice, else those of the sheet, else those of the file’s name', async () => {
    const text = csv(HEAD, row(1));
    expect(placed(await read('4001_2026-01-02.csv', text))).toEqual([[4001, DAY]]);
    expect(placed(await read('4001_2026-01-02.csv', text, { kingdom: 7, captured_at: 5 }))).toEqual([[7, 5]]);
    expect(placed(await read('x.csv', text))).toEqual([[null, null]]);
    const summary = [['Kingdoms'], [0, 0, 0, 0, 0, '2026-01-02 00:00 UTC'], [0, 0, 0, 0, 0, '2027-01-02']];
    const book = { Summary: summary, '4002': [HEAD, row(1)], '99999': [HEAD, row(2)] };
    expect(placed(await readBook('4001_2025-05-05.xlsx', book))).toEqual([
      [4002, DAY],
      [99_999, DAY],
    ]);
    expect(placed(await readBook('a.xlsx', book, { kingdom: 7, captured_at: 5 }))).toEqual([
      [7, 5],
      [7, 5],
    ]);
    const without = { Summary: [['Kingdoms']], '4002': [HEAD, row(1)] };
    expect(placed(await readBook('4001_2026-01-02.xlsx', without))).toEqual([[4002, DAY]]);
    const days = { 'x 2026-01-02': [HEAD, row(1)], y: [HEAD, row(2)], '2026-01-05': [HEAD, row(1)] };
    const { ids, ...byDay } = await readBook('4001_2025-05-05.xlsx', days);
    expect(placed({ ids, ...byDay })).toEqual([
      [4001, DAY],
      [4001, Date.UTC(2026, 0, 5)],
    ]);
    expect(byDay.problems).toEqual([
      { line: null, sheet: 'y', column: null, reason: "The sheet 'y' was not read.", dropped: false },
    ]);
  });
});

test('ignore an impossible kingdom number', async () => {
  const rows = [
    [1, 'A', 3, 99_999],
    [2, 'B', 2, 100_000],
    [3, 'C', 1, 1_234_567],
  ];
  const { scans, problems } = await read('x.csv', csv([...HEAD, 'Kingdom'], ...rows));
  expect(scans.map(({ kingdom_id, table }) => [kingdom_id, table.count])).toEqual([[99_999, 1]]);
  expect(problems.map(({ line, reason }) => [line, reason])).toEqual([
    [3, "'100000' is not a kingdom number."],
    [4, "'1234567' is not a kingdom number."],
    [3, 'No kingdom is named; the line is left out.'],
    [4, 'No kingdom is named; the line is left out.'],
  ]);
  const lords = csv(['lord_id', 'name', 'power', 'merits', 'home_server'], [1, 'A', 3, 1, 100_000]);
  expect(placed(await read('99.csv', lords))).toEqual([[99, null]]);
});

describe('days as a workbook’s numbers', () => {
  const cells = (...values: (string | number)[]) =>
    `<x:row>${values.map((value) => `<x:c t="${typeof value === 'number' ? 'n' : 'str'}"><x:v>${value}</x:v></x:c>`).join('')}</x:row>`;
  const rows = cells(...HEAD, 'updated_on') + cells(...row(1), 46024) + cells(...row(2), 46024.5);

  test.each([
    ['', Date.UTC(2026, 0, 2, 12)],
    ['<x:workbookPr date1904="0"/>', Date.UTC(2026, 0, 2, 12)],
    ['<x:workbookPr date1904="1"/>', Date.UTC(2030, 0, 3, 12)],
    ['<x:workbookPr date1904="true"/>', Date.UTC(2030, 0, 3, 12)],
  ])('with %s', async (properties, at) => {
    expect(placed(await read('a.xlsx', rawWorkbook('4001', rows, '', properties)))).toEqual([[4001, at]]);
  });
});

describe('several sheets', () => {
  test('are named by kingdoms and days in usual forms, and skipped without headers', async () => {
    const kingdoms = await readBook('a.xlsx', {
      'KD 1599': [HEAD, row(1)],
      'Server 99': [HEAD, row(4)],
      'Kingdom 1600 2026-01-02': [HEAD, row(2)],
      '2026': [['plans for the year']],
      Mine: [HEAD, row(3)],
    });
    expect(placed(kingdoms)).toEqual([
      [1599, null],
      [99, null],
      [1600, DAY],
    ]);
    expect(kingdoms.problems.map(({ sheet }) => sheet)).toEqual(['2026', 'Mine']);
  });

  test('of kingdoms are read, and others are reported unless they repeat the same', async () => {
    const book = {
      'Top 10s': [HEAD, row(9)],
      'Rolled Up 1': [HEAD, row(9)],
      Summary: [HEAD, row(9)],
      '0': [HEAD, row(8)],
      '100000': [HEAD, row(8)],
      '4001': [HEAD, row(1)],
      Mine: [HEAD, row(7)],
    };
    const { ids, problems, lines } = await readBook('a.xlsx', book);
    expect(ids).toEqual([1]);
    expect(problems.map(({ sheet }) => sheet)).toEqual(['0', '100000', 'Mine']);
    expect(lines).toEqual({ read: 1, kept: 1, dropped: 0 });
  });

  test('without kingdoms or days are reduced to the first with headers', async () => {
    const { ids, problems } = await readBook('a.xlsx', {
      Summary: [HEAD, row(9)],
      Notes: [['nothing']],
      One: [HEAD, row(1)],
      Two: [HEAD, row(2)],
    });
    expect(ids).toEqual([1]);
    expect(problems.map(({ sheet }) => sheet)).toEqual(['Notes', 'Two']);
  });

  test('count if they are of the first one’s game, and unknown headers are reported once', async () => {
    const other = ['Lord ID', 'Name', 'Power', 'Mood'];
    const { ids, game, mapping, unknown_headers, lines, problems } = await readBook('a.xlsx', {
      '1': [
        [...HEAD, 'Odd'],
        [...row(1), 0],
        ['x', '', ''],
      ],
      '2': [[...HEAD, 'Odd', 'Even'], row(2)],
      '3': [other, row(3)],
    });
    expect([game, ids]).toEqual(['rok', [1, 2]]);
    expect(mapping.map(({ header }) => header)).toEqual([...HEAD, 'Odd', 'Even']);
    expect(unknown_headers).toEqual(['Odd', 'Even']);
    expect(problems.at(-1)).toMatchObject({
      sheet: '3',
      reason: "The sheet '3' was not read. It is of Call of Dragons.",
    });
    expect(lines).toEqual({ read: 3, kept: 2, dropped: 1 });
  });

  test('are read if hidden only without visible ones, and reported', async () => {
    const told = async (names: string[], hidden: Parameters<typeof workbook>[1]) => {
      const sheets = Object.fromEntries(names.map((name, index) => [name, [HEAD, row(index + 1)]]));
      const { scans, problems } = await read('a.xlsx', await workbook(sheets, hidden));
      return [scans.map(({ sheet }) => sheet), problems.map(({ reason }) => reason)];
    };
    expect(await told(['Old', '4001', '4002', '4003'], { Old: 'hidden', '4002': 'veryHidden' })).toEqual([
      ['4001', '4003'],
      ["The sheet '4002' was not read. It is hidden.", "The sheet 'Old' was not read. It is hidden."],
    ]);
    expect((await told(['Old', 'New'], { Old: 'hidden' }))[0]).toEqual(['New']);
    expect((await told(['Old'], { Old: 'hidden' }))[0]).toEqual(['Old']);
  });

  test('may all lack a scan, which is refused', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `${index}-${'x'.repeat(20)}`);
    const message = await readBook('a.xlsx', Object.fromEntries(names.map((name) => [name, [['a']]]))).catch(
      (error: Error) => error.message,
    );
    expect(message).toBe(`None of the sheets holds a scan: ${names.join(', ').slice(0, 200)}.`);
    const empty = archive({ 'xl/workbook.xml': '<a/>', 'xl/_rels/workbook.xml.rels': '<a/>' });
    await expect(read('a.xlsx', empty)).rejects.toThrow('The workbook has no sheets.');
  });
});

describe('json objects', () => {
  const objects = (count: number, extra: number) =>
    Array.from({ length: count }, (_, index) => ({
      'Governor ID': index + 1,
      Power: 1000 - index,
      ...(index === extra ? { Deaths: 5, Mood: 1 } : {}),
    }));
  test.each([0, 98, 99, 100, 149])('may have new headers in any object: %d', async (extra) => {
    const { scans, unknown_headers, lines } = await read('1.json', JSON.stringify(objects(150, extra)));
    expect(lines).toEqual({ read: 150, kept: 150, dropped: 0 });
    expect(scans[0]?.table.numbers.deads?.[extra]).toBe(5);
    expect(unknown_headers).toEqual(['Mood']);
  });

  test('without a scan are refused', async () => {
    await expect(read('1.json', '[]')).rejects.toThrow('The file is empty.');
    await expect(read('1.json', '[{"a":1,"b":2}]')).rejects.toThrow('among the headers: a, b.');
  });
});

describe('our own csv', () => {
  test('is also recognised by its last header, and loses the apostrophes that we add', async () => {
    const lines = [
      [...HEAD, 'Written by Muster'],
      [1, "'=1+1", 9, ''],
    ];
    expect(rowsIn((await read('1.csv', csv(...lines))).scans)[0]?.name).toBe('=1+1');
    const others = [
      [...HEAD, 'Written by Somebody'],
      [1, "'=1+1", 9, ''],
    ];
    expect(rowsIn((await read('1.csv', csv(...others))).scans)[0]?.name).toBe("'=1+1");
  });
});
