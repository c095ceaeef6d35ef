import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cell } from '../../domain/scans/numerals.ts';
import { delimiterOf, readCsvLines } from '../../scan-files/csv.ts';
import { type Encoding, encodingOf, textsOf } from '../../scan-files/encoding.ts';
import { JsonHeaders, JsonScanner } from '../../scan-files/json.ts';
import { MAX_CELL, MAX_COLUMNS, MAX_RECORD } from '../../scan-files/limits.ts';
import { attributeOf, XmlScanner } from '../../scan-files/xml.ts';

/** Each format's reader: content survives a round trip in pieces of any size, up to the limits. */

const encoded = (text: string, encoding: Encoding): Buffer => {
  if (encoding === 'utf-16le') return Buffer.from(`\ufeff${text}`, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  return Buffer.from(text, encoding === 'utf-8' ? 'utf8' : 'latin1');
};

/** Cuts a text at these places. */
const cut = (text: string, places: readonly number[]): string[] => {
  const sorted = [0, ...places.map((place) => place % (text.length + 1)).sort((a, b) => a - b), text.length];
  return sorted.slice(1).map((end, index) => text.slice(sorted[index], end));
};

interface Line {
  line: number;
  cells: Cell[];
  ended: boolean;
}

function csv(text: string | Buffer, delimiter = ',', encoding: Encoding = 'utf-8'): Line[] {
  const lines: Line[] = [];
  const bytes = typeof text === 'string' ? encoded(text, encoding) : text;
  readCsvLines(bytes, encoding, delimiter, (line, cells, ended) => lines.push({ line, cells: [...cells], ended }));
  return lines;
}
const cellsOf = (text: string | Buffer, delimiter?: string, encoding?: Encoding) =>
  csv(text, delimiter, encoding).map(({ cells }) => cells);

describe('csv', () => {
  const special = fc.constantFrom('"', ',', ';', '\t', '\n', '\r\n', ' ', 'é', '灯', '꧁', '0', '9', 'x', '-');
  const cell = fc.oneof(
    fc.array(special, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.nat().map(String),
    fc.string({ maxLength: 5 }),
  );
  const written = (text: string, delimiter: string, always: boolean): string =>
    always || [delimiter, '"', '\r', '\n'].some((mark) => text.includes(mark))
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  /** Digits without quotes are numbers if they are exact. */
  const expected = (text: string, always: boolean): Cell =>
    !always && /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;

  test('survives a round trip with line numbers, in each encoding, delimiter and line break', () => {
    const tables = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 });
    fc.assert(
      fc.property(
        tables,
        fc.constantFrom(',', ';', '\t', '|'),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.constantFrom<Encoding>('utf-8', 'utf-16le', 'utf-16be'),
        fc.boolean(),
        (table, delimiter, end, encoding, always) => {
          const text = table.map((row) => row.map((each) => written(each, delimiter, always)).join(delimiter) + end);
          const lines = csv(encoded(text.join(''), encoding), delimiter, encoding);
          expect(lines.map(({ cells }) => cells)).toEqual(
            table.map((row) => row.map((each) => expected(each, always))),
          );
          let line = 1;
          for (const [index, row] of table.entries()) {
            expect(lines[index]).toMatchObject({ line, ended: true });
            line += 1 + row.join('').split('\n').length - 1;
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  test('only digits become numbers, and only while they are exact', () => {
    const cells = ['0', '7', '00', '07', '999999999999999', '1000000000000000', '1.5', '-1', '1 ', '', '9:', '/9'];
    expect(cellsOf(cells.join(','))).toEqual([
      [0, 7, '00', '07', 999_999_999_999_999, '1000000000000000', '1.5', '-1', '1 ', '', '9:', '/9'],
    ]);
  });

  test('reads quotes inside a field, text after a quote, and quotes never closed', () => {
    expect(cellsOf('a "b" c,"d" e,"f""g"h\n"i,j\nk,l')).toEqual([
      ['a "b" c', 'd e', 'f"gh'],
      ['"i', 'j'],
      ['k', 'l'],
    ]);
    // The longest record; a record without an end within this length was never closed.
    const long = (count: number) => cellsOf(`"${'x'.repeat(count)}",1`)[0];
    expect(long(MAX_RECORD - 4)).toEqual(['x'.repeat(MAX_CELL), 1]);
    expect(long(MAX_CELL)).toEqual(['x'.repeat(MAX_CELL), 1]);
    expect(() => cellsOf(`"${'x\n'.repeat(MAX_RECORD / 2 - 1)}x",1`)).toThrow('Line 1 is too long for a scan.');
    expect(cellsOf(`"${'x\n'.repeat(MAX_RECORD / 2)}",1`)[0]).toEqual(['"x']);
  });

  test('reads a last line without a line break, with an empty cell after a delimiter', () => {
    expect(csv('a,b\n1,')).toEqual([
      { line: 1, cells: ['a', 'b'], ended: true },
      { line: 2, cells: [1, ''], ended: false },
    ]);
    expect(csv('')).toEqual([]);
    expect(csv('\n\na')).toMatchObject([{ cells: [''] }, { cells: [''] }, { line: 3, cells: ['a'] }]);
  });

  test('refuses lines past a thousand columns or the length limit', () => {
    expect(cellsOf('1,'.repeat(MAX_COLUMNS - 1))[0]).toHaveLength(MAX_COLUMNS);
    expect(() => csv(`a\n${'1,'.repeat(MAX_COLUMNS)}`)).toThrow('Line 2 has more than 1,000 columns.');
    for (const text of ['x', 'é', '灯', '😀'])
      expect(cellsOf(text.repeat(MAX_CELL))[0]?.[0]).toBe(text.repeat(MAX_CELL / text.length));
    expect(cellsOf('x'.repeat(MAX_RECORD))[0]?.[0]).toHaveLength(MAX_CELL);
    expect(() => csv(`a\n${'x'.repeat(MAX_RECORD + 1)}`)).toThrow('Line 2 is too long for a scan.');
  });

  test('drops a byte order mark before the text, and keeps one inside', () => {
    expect(cellsOf('\ufeffa,\ufeffb')).toEqual([['a', '\ufeffb']]);
    expect(cellsOf(Buffer.from('Gr\xf6\xdfe \x80', 'latin1'), ',', 'windows-1252')).toEqual([['Größe €']]);
  });

  test('takes the delimiter from the file’s own line, the headers, or the most frequent one', () => {
    const isHeader = (cells: readonly Cell[]) => cells.includes('ID') && cells.length > 1;
    expect(delimiterOf('sep=;\na,b,c', isHeader)).toBe(';');
    expect(delimiterOf('\ufeffSEP=|\r\na,b,c', isHeader)).toBe('|');
    expect(delimiterOf('a,b,c,d,e\nID;x', isHeader)).toBe(';');
    expect(delimiterOf('\ufeff"ID"\t"a,b,c"', isHeader)).toBe('\t');
    expect(delimiterOf('a;b\nc|d|e\n1,2', isHeader)).toBe('|');
    expect(delimiterOf('a;b\nc,d', isHeader)).toBe(',');
    expect(delimiterOf('a', isHeader)).toBe(',');
    expect(delimiterOf(`${'a,b\n'.repeat(9)}ID;x`, isHeader)).toBe(';');
    expect(delimiterOf(`${'a,b\n'.repeat(10)}ID;x`, isHeader)).toBe(',');
  });
});

describe('an encoding', () => {
  test.each<[Encoding, string, Buffer]>([
    ['utf-16le', 'a mark', Buffer.from([0xff, 0xfe, 0x61, 0])],
    ['utf-16be', 'a mark', Buffer.from([0xfe, 0xff, 0, 0x61])],
    ['utf-16le', 'every other byte is 0', Buffer.from('Name,Power', 'utf16le')],
    ['utf-16be', 'every other byte is 0', Buffer.from('Name,Power', 'utf16le').swap16()],
    ['utf-16le', 'more than half of the others are 0', Buffer.from('abc灯灯', 'utf16le')],
    ['utf-8', 'plain', Buffer.from('Name')],
    ['utf-8', 'cut inside of two bytes', Buffer.from('Nameé').subarray(0, -1)],
    ['utf-8', 'cut inside of three', Buffer.from('Name灯').subarray(0, -1)],
    ['utf-8', 'cut inside of three', Buffer.from('Name灯').subarray(0, -2)],
    ['utf-8', 'cut inside of four', Buffer.from('Name😀').subarray(0, -1)],
    ['utf-8', 'cut inside of four', Buffer.from('Name😀').subarray(0, -3)],
    ['utf-8', 'whole at its end', Buffer.from('é灯😀')],
    ['windows-1252', 'of a code page', Buffer.from('Größe,', 'latin1')],
    ['windows-1252', 'of a code page at its end', Buffer.from('Name\xdf\xf6x', 'latin1')],
    ['windows-1252', 'of a code page just before its end', Buffer.from('Name,B\xe4\n', 'latin1')],
    ['windows-1252', 'of a code page just before its end', Buffer.from('Name,\xf0\r\n', 'latin1')],
    ['windows-1252', 'with a character at its end that is none', Buffer.from([0x61, 0xc0, 0x80])],
    ['windows-1252', 'with bytes that continue nothing', Buffer.from([0x61, 0x80, 0x80, 0x80, 0x80])],
  ])('%s: %s', (encoding, _, bytes) => {
    expect(encodingOf(bytes)).toBe(encoding);
  });

  test('is refused for a text with zero bytes', () => {
    for (const bytes of [Buffer.from('a\0bcdef'), Buffer.from('ab\0cdef'), Buffer.from([0, 0, 0, 0, 1])])
      expect(() => encodingOf(bytes)).toThrow('it holds bytes of 0');
    // Half of every other byte is not enough to be UTF-16.
    expect(() => encodingOf(Buffer.from('abcd灯灯灯灯', 'utf16le'))).toThrow('it holds bytes of 0');
  });

  test('is decoded in pieces without splitting a character', () => {
    const text = `${'x'.repeat(512 * 1024 - 2)}灯é😀${'y'.repeat(512 * 1024 - 6)}😀z`;
    for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'] as const) {
      const pieces = [...textsOf(encoded(text, encoding), encoding)];
      expect(pieces.length).toBeGreaterThan(1);
      expect(pieces.join('').replace(/^\ufeff/, '') === text).toBe(true);
    }
    expect([...textsOf(Buffer.from('\ufeffa'), 'utf-8')]).toEqual(['a']);
    // A byte order mark inside the text is a character of it, also at the start of a chunk.
    const marked = `${'x'.repeat(512 * 1024)}\ufeffa`;
    expect([...textsOf(Buffer.from(marked), 'utf-8')].join('') === marked).toBe(true);
    expect([...textsOf(Buffer.from('灯').subarray(0, 2), 'utf-8')]).toEqual(['\ufffd']);
    expect([...textsOf(Buffer.from([0x61, 0, 0x62]), 'utf-16le')]).toEqual(['a', '\ufffd']);
    expect([...textsOf(Buffer.alloc(0), 'utf-16le')]).toEqual([]);
  });
});

describe('json', () => {
  function rows(pieces: readonly string[]) {
    const found: [number, unknown][] = [];
    const cuts: number[] = [];
    const scanner = new JsonScanner(
      ({ line, object }) => found.push([line, object]),
      (line) => cuts.push(line),
    );
    for (const piece of pieces) scanner.push(piece);
    scanner.end();
    return { found, cuts };
  }

  test('is read from a list, from lines or inside an object, in pieces of any size', () => {
    const value = fc.oneof(
      fc.string({ maxLength: 6 }),
      fc.constantFrom('{', '}', '"', '\\', '\\"', '}{', '\\\\', '\n'),
      fc.integer(),
      fc.record({ in: fc.constantFrom('}', 1) }),
    );
    const objects = fc.array(fc.dictionary(fc.constantFrom('a', 'b"', 'c{'), value, { maxKeys: 3 }), { maxLength: 5 });
    fc.assert(
      fc.property(
        objects,
        fc.constantFrom('list', 'lines', 'rows', 'players'),
        fc.boolean(),
        fc.array(fc.nat(), { maxLength: 6 }),
        (all, shape, wide, places) => {
          const each = all.map((object) => JSON.stringify(object, null, wide ? 1 : 0));
          const body = each.join(shape === 'lines' ? '\n' : ',\n');
          const wrapped = `{ "${shape}" :\n[${body}], "count": 5, "more": [{}]}`;
          const text = shape === 'lines' ? body : shape === 'list' ? `[${body}]` : wrapped;
          let line = shape === 'lines' || shape === 'list' ? 1 : 2;
          const expected = each.map((source, index) => {
            const at = line;
            line += source.split('\n').length;
            return [at, all[index]];
          });
          expect(rows(cut(text, places))).toEqual({ found: expected, cuts: [] });
        },
      ),
      { numRuns: 200 },
    );
  });

  test('names the line where it is truncated, or where a value is no object', () => {
    expect(rows(['[{"a":1},\n{"b":', '"}'])).toEqual({ found: [[1, { a: 1 }]], cuts: [2] });
    expect(rows(['{"a":1'])).toEqual({ found: [], cuts: [1] });
    expect(rows(['[{"a":1}]\n  \n'])).toEqual({ found: [[1, { a: 1 }]], cuts: [] });
    expect(() => rows(['[{"a":1},\n5]'])).toThrow('Line 2 is not a JSON object.');
    expect(() => rows(['[{"a":1},\n{"a" 1}]'])).toThrow('Line 2 is not a JSON object.');
    // Lists one after the other, and one in another, are all read.
    expect(rows(['[{"a":1}]\n[{"a":2}]\n']).found).toEqual([
      [1, { a: 1 }],
      [2, { a: 2 }],
    ]);
    expect(rows(['[[{"a":1}],[{"a":2}]]']).found).toHaveLength(2);
    // Fields after the list in an object are not read.
    expect(rows(['{"rows":[{"a":1}', '], nonsense']).found).toHaveLength(1);
    expect(rows(['{"success":1,"data":{"rows":[\n{"a":1}', '\n]}}\n']).found).toEqual([[2, { a: 1 }]]);
  });

  test('reads several lists, and skips what follows the rows in their objects', () => {
    const pages =
      '{"rows":[{"a":1}],"b":"}\\"}{","c":{"d":[{}]}}\n{"success":1,"data":{"rows":[{"a":2}]}}\n[{"a":3}]\n';
    const found = [1, 2, 3].map((a) => [a, { a }]);
    expect(rows([pages])).toEqual({ found, cuts: [] });
    expect(rows([...pages])).toEqual({ found, cuts: [] });
    expect(() => rows(['{"rows":[{"a":1}]}\nx'])).toThrow('Line 2 is not a JSON object.');
  });

  test('refuses an object longer than a record may be', () => {
    const open = '[{"a":"';
    expect(rows([`${open}${'x'.repeat(MAX_RECORD - open.length + 1)}`]).cuts).toEqual([1]);
    expect(() => rows([`${open}${'x'.repeat(MAX_RECORD - open.length + 2)}`])).toThrow(
      'Line 1 is too long for a scan.',
    );
    // A whole one may be longer: it is there already.
    expect(rows([`[{"a":"${'x'.repeat(MAX_RECORD)}"}]`]).found).toHaveLength(1);
  });

  test('takes keys as headers when they first appear, and reads other values as empty', () => {
    const headers = new JsonHeaders();
    expect(headers.learn({ a: 1, b: 2 })).toEqual(['a', 'b']);
    expect(headers.learn({ b: 2, c: [1] })).toEqual(['c']);
    expect(headers.cells({ c: [1], a: 'x', d: 9 })).toEqual(['x', null, null]);
    expect(headers.cells({ b: false, c: 0 })).toEqual([null, false, 0]);
    expect(headers.names).toEqual(['a', 'b', 'c']);
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
    expect(new JsonHeaders().learn(keys(MAX_COLUMNS))).toHaveLength(MAX_COLUMNS);
    expect(() => new JsonHeaders().learn(keys(MAX_COLUMNS + 1))).toThrow('more than 1,000 different keys');
  });
});

describe('xml', () => {
  function told(pieces: readonly string[]): string[] {
    const all: string[] = [];
    let text = '';
    const flush = () => {
      if (text !== '') all.push(text);
      text = '';
    };
    const scanner = new XmlScanner({
      open(name, attributes) {
        flush();
        all.push(`<${name}|${attributes.trim()}>`);
      },
      close(name) {
        flush();
        all.push(`</${name}>`);
      },
      text(more) {
        text += more;
      },
    });
    for (const piece of pieces) scanner.push(piece);
    scanner.end();
    return all;
  }
  const SOURCE =
    '<?xml version="1.0"?><!-- <no> tag --><x:a b="1>2\'" c=\'">\'>one &amp; &#50;&#x33;&lt;<!---->' +
    '<d/><e f = "g"/ >two<![CDATA[<three>&amp;]]]></x:a >';

  test('ends a comment at its first closing dashes', () => {
    expect(told(['<a><!--> <b/> --></a>'])).toEqual(['<a|>', '</a>']);
    expect(told(['<a><!---> <b/> --></a>'])).toEqual(['<a|>', '</a>']);
  });

  test('is read the same in pieces of any size', () => {
    const source = SOURCE.replace('/ >', '></e>');
    const whole = told([source]);
    expect(whole).toEqual([
      '<a|b="1>2\'" c=\'">\'>',
      'one & 23<',
      '<d|>',
      '</d>',
      '<e|f = "g">',
      '</e>',
      'two<three>&amp;]',
      '</a>',
    ]);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 12 }), (places) => {
        expect(told(cut(source, places))).toEqual(whole);
      }),
      { numRuns: 150 },
    );
    expect(told([...source])).toEqual(whole);
  });

  test.each([
    ['<a>', 'a part ends too early'],
    ['<a></a', 'a part ends too early'],
    ['<a></a></b>', 'a tag is closed that was not opened'],
    ['< ></>', 'it has a tag without a name'],
    ['<a>&nbsp;</a>', "it has an entity 'nbsp'"],
    ['<!DOCTYPE a><a></a>', 'declares entities'],
  ])('%s: %s', (source, sentence) => {
    expect(() => told([source])).toThrow(sentence);
  });

  test('passes only as much of a long text as a cell keeps, with any entities', () => {
    const entities = '&#x0001F600;'.repeat(100_000);
    const [, text = '', close] = told([`<a>${entities.slice(0, 5000)}`, `${entities.slice(5000)}</a>`]);
    expect(close).toBe('</a>');
    expect([...text.slice(0, 500)].every((character) => character === '😀')).toBe(true);
    expect(text.length).toBeLessThan(10_000);
    expect(told([`<b>${'x'.repeat(300_000)}<c/>after</b>`])[4]).toBe('after');
  });

  test.each([
    ['&#65;&#x42;&#X43;&amp;&lt;&gt;&quot;&apos;', `ABC&<>"'`],
    ['&#0000065;&#x00000041;', 'AA'],
    ['&#1114112;&#xffffffff;', '\ufffd\ufffd'],
    ['&#;&#x;&#6a;&#xg;&;& amp;&amp', '&#;&#x;&#6a;&#xg;&;& amp;&amp'],
    [`&${'a'.repeat(11)};&&amp;&`, `&${'a'.repeat(11)};&&&`],
  ])('reads %s as %s', (source, text) => {
    expect(told([`<a>${source}</a>`])[1]).toBe(text);
  });

  test('reads tags of any length by their start', () => {
    const pieces = (text: string, size: number) =>
      Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
    const long = 'x'.repeat(300_000);
    const [open, close] = told(pieces(`<a r="1" q="${long}>"/>`, 10_000));
    expect([open?.slice(0, 12), close]).toEqual(['<a|r="1" q="', '</a>']);
    expect(open?.length).toBeLessThan(100_000);
    expect(told(pieces(`<a><!-- ${long} --><b/></a>`, 1000))).toEqual(['<a|>', '<b|>', '</b>', '</a>']);
  });

  test('refuses text outside of tags, and parts that never end', () => {
    expect(() => told(['<a/>x'])).toThrow('a text stands outside of its tags');
    for (const open of ['<a', '<a>x', '<a><!--', '<a><![CDATA[x', '<a><?x'])
      expect(() => told([open])).toThrow('a part ends too early');
  });

  test('reads characters by valid number', () => {
    expect(told(['<a>&#x1F600;&#128512;&#x10ffff;&#x110000;&#1114112;</a>'])[1]).toBe('😀😀\u{10ffff}\ufffd\ufffd');
  });

  test('finds an attribute by its whole name', () => {
    const attributes = ' ar="0" r="A1" q:id="r9" t=\'x"y\' name = "2" state="&amp;" x:Target="0"';
    const read = (...names: Parameters<typeof attributeOf>[1][]) => names.map((name) => attributeOf(attributes, name));
    expect(read('r', ':id', 't', 'name', 'state')).toEqual(['A1', 'r9', 'x"y', '2', '&']);
    expect(read('Id', 'Target', 'date1904')).toEqual([null, null, null]);
    expect(attributeOf('r="open', 'r')).toBeNull();
    expect(attributeOf(' r=bare t="1"', 'r')).toBeNull();
  });
});
