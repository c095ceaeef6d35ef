import { describe, expect, test } from 'vitest';
import { FREE_GROWTH_BYTES, MAX_COLUMNS, MAX_FILE_ROWS, MAX_RECORD, MAX_SCANS } from '../../scan-files/limits.ts';
import { readScanFile } from '../../scan-files/read.ts';
import { processorTime } from '../support/processor-time.ts';
import { archive, rawWorkbook, workbook } from './workbooks.ts';

/** Invalid and hostile files: each gets a sentence that names its line, if any, and nothing unintended is kept. */

const HEAD = 'Kingdom,Governor ID,Governor Name,Power';
const read = (content: string | Uint8Array, name = '4001_2026-01-05.csv') =>
  readScanFile(name, typeof content === 'string' ? Buffer.from(content) : content);
const reasons = async (content: string) => {
  const { problems, lines, scans } = await read(content);
  const told = problems.map(({ line, reason, dropped }) => [line, reason, dropped]);
  return { told, lines, ids: scans.flatMap(({ table }) => [...(table.numbers.governor_id ?? [])]) };
};

describe('a file is refused', () => {
  test.each<[string, string | Uint8Array, string]>([
    ['empty', '', 'The file is empty.'],
    [
      'of headers alone, without ids',
      'Name,Score\n',
      'No column of governor ids or lord ids among the headers: Name, Score.',
    ],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'This is a picture, whatever its name says.'],
    ['a photo', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'This is a picture, whatever its name says.'],
    ['a PDF', '%PDF-1.7', 'This is a PDF: export the scan as xlsx or csv.'],
    ['packed', Buffer.from([0x1f, 0x8b, 8, 0]), 'This is a packed file: unpack it first.'],
    [
      'locked or old',
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]),
      'This workbook is locked with a password, or an old .xls: save it as .xlsx without a password, or as csv.',
    ],
    ['Parquet', 'PAR1….', 'This is a Parquet file: export the scan as xlsx, csv or json.'],
  ])('%s', async (_, content, sentence) => {
    await expect(read(content, 'scan.xlsx')).rejects.toThrow(sentence);
  });

  test('if it is larger than 20 MB or has more rows than a scan', async () => {
    await expect(read(new Uint8Array(20_000_001))).rejects.toThrow('The file is larger than 20 MB.');
    const rows = `${HEAD}\n${'1,1,a,1\n'.repeat(100_001)}`;
    await expect(read(rows)).rejects.toThrow('The file has more than 100,000 rows.');
  });

  test('if it has one row too many, counting broken lines but not blank ones at the end', async () => {
    const rows = `${HEAD}\n${'1,1,a,1\n'.repeat(100_000)}`;
    expect((await read(`${rows}\n,,,\n\n`)).lines.read).toBe(100_000);
    await expect(read(`${rows}1,1,a,1,1\n`)).rejects.toThrow('The file has more than 100,000 rows.');
  });

  test('if it has more than 100,000 blank lines above or below the headers', async () => {
    const refusal = 'The file has more than 100,000 blank lines.';
    const blank = ',,\n'.repeat(60_000);
    const rows = `${HEAD}\n1,1,a,1\n`;
    expect((await read(`${blank}${rows}${'\n'.repeat(40_000)}`)).lines.read).toBe(1);
    await expect(read(`${blank}${rows}${'\n'.repeat(40_001)}`)).rejects.toThrow(refusal);
    await expect(read('\n'.repeat(100_001))).rejects.toThrow(refusal);
  });

  test('if its two sheets have too many rows together', async () => {
    const row = (cells: readonly string[], type: string) =>
      `<x:row>${cells.map((cell) => `<x:c t="${type}"><x:v>${cell}</x:v></x:c>`).join('')}</x:row>`;
    const rows = (count: number) => row(HEAD.split(','), 'str') + row(['1', '1', '1', '1'], 'n').repeat(count);
    const half = await read(rawWorkbook(['4001', '4002'], rows(50_000)), 'scan.xlsx');
    expect(half.lines.read).toBe(100_000);
    await expect(read(rawWorkbook(['4001', '4002'], rows(50_001)), 'scan.xlsx')).rejects.toThrow(
      'The file has more than 100,000 rows.',
    );
  });

  test('if it has more scans than a war', async () => {
    const file = (kingdoms: number) =>
      `${HEAD}\n${Array.from({ length: kingdoms }, (_, at) => `${at + 1},${at + 1},x,5`).join('\n')}\n`;
    expect((await read(file(MAX_SCANS))).scans).toHaveLength(MAX_SCANS);
    const sentence = 'The file holds more than 300 scans, one for each kingdom and time: please split it.';
    await expect(read(file(MAX_SCANS + 1))).rejects.toThrow(sentence);
    // A tracker's moments count as well.
    const powers = Array.from({ length: 151 }, (_, at) => `Power Pass ${at}`);
    const tracker = (moments: number) =>
      [
        `Kingdom,Governor ID,Name,${powers.slice(0, moments).join(',')}`,
        ...[1, 2].map((kingdom) => `${kingdom},1,x${',5'.repeat(moments)}`),
      ].join('\n');
    expect((await read(tracker(150))).scans).toHaveLength(300);
    await expect(read(tracker(151))).rejects.toThrow(sentence);
    // An operator's folder may hold every kingdom there is.
    const own = await readScanFile('all.csv', Buffer.from(file(MAX_SCANS + 1)), { maxScans: Number.POSITIVE_INFINITY });
    expect(own.scans).toHaveLength(MAX_SCANS + 1);
  });

  test('if it is a workbook with an encrypted part', async () => {
    const book = rawWorkbook('4001', '');
    // The mark of encryption in the first part's own entry.
    book[book.indexOf('PK\x03\x04') + 6] = 1;
    const directory = book.indexOf('PK\x01\x02');
    book[directory + 8] = 1;
    await expect(read(book)).rejects.toThrow('The workbook is locked with a password: save it without one.');
  });
});

describe('a truncated file', () => {
  test('csv: loses its last line, and says so', async () => {
    const { told, ids } = await reasons(`${HEAD}\n4001,1,Moss,9\n4001,2,Hal`);
    expect([ids, told]).toEqual([[1], [[3, 'The file ends in the middle of this line; it is left out.', true]]]);
  });

  test('json: loses its last object, and says so', async () => {
    const { told, ids } = await reasons(`[\n{"Governor ID":1,"Kingdom":4001,"Power":9},\n{"Governor ID":2,"Pow`);
    expect([ids, told]).toEqual([[1], [[3, 'The file ends in the middle of an object; it is left out.', true]]]);
  });

  test('json: says that the list is not closed', async () => {
    const { told, ids } = await reasons(`[\n{"Governor ID":1,"Kingdom":4001,"Power":9},\n`);
    expect([ids, told]).toEqual([
      [1],
      [[3, 'The file ends in line 3 before its list does. Rows may be missing.', false]],
    ]);
  });

  test.each([
    ['csv without its last line end', `${HEAD}\n4001,1,Moss,9`, null],
    ['csv before its last cell', `${HEAD}\n4001,1,Moss,9\n4001,2,Hal,`, 'The file ends in the middle of line 3.'],
    ['csv whose last column is empty', `${HEAD},Alliance\n4001,1,Moss,9,\n4001,2,Hal,8,`, null],
    ['csv in quotes', `${HEAD},Alliance\n4001,1,Moss,9,A\n4001,2,Hal,8,"B`, 'The file ends in the middle of line 3.'],
    ['csv within its headers', 'Kingdom,Governor ID,Governor Name,Pow', 'The file ends in the middle of line 1.'],
    ['csv within a line', `${HEAD}\n4001,1,Moss,9\n4001,2`, 'The file ends in the middle of line 3.'],
    ['whole csv', `${HEAD}\n4001,1,Moss,9\n`, null],
    ['whole csv with blanks behind it', `${HEAD}\n4001,1,Moss,9\r\n  `, null],
    ['a list', `[{"Governor ID":1,"Kingdom":4001,"Power":9}`, 'The file ends in line 1 before its list does.'],
    ['rows', `{"rows":[{"Governor ID":1,"Kingdom":4001,"Power":9},`, 'The file ends in line 1 before its list does.'],
    ['an object', `{"Governor ID":1,"Kingdom":4001,"Power":9}\n{"Gov`, 'The file ends in line 2 before its list does.'],
    ['whole lists', `[{"Governor ID":1,"Kingdom":4001,"Power":9}]\n[{"Governor ID":2,"Kingdom":4001,"Power":9}]`, null],
    ['whole rows', `{"rows":[{"Governor ID":1,"Kingdom":4001,"Power":9}]}`, null],
    ['objects by line', `{"Governor ID":1,"Kingdom":4001,"Power":9}\n{"Governor ID":2,"Kingdom":4001,"Power":9}`, null],
  ])('says whether its end is there: %s', async (_, text, cut) => {
    expect((await read(text)).cut).toBe(cut);
  });

  test('xlsx: is refused', async () => {
    const book = await workbook({ '4001': [HEAD.split(','), [4001, 1, 'Moss', 9]] });
    await expect(read(book.subarray(0, book.length - 200))).rejects.toThrow('its end is cut off');
    await expect(read(rawWorkbook('4001', '<x:row r="1"><x:c r="A1"><x:v>1</x:v>'))).rejects.toThrow('is damaged');
  });
});

describe('invalid lines', () => {
  test('are reported by number, and dropped or kept without the cell', async () => {
    const { told, lines, ids } = await reasons(
      [
        HEAD,
        '4001,1,Moss,9',
        '4001,,Nobody,9',
        '4001,2,Two,many',
        '4001,1,Again,10',
        '4001,3,Three,1.5E+12',
        '4001,4,x,y,z',
        '4001,5,Five,-7',
      ]
        .join('\n')
        .concat('\n'),
    );
    expect(ids).toEqual([1]);
    expect(lines).toEqual({ read: 7, kept: 1, dropped: 6 });
    expect(told).toEqual([
      [
        null,
        "1 governor repeated with different figures ('Moss'): the first line of each counts, 1 other line left out.",
        false,
      ],
      [3, 'No governor id; the line is left out.', true],
      [4, "'many' is not a number.", false],
      [4, 'No power of governor 2; the line is left out.', true],
      [5, '1 appears twice with different figures: line 2 counts, this one is left out.', true],
      [6, "'1.5E+12' has lost its last digits.", false],
      [6, 'No power of governor 3; the line is left out.', true],
      [7, '5 cells where the headers are 4: is there a separator inside a name? The line is left out.', true],
      [8, "'-7' is negative.", false],
      [8, 'No power of governor 5; the line is left out.', true],
    ]);
  });

  test('may be of another kingdom than the file’s name says', async () => {
    const { told, ids } = await reasons(`${HEAD}\n4001,1,Moss,9\n4002,2,Heron,8\n`);
    expect([ids, told]).toEqual([
      [1, 2],
      [[3, 'The row is of kingdom 4002, the file says 4001; the row counts.', false]],
    ]);
  });
});

describe('input that costs too much or could run', () => {
  const rows = (cells: string) =>
    `<x:row r="1">${HEAD.split(',')
      .map((title, at) => `<x:c r="${'ABCD'[at]}1" t="str"><x:v>${title}</x:v></x:c>`)
      .join('')}</x:row>${cells}`;

  test('a sheet that unpacks to hundreds of megabytes', async () => {
    const bomb = archive({
      'xl/workbook.xml': '<workbook><sheets><sheet name="1" sheetId="1" r:id="r1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="r1" Type="worksheet" Target="/xl/w.xml"/></Relationships>',
      'xl/w.xml': Buffer.alloc(60_000_000, '<a></a>\n'),
    });
    await expect(read(bomb)).rejects.toThrow('The sheets of the workbook unpack to more than 100 times its size.');
  });

  test('a small sheet that the workbook lists five hundred times', async () => {
    const names = Array.from({ length: 500 }, (_, index) => `sheet ${index}`);
    const note = `<!--${' '.repeat(60_000)}-->`;
    expect(names.length * note.length).toBeGreaterThan(FREE_GROWTH_BYTES);
    await expect(read(rawWorkbook(names, note))).rejects.toThrow(
      'The sheets of the workbook unpack to more than 100 times its size.',
    );
  });

  /** Cells whose reading could take quadratic time: a minute for one cell. */
  test.each([
    ['digits that end in a letter', `${'1'.repeat(99_000)}x`],
    ['spaces', `1${' '.repeat(99_000)}x`],
    ['brackets', '[]'.repeat(49_000)],
    ['dates', '2024-01-01 '.repeat(9000)],
  ])('a long cell of %s is read quickly', async (_, text) => {
    const columns = 'governor_id,alliance_tag,home_kingdom,name,power,killpoints';
    const count = columns.split(',').length;
    const object = { 'Governor ID': text, Name: text, Power: text, Kingdom: text, Alliance: text };
    const taken = await processorTime(async () => {
      for (let at = 0; at < count; at++)
        await read(`${columns}\n${Array.from({ length: count }, (_, index) => (index === at ? text : 5)).join(',')}\n`);
      await expect(read(JSON.stringify([object]))).rejects.toThrow('Line 1 is too long for a scan.');
    });
    expect(taken).toBeLessThan(2000);
  });

  test('a tag of nothing but brackets', async () => {
    const taken = await processorTime(async () => {
      const tag = rawWorkbook('4001', `<x:row r="${'>'.repeat(900_000)}"><x:c r="A1"><x:v>1</x:v></x:c></x:row>`);
      await expect(read(tag)).rejects.toThrow('No column of governor ids');
      await expect(read(rawWorkbook('4001', `<x:row r="${'>'.repeat(1_200_000)}`))).rejects.toThrow(
        'a part ends too early',
      );
    });
    expect(taken).toBeLessThan(5000);
  });

  test('too many columns, in every kind of file', async () => {
    const many = Array.from({ length: MAX_COLUMNS + 1 }, (_, index) => `c${index}`);
    await expect(read(`Governor ID,${many.join(',')}\n`)).rejects.toThrow('Line 1 has more than 1,000 columns.');
    const object = Object.fromEntries(many.map((key) => [key, 1]));
    await expect(read(JSON.stringify([object]))).rejects.toThrow('more than 1,000 different keys');
    const far = rawWorkbook('4001', '<x:row r="1"><x:c r="XFD1"><x:v>1</x:v></x:c></x:row>');
    await expect(read(far)).rejects.toThrow('Line 1 has more than 1,000 columns.');
  });

  test('too many times side by side, or too many rows of all of them', async () => {
    const staged = (moments: number, lines: number) =>
      read(
        `Governor ID,${Array.from({ length: moments }, (_, at) => `Power Pass ${at}`).join(',')}\n${`7${',5'.repeat(moments)}\n`.repeat(lines)}`,
      );
    await expect(staged(MAX_SCANS + 1, 1)).rejects.toThrow('The file holds more than 300 scans');
    expect((await staged(MAX_SCANS, 1)).scans).toHaveLength(MAX_SCANS);
    const lines = MAX_FILE_ROWS / 250;
    expect((await staged(250, lines)).lines.read).toBe(lines);
    await expect(staged(250, lines + 1)).rejects.toThrow(
      'The file has more than 100,000 rows, each counted once per time in it.',
    );
  });

  test('an endless line', async () => {
    await expect(read(`${HEAD}\n4001,1,${'x'.repeat(MAX_RECORD + 1)},9\n`)).rejects.toThrow(
      'Line 2 is too long for a scan.',
    );
  });

  test('external and growing entities', async () => {
    const declared = rawWorkbook(
      '4001',
      rows(''),
      '<!DOCTYPE s [<!ENTITY a SYSTEM "file:///etc/passwd">]><si><t>&a;</t></si>',
    );
    await expect(read(declared)).rejects.toThrow('The workbook declares entities, which no workbook needs.');
    const used = rawWorkbook('4001', rows('<x:row r="2"><x:c r="A2" t="str"><x:v>&lol;</x:v></x:c></x:row>'));
    await expect(read(used)).rejects.toThrow("it has an entity 'lol'");
  });

  test('a formula counts by its result only, and a name that looks like one stays a name', async () => {
    const cells = '<x:c r="A2"><x:v>4001</x:v></x:c><x:c r="B2"><x:v>7</x:v></x:c>';
    const named =
      '<x:c r="C2" t="str"><x:f>HYPERLINK("http://x")</x:f><x:v>=1+1</x:v></x:c><x:c r="D2"><x:f>9*9</x:f><x:v>81</x:v></x:c>';
    const { scans } = await read(rawWorkbook('4001', rows(`<x:row r="2">${cells}${named}</x:row>`)));
    expect([scans[0]?.table.texts.name, [...(scans[0]?.table.numbers.power ?? [])]]).toEqual([['=1+1'], [81]]);
  });
});
