import { deflateRawSync } from 'node:zlib';
import { CSV_HEAD, filled, lines, MB, numbered } from './hostile-pieces.ts';
import { TEXTS } from './hostile-texts.ts';
import { archive, odsRow, odsWith, rawWorkbook } from './workbooks.ts';

/** Made-up files whose cost is meant to be out of proportion, and honest ones of many rows beside them. */

export interface Hostile {
  /** What is wrong with it. */
  what: string;
  /** The name that it is uploaded by. */
  name: string;
  make: () => Buffer;
}

const text = (content: string): string => `<x:c t="inlineStr"><x:is><x:t>${content}</x:t></x:is></x:c>`;
const number = (content: string | number): string => `<x:c><x:v>${content}</x:v></x:c>`;
const shared = (place: number): string => `<x:c t="s"><x:v>${place}</x:v></x:c>`;
const row = (...cells: string[]): string => `<x:row>${cells.join('')}</x:row>`;
const string = (content: string): string => `<si><t>${content}</t></si>`;
const HEAD = row(text('Governor ID'), text('Name'), text('Power'));
const PLAYER = row(number(5), text('Moss'), number(9));

/** Sheets with a part each, or with one part for all. */
function sheets(parts: readonly string[], strings: string, count = parts.length): Buffer {
  const relations = parts.map((_, at) => `<Relationship Id="r${at}" Target="worksheets/s${at}.xml"/>`);
  const listed = Array.from(
    { length: count },
    (_, at) => `<sheet name="1${String(at).padStart(3, '0')}" r:id="r${at % parts.length}"/>`,
  );
  return archive({
    'xl/workbook.xml': `<workbook><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst>${strings}</sst>`,
    ...Object.fromEntries(
      parts.map((part, at) => [
        `xl/worksheets/s${at}.xml`,
        `<x:worksheet><x:sheetData>${part}</x:sheetData></x:worksheet>`,
      ]),
    ),
  });
}

/** A workbook whose sheet has this XML before its rows. */
const before = (xml: string): Buffer => {
  const bytes = archive({
    'xl/workbook.xml': '<workbook><sheets><sheet name="1001" r:id="r"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="r" Target="s.xml"/></Relationships>',
    'xl/s.xml': `<x:worksheet>${xml}<x:sheetData>${HEAD}${PLAYER}</x:sheetData></x:worksheet>`,
  });
  return bytes;
};

/** A part that unpacks to so many megabytes of a piece, without being in memory as a whole. */
function bomb(megabytes: number, piece: string): Buffer {
  const million = Buffer.from(filled(MB, piece));
  return before(`<q a="${deflateRawSync(million).length}"/>${filled(megabytes * MB, piece)}`);
}

const WIDE = 990;
const WORKBOOKS: [what: string, make: () => Buffer][] = [
  ['a title of dates', () => rawWorkbook(filled(330_000, 'jan', '2026-01-01 '), HEAD + PLAYER)],
  ['a title of digits', () => rawWorkbook(filled(330_000, '20260101', '2026-01-01 '), HEAD + PLAYER)],
  [
    'a title that stands in a thousand messages',
    () => rawWorkbook(filled(250_000, 'x', '1001 '), HEAD + row(number('x')).repeat(1000)),
  ],
  ['many titles of dates', () => sheets(Array(490).fill(HEAD + PLAYER), '', 490)],
  ['long tags before the rows', () => before(`<q a="${'x'.repeat(980_000)}"/>`.repeat(19))],
  ['long tags of brackets', () => before(`<q a="${'>'.repeat(980_000)}"/>`.repeat(19))],
  ['a tag of attributes', () => before(`<q ${'r="1" '.repeat(3 * MB)}/>`)],
  ['a tag of names without values', () => before(`<q ${'r '.repeat(5 * MB)}/>`)],
  ['a tag of quotes', () => before(`<q a="${"'".repeat(9 * MB)}"/>`)],
  ['comments', () => before('<!---->'.repeat(2 * MB))],
  ['one comment of dashes', () => before(`<!--${'-'.repeat(15 * MB)}-->`)],
  ['instructions', () => before('<?a?>'.repeat(3 * MB))],
  ['sections of data', () => before('<![CDATA[x]]>'.repeat(MB))],
  ['tags in tags', () => before(`${'<a>'.repeat(2 * MB)}${'</a>'.repeat(2 * MB)}`)],
  ['empty tags', () => before('<a/>'.repeat(4 * MB))],
  ['entities', () => rawWorkbook('1001', HEAD + row(number(5), text('&amp;'.repeat(2 * MB)), number(9)))],
  ['ampersands', () => rawWorkbook('1001', HEAD + row(number(5), text(`${'&a'.repeat(4 * MB)};`), number(9)))],
  ['spaces before the rows', () => bomb(19, ' ')],
  [
    'sheets that share a part of long headers',
    () => sheets([row(shared(0).repeat(1000)).repeat(10)], string('a b'.repeat(300)), 490),
  ],
  [
    'sheets of long headers',
    () => sheets(Array(490).fill(row(shared(0).repeat(1000)).repeat(10)), string('a b'.repeat(300))),
  ],
  [
    'sheets of many headers',
    () =>
      sheets(
        Array(490).fill(row(shared(1), shared(2), shared(0).repeat(900)) + PLAYER),
        string('a b c d e f g h') + string('Governor ID') + string('Power'),
      ),
  ],
  [
    'headers of ninety words',
    () =>
      rawWorkbook(
        '1001',
        row(shared(1), shared(0).repeat(WIDE)) + PLAYER,
        string('ab '.repeat(90)) + string('Governor ID'),
      ),
  ],
  [
    'headers of columns and words',
    () =>
      rawWorkbook(
        '1001',
        row(shared(1), shared(0).repeat(WIDE)) + PLAYER,
        string('power '.repeat(30)) + string('Governor ID'),
      ),
  ],
  [
    'cells at the far right',
    () => rawWorkbook('1001', HEAD + '<x:row><x:c r="ALL1"><x:v>1</x:v></x:c></x:row>'.repeat(150_000)),
  ],
  [
    'cells without a header',
    () =>
      rawWorkbook('1001', HEAD + row('<x:c r="A1"><x:v>1</x:v></x:c><x:c r="ALL1"><x:v>1</x:v></x:c>').repeat(100_000)),
  ],
  [
    'a figure of digits',
    () =>
      rawWorkbook(
        '1001',
        HEAD + row(shared(0), text('a'), shared(0)).repeat(50_000),
        string(`1e${'1'.repeat(300_000)}`),
      ),
  ],
  [
    'a figure of separators',
    () => rawWorkbook('1001', HEAD + row(number(5), text('a'), shared(0)).repeat(50_000), string('1,'.repeat(150_000))),
  ],
  [
    'a figure of spaces',
    () =>
      rawWorkbook(
        '1001',
        HEAD + row(number(5), text('a'), shared(0)).repeat(50_000),
        string(`${' '.repeat(300_000)}5`),
      ),
  ],
  [
    'figures that are words',
    () =>
      rawWorkbook(
        '1001',
        row(text('Governor ID'), text('Power'), shared(0).repeat(40)) +
          row(number(5), number(9), shared(1).repeat(40)).repeat(30_000),
        string('T4 Kills') + string('x'.repeat(400)),
      ),
  ],
  [
    'names of one long text',
    () =>
      rawWorkbook('1001', HEAD + row(number(5), shared(0), number(9)).repeat(100_000), string('灯'.repeat(400_000))),
  ],
  [
    'headers in every row',
    () =>
      rawWorkbook(
        '1001',
        HEAD + row(shared(0), shared(1).repeat(WIDE)).repeat(3000),
        string('ID') + string('a b c d e f g h i j'),
      ),
  ],
  ['the headers again and again', () => rawWorkbook('1001', HEAD + PLAYER + HEAD.repeat(90_000))],
  ['texts that nothing refers to', () => rawWorkbook('1001', HEAD + PLAYER, string('x').repeat(600_000))],
  ['texts in runs', () => rawWorkbook('1001', HEAD + PLAYER, `<si>${'<r><t>x</t></r>'.repeat(MB)}</si>`)],
  ['texts without an end', () => rawWorkbook('1001', HEAD + PLAYER, '<si><t>'.repeat(2 * MB))],
  [
    'relations',
    () =>
      archive({
        'xl/workbook.xml': '<workbook/>',
        'xl/_rels/workbook.xml.rels': `<r>${'<Relationship Id="a" Target="b"/>'.repeat(140_000)}</r>`,
      }),
  ],
  [
    'sheets in the list',
    () =>
      archive({
        'xl/workbook.xml': `<workbook>${'<sheet name="a" r:id="r"/>'.repeat(150_000)}</workbook>`,
        'xl/_rels/workbook.xml.rels': '<r><Relationship Id="r" Target="b"/></r>',
      }),
  ],
  [
    'references of letters',
    () => rawWorkbook('1001', HEAD + `<x:row><x:c r="${'A'.repeat(60_000)}1"><x:v>1</x:v></x:c></x:row>`.repeat(200)),
  ],
  ['rows of nothing', () => rawWorkbook('1001', HEAD + '<x:row r="9"/>'.repeat(MB))],
  [
    'moments of every row',
    () =>
      rawWorkbook(
        '1001',
        row(text('Governor ID'), text('Power'), text('Date')) + row(number(5), number(9), shared(0)).repeat(90_000),
        string(filled(200, '2026-01-01 12:0 ')),
      ),
  ],
  [
    'an hour of its own for every row',
    () =>
      rawWorkbook(
        '1001',
        row(text('Governor ID'), text('Power'), text('Date')) +
          numbered(120_000, (at) => row(number((at % 5000) + 1), number(at), number(45_000 + at / 24))),
      ),
  ],
  [
    'texts escaped one by one',
    () =>
      rawWorkbook('1001', HEAD + numbered(24_000, (at) => row(number(at + 1), text('_x0041_'.repeat(70)), number(at)))),
  ],
  [
    'rows far down',
    () =>
      rawWorkbook(
        '1001',
        HEAD +
          numbered(200_000, (at) => `<x:row r="${1_048_576 - (at % 1000)}"><x:c r="B${at}"><x:v>1</x:v></x:c></x:row>`),
      ),
  ],
  [
    'entities that do not repeat',
    () =>
      rawWorkbook(
        '1001',
        HEAD + row(number(5), text(numbered(2 * MB, (at) => `&#${33 + ((at * 7919) % 50_000)};`)), number(9)),
      ),
  ],
];

const FIVE = '<table:table-cell office:value-type="float" office:value="5"';
const sheet = (rows: string, name = '1001') => `<table:table table:name="${name}">${rows}</table:table>`;
const ODS_HEAD = odsRow(['Governor ID', 'Name', 'Power']);
const ODS_ROWS = ODS_HEAD + odsRow([5, 'Moss', 9]).repeat(10_000);

const SPREADSHEETS: readonly [string, () => Buffer][] = [
  [
    'repeats a row of a thousand cells a hundred thousand times',
    () =>
      odsWith(
        sheet(
          `${ODS_HEAD}<table:table-row table:number-rows-repeated="100000">${FIVE} table:number-columns-repeated="1000"/></table:table-row>`,
        ),
      ),
  ],
  [
    'repeats rows past the last number',
    () => odsWith(sheet(`${ODS_HEAD}<table:table-row table:number-rows-repeated="1e300">${FIVE}/></table:table-row>`)),
  ],
  [
    'has five hundred sheets',
    () => odsWith(Array.from({ length: 500 }, (_, at) => sheet(ODS_HEAD, `1${at}`)).join('')),
  ],
  [
    'has fifty sheets of kingdoms',
    () => odsWith(Array.from({ length: 50 }, (_, at) => sheet(ODS_ROWS, `${1001 + at}`)).join('')),
  ],
  ['has tables inside of tables', () => odsWith(sheet(`${ODS_HEAD}${'<table:table>'.repeat(200_000)}`))],
  [
    'has a cell of a million paragraphs',
    () =>
      odsWith(
        sheet(
          `${ODS_HEAD}<table:table-row><table:table-cell>${'<text:p>x</text:p>'.repeat(MB)}</table:table-cell></table:table-row>`,
        ),
      ),
  ],
  ['unpacks to more than its size allows', () => odsWith(sheet(ODS_HEAD + ' '.repeat(250 * MB)))],
];

/** A line of a thousand cells. */
const thousand = (cell: (at: number) => string): string => Array.from({ length: 997 }, (_, at) => cell(at)).join(',');

const TWO_LINES: readonly [string, string, () => Buffer][] = [
  [
    'has a thousand moments above its powers',
    '1001.csv',
    () =>
      lines(
        5 * MB,
        (at) => `${at},Moss,${'5,'.repeat(996)}5\n`,
        `,,${thousand((at) => `Pass ${at}`)}\nGovernor ID,Name,${thousand(() => 'Power')}\n`,
      ),
  ],
  [
    'has long words above its powers',
    '1001.csv',
    () =>
      lines(
        5 * MB,
        (at) => `${at},Moss,${'5,'.repeat(400)}5\n`,
        `,,${`${'Pass '.repeat(40)},`.repeat(401)}\nGovernor ID,Name,${'Power,'.repeat(400)}Power\n`,
      ),
  ],
];

export const HOSTILE: readonly Hostile[] = [
  ...SPREADSHEETS.map(([what, make]) => ({ what, name: '1001.ods', make })),
  ...TWO_LINES.map(([what, name, make]) => ({ what, name, make })),
  ...WORKBOOKS.map(([what, make]) => ({ what, name: '1001.xlsx', make })),
  ...TEXTS.map(([what, name, make]) => ({ what, name, make })),
];

const FIGURES = Array.from({ length: 20 }, (_, at) => at);

/** A csv file of so many governors with twenty figures each. */
export const honestCsv = (rows: number): Buffer => {
  const governors = Array.from(
    { length: rows },
    (_, at) => `${at + 1},Moss ${at},${1_000_000 + at},${FIGURES.map((figure) => figure * at).join(',')}\n`,
  );
  return Buffer.from(`${CSV_HEAD.trim()},${FIGURES.map((at) => `x${at}`).join(',')}\n${governors.join('')}`);
};

/** A workbook of the same. */
export const honestWorkbook = (rows: number): Buffer =>
  rawWorkbook(
    '1001',
    HEAD +
      Array.from({ length: rows }, (_, at) =>
        row(
          number(at + 1),
          text(`Moss ${at}`),
          number(1_000_000 + at),
          ...FIGURES.map((figure) => number(figure * at)),
        ),
      ).join(''),
  );
