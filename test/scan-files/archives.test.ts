import { randomBytes } from 'node:crypto';
import { constants, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  FREE_GROWTH_BYTES,
  MAX_COLUMNS,
  MAX_GROWTH,
  MAX_PART_BYTES,
  MAX_PARTS,
  MAX_TEXT_BYTES,
  MAX_TEXTS,
} from '../../scan-files/limits.ts';
import { openWorkbook } from '../../scan-files/workbook.ts';
import { openZip } from '../../scan-files/zip.ts';
import { archive, type Packing, rawWorkbook } from './workbooks.ts';

/** Workbooks as archives and sheets: valid variants are read, damaged ones are refused with a sentence. */

async function pieces(bytes: Buffer, name: string): Promise<Buffer> {
  const found: Uint8Array[] = [];
  for await (const piece of openZip(bytes).pieces(name) ?? []) found.push(piece);
  return Buffer.concat(found);
}

describe('an archive', () => {
  const parts = { 'a.xml': '<a/>'.repeat(50), 'b.xml': 'é' };
  const packings: [string, Packing][] = [
    ['deflated', {}],
    ['stored', { stored: true }],
    ['with more behind the names', { extra: Buffer.from([1, 0, 2, 0, 9, 9]) }],
    ['with the longest comment', { comment: Buffer.alloc(0xffff, 'c') }],
  ];
  test.each(packings)('%s is read part by part, whole and in pieces', async (_, packing) => {
    const bytes = archive(parts, packing);
    const zip = openZip(bytes);
    for (const [name, text] of Object.entries(parts)) {
      expect(Buffer.from(zip.part(name) ?? []).toString()).toBe(text);
      expect((await pieces(bytes, name)).toString()).toBe(text);
    }
    expect([zip.part('c.xml'), zip.pieces('c.xml')]).toEqual([null, null]);
  });

  test.each([{ stored: true }, { stored: false }])('with a wrong checksum is refused: %o', async (packing) => {
    const bytes = archive(parts, packing);
    // The first part's sum in the directory.
    const place = bytes.indexOf('PK\x01\x02') + 16;
    bytes.writeUInt32LE((bytes.readUInt32LE(place) ^ 1) >>> 0, place);
    const sentence = 'a part is not what its checksum says';
    expect(() => openZip(bytes).part('a.xml')).toThrow(sentence);
    await expect(pieces(bytes, 'a.xml')).rejects.toThrow(sentence);
    expect(openZip(bytes).part('b.xml')).not.toBeNull();
  });

  /** Bends a number of the first part's entry in the directory, or of the end record. */
  const bent = (mark: string, at: number, value: number): Buffer => {
    const bytes = archive(parts);
    bytes.writeUInt16LE(value, bytes.indexOf(mark) + at);
    return bytes;
  };
  const ENTRY = 'PK\x01\x02';
  const END = 'PK\x05\x06';
  test.each<[string, Buffer, string]>([
    ['nothing', Buffer.from('PK'), 'it has no directory'],
    ['a comment that is too long', Buffer.concat([archive(parts), Buffer.alloc(0x10000)]), 'it has no directory'],
    ['a directory that ends too early', bent(END, 10, 3), 'its directory is cut short'],
    ['a directory that is elsewhere', bent(END, 16, 1), 'its directory is cut short'],
    ['more parts than a workbook', bent(END, 10, 5001), 'has more parts than a workbook'],
    ['a part that is elsewhere', bent(ENTRY, 42, 1), 'a part is missing'],
    [
      'a part that begins in the last bytes',
      (() => {
        const bytes = Buffer.concat([bent(END, 20, 4), Buffer.from('PK\x03\x04')]);
        bytes.writeUInt32LE(bytes.length - 4, bytes.indexOf(ENTRY) + 42);
        return bytes;
      })(),
      'a part is missing',
    ],
    ['a part past the end', bent(ENTRY, 42, 0xffff), 'a part is missing'],
    ['a part that is longer than the file', bent(ENTRY, 20, 0xffff), 'a part is cut short'],
    ['a part that does not unpack', bent(ENTRY, 20, 3), 'a part is broken'],
    ['a part packed in another way', bent(ENTRY, 10, 9), 'is packed in a way that this does not read'],
    ['a part under a password', bent(ENTRY, 8, 1), 'is locked with a password'],
  ])('with %s is refused', (_, bytes, sentence) => {
    expect(() => openZip(bytes).part('a.xml')).toThrow(sentence);
  });

  test('with a flag other than encryption is read', () => {
    expect(openZip(bent(ENTRY, 8, 0x808)).part('a.xml')).toHaveLength(200);
  });

  test('with as many parts as a workbook may have is read, and one more is refused', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`${index}`, 'x']));
    expect(openZip(archive(many, { stored: true })).part('4999')).toHaveLength(1);
    expect(() => openZip(archive({ ...many, more: 'x' }, { stored: true }))).toThrow('more parts than a workbook');
  });

  test('parts may unpack to 5 MB, sheets to 20 MB or a hundred times the file’s size', async () => {
    const part = (bytes: number) => openZip(archive({ a: Buffer.alloc(bytes) })).part('a');
    expect(part(MAX_PART_BYTES)).toHaveLength(MAX_PART_BYTES);
    expect(() => part(MAX_PART_BYTES + 1)).toThrow('unpacks to more than 5 MB');
    expect(await pieces(archive({ a: Buffer.alloc(FREE_GROWTH_BYTES) }), 'a')).toHaveLength(FREE_GROWTH_BYTES);
    await expect(pieces(archive({ a: Buffer.alloc(FREE_GROWTH_BYTES + 1) }), 'a')).rejects.toThrow(
      'The sheets of the workbook unpack to more than 100 times its size.',
    );
    // Data with a lower compression ratio may unpack to more.
    const noise = randomBytes(FREE_GROWTH_BYTES / MAX_GROWTH + 20_000);
    const mixed = Buffer.concat([noise, Buffer.alloc(FREE_GROWTH_BYTES)]);
    expect(await pieces(archive({ a: mixed }), 'a')).toHaveLength(mixed.length);
    await expect(pieces(bent(ENTRY, 20, 3), 'a.xml')).rejects.toThrow('a sheet cannot be unpacked');
  });

  test('an uncompressed sheet counts each time it is read', async () => {
    const part = Buffer.alloc(200_000, 'x');
    const bare = archive({ a: part }, { stored: true }).length;
    const bytes = archive({ a: part }, { stored: true, comment: Buffer.alloc(202_000 - bare) });
    const zip = openZip(bytes);
    const read = async () => {
      for await (const piece of zip.pieces('a') ?? []) expect(piece).toHaveLength(200_000);
    };
    // Together a hundred times as much as the file, and no more.
    for (let times = 0; times < 101; times++) await read();
    await expect(read()).rejects.toThrow('The sheets of the workbook unpack to more than 100 times its size.');
  });

  test('sheets may unpack to 400 MB, however well they compress', async () => {
    // A hundred times the same four megabytes, which pack to a thirtieth, and one byte more.
    const some = Buffer.concat(Array.from({ length: 100 }, () => [randomBytes(800), Buffer.alloc(39_200)]).flat());
    const packed = deflateRawSync(some, { level: 1, finishFlush: constants.Z_FULL_FLUSH });
    const sheet = Buffer.concat([...Array<Buffer>(100).fill(packed), deflateRawSync(Buffer.alloc(1))]);
    const bytes = archive({ a: sheet }, { stored: true });
    bytes.writeUInt16LE(8, bytes.lastIndexOf('PK\x01\x02', undefined, 'latin1') + 10);
    let size = 0;
    const read = async () => {
      for await (const piece of openZip(bytes).pieces('a') ?? []) size += piece.length;
    };
    await expect(read()).rejects.toThrow('The sheets of the workbook unpack to more than 400 MB.');
    expect(size).toBeGreaterThan(399_000_000);
    expect(size).toBeLessThanOrEqual(400_000_000);
  });
});

describe('a sheet', () => {
  async function linesOf(bytes: Buffer, sheet = '1', most = Number.POSITIVE_INFINITY) {
    const lines: [number, unknown[]][] = [];
    const onLine = (line: number, cells: unknown[]) => {
      lines.push([line, [...cells]]);
      return lines.length < most;
    };
    await (await openWorkbook(bytes)).read(new Map([[sheet, onLine]]));
    return lines;
  }
  const cell = (content: string, about = '') => `<x:c ${about}><x:v>${content}</x:v></x:c>`;
  const row = (...cells: string[]) => `<x:row>${cells.join('')}</x:row>`;

  test('has cells of every kind', async () => {
    const kinds = [
      cell('1.5'),
      cell('-2E3', 't="n"'),
      cell('many'),
      cell('0', 't="s"'),
      cell('9', 't="s"'),
      cell('7', 't="str"'),
      cell('1', 't="b"'),
      cell('0', 't="b"'),
      cell('#N/A', 't="e"'),
      '<x:c t="inlineStr"><x:is><x:t>_x0041_x_xzz_</x:t></x:is></x:c>',
      // A text that is not of the cell's value.
      '<x:c><x:is><x:t>5</x:t></x:is></x:c>',
      cell('8'),
    ];
    const [line] = await linesOf(rawWorkbook('1', row(...kinds), '<si><t>one_x000d_</t></si>'));
    expect(line).toEqual([1, [1.5, -2000, 'many', 'one\r', null, '7', true, false, null, 'Ax_xzz_', null, 8]]);
  });

  test('has lines and columns at their stated places, else in order', async () => {
    const cells = (...references: string[]) => references.map((name) => cell('1', `r="${name}"`)).join('');
    const data = [
      row(cell('1')),
      `<x:row r="5">${cells('C5')}</x:row>`,
      row(),
      row(cells('Z7'), cell('2')),
      `<x:row r="0">${cells('AA8')}</x:row>`,
      ...['1e300', 'Infinity', '-4', '9.5', '1048577'].map((said) => `<x:row r="${said}">${cells('A1')}</x:row>`),
      `<x:row r="1048576">${cells('A1')}</x:row>`,
      `<x:row>${cell('', 'r="B9"')}${cells('?9')}</x:row>`,
    ];
    const lines = await linesOf(rawWorkbook('1', data.join('')));
    expect(lines.map(([line, { length }]) => [line, length])).toEqual([
      [1, 1],
      [5, 3],
      [7, 27],
      [8, 27],
      ...[9, 10, 11, 12, 13, 1_048_576].map((line) => [line, 1]),
    ]);
    expect(lines[1]?.[1]).toEqual([null, null, 1]);
    expect(lines[2]?.[1].slice(25)).toEqual([1, 2]);
  });

  test('may have a thousand columns', async () => {
    const at = (reference: string) => linesOf(rawWorkbook('1', row(cell('1', `r="${reference}1"`))));
    expect((await at('ALL'))[0]?.[1]).toHaveLength(MAX_COLUMNS);
    await expect(at('ALM')).rejects.toThrow('Line 1 has more than 1,000 columns.');
  });

  test('is read only as far as the reader asks', async () => {
    const rows = Array.from({ length: 4 }, (_, index) => row(cell(String(index)))).join('');
    expect(await linesOf(rawWorkbook('1', rows), '1', 2)).toHaveLength(2);
    // Later rows are not read at all.
    const long = rawWorkbook('1', `${rows}${row(cell('1')).repeat(20_000)}<x:row>&lol;</x:row>`);
    expect(await linesOf(long, '1', 2)).toHaveLength(2);
    await expect(linesOf(long)).rejects.toThrow("it has an entity 'lol'");
  });

  test('may share six hundred thousand texts of 20 MB in all', async () => {
    const last = row(cell(String(MAX_TEXTS - 1), 't="s"'));
    const of = (count: number) => linesOf(rawWorkbook('1', last, '<si/>'.repeat(count)));
    expect(await of(MAX_TEXTS)).toEqual([[1, ['']]]);
    await expect(of(MAX_TEXTS + 1)).rejects.toThrow('The xlsx file has more than 600,000 texts.');
    const long = `<si><t>${randomBytes(MAX_TEXT_BYTES * 0.75).toString('base64')}</t></si>`;
    await expect(linesOf(rawWorkbook('1', last, long))).rejects.toThrow('unpack to more than 20 MB');
  });

  test('has titles cut at 31 characters, with a number if they are equal', async () => {
    const title = 'Kingdom 4001 '.repeat(20);
    const book = await openWorkbook(rawWorkbook([title, title, 'b', title], row(cell('1'))));
    expect(book.sheets).toEqual([
      'Kingdom 4001 Kingdom 4001 Kingd',
      'Kingdom 4001 Kingdom 4001 K (2)',
      'b',
      'Kingdom 4001 Kingdom 4001 K (3)',
    ]);
  });

  test('has cells cut at five hundred characters', async () => {
    const long = 'x'.repeat(40_000);
    const data = row(cell(long, 't="str"'), cell('0', 't="s"'), cell(long));
    const [line] = await linesOf(rawWorkbook('1', data, `<si><t>${long}</t></si>`));
    expect(line?.[1]).toEqual(Array(3).fill('x'.repeat(500)));
  });

  test('joins the runs of a shared text, without its reading aids', async () => {
    const strings = '<si><t>a</t></si><si><r><t>b</t></r><rPh><t>x</t></rPh><r><t>c</t></r></si><si></si>';
    const cells = ['0', '1', '2'].map((place) => cell(place, 't="s"'));
    expect(await linesOf(rawWorkbook('1', row(...cells), strings))).toEqual([[1, ['a', 'bc', '']]]);
  });

  const book = (sheets: string, relations: string) =>
    archive({
      'xl/workbook.xml': `<workbook><sheets>${sheets}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships>${relations}</Relationships>`,
      'xl/w.xml': `<worksheet><sheetData><row><c><v>1</v></c></row></sheetData></worksheet>`,
    });
  const relation = (id: string, target: string) => `<Relationship Id="${id}" Target="${target}"/>`;

  test('is found by the workbook’s list and order, and a broken link is skipped', async () => {
    const sheets = [
      ['b', 'r2'],
      ['a', 'r1'],
      ['lost', 'r3'],
      ['gone', 'r4'],
    ].map(([name, id]) => `<sheet name="${name}" r:id="${id}"/>`);
    const bytes = book(
      `${sheets.join('')}<sheet r:id="r1"/>`,
      `${relation('r1', 'w.xml')}${relation('r2', '/xl/w.xml')}${relation('r4', 'w2.xml')}`,
    );
    expect((await openWorkbook(bytes)).sheets).toEqual(['b', 'a', 'gone']);
    expect(await linesOf(bytes, 'a')).toEqual([[1, [1]]]);
    expect(await linesOf(bytes, 'b')).toEqual([[1, [1]]]);
    for (const name of ['gone', 'lost', 'c'])
      await expect(linesOf(bytes, name)).rejects.toThrow(`The xlsx file has no sheet '${name}'.`);
  });

  test('may be one of five hundred', async () => {
    const sheets = (count: number) =>
      book(
        Array.from({ length: count }, (_, index) => `<sheet name="${index}" r:id="r"/>`).join(''),
        relation('r', 'w.xml'),
      );
    expect((await openWorkbook(sheets(500))).sheets).toHaveLength(500);
    await expect(openWorkbook(sheets(501))).rejects.toThrow('The workbook has more than 500 sheets.');
    const relations = (count: number) =>
      book('', Array.from({ length: count }, (_, index) => relation(`r${index}`, 'w.xml')).join(''));
    expect((await openWorkbook(relations(MAX_PARTS))).sheets).toEqual([]);
    await expect(openWorkbook(relations(MAX_PARTS + 1))).rejects.toThrow('has more parts than a workbook');
  });

  test('needs the workbook’s own parts', async () => {
    for (const missing of ['xl/workbook.xml', 'xl/_rels/workbook.xml.rels']) {
      const parts = { 'xl/workbook.xml': '<a/>', 'xl/_rels/workbook.xml.rels': '<a/>' };
      const rest = Object.fromEntries(Object.entries(parts).filter(([name]) => name !== missing));
      await expect(openWorkbook(archive(rest))).rejects.toThrow('This is not an xlsx file: it has no workbook.');
    }
  });
});
