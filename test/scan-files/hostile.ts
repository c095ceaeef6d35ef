import { randomBytes } from 'node:crypto';
import { CSV_HEAD, filled, lines, MB, numbered, TEXTS } from './hostile-texts.ts';
import { archive, odsRow, odsWith, rawWorkbook } from './workbooks.ts';

/** Hostile files that try to cost far more than their size, and honest files of many rows. */

export interface Hostile {
  /** What is wrong with it. */
  what: string;
  /** File name of the upload. */
  name: string;
  /** Makes the file. `mb` is a megabyte in bytes; smaller values make smaller files. */
  make: (mb?: number) => Buffer;
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

/** A sheet of these rows, in a file that is large enough for them. */
const padded = (rows: string): Buffer =>
  archive({
    'xl/workbook.xml': '<workbook><sheets><sheet name="1001" r:id="r"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="r" Target="s.xml"/></Relationships>',
    'xl/s.xml': `<x:worksheet><x:sheetData>${HEAD}${rows}</x:sheetData></x:worksheet>`,
    padding: randomBytes(rows.length / 90),
  });
/** Number of rows in files with a long comment before each row. */
const FAR_APART = 700;
const apart = (characters: number, rowOf: (at: number) => string): string =>
  numbered(FAR_APART, (at) => `<!--${' '.repeat(characters)}-->${rowOf(at)}`);
const longName = (at: number): string => `Moss and Ash 灯 ${at}`;

const WIDE = 990;
const WORKBOOKS: [what: string, make: (mb: number) => Buffer][] = [
  ['a title of dates', () => rawWorkbook(filled(330_000, 'jan', '2026-01-01 '), HEAD + PLAYER)],
  ['a title of digits', () => rawWorkbook(filled(330_000, '20260101', '2026-01-01 '), HEAD + PLAYER)],
  [
    'a title that stands in a thousand messages',
    () => rawWorkbook(filled(250_000, 'x', '1001 '), HEAD + row(number('x')).repeat(1000)),
  ],
  ['many titles of dates', () => sheets(Array(490).fill(HEAD + PLAYER), '', 490)],
  ['long tags before the rows', () => before(`<q a="${'x'.repeat(980_000)}"/>`.repeat(19))],
  ['long tags of brackets', () => before(`<q a="${'>'.repeat(980_000)}"/>`.repeat(19))],
  ['a tag of attributes', (mb) => before(`<q ${'r="1" '.repeat(3 * mb)}/>`)],
  ['a tag of names without values', (mb) => before(`<q ${'r '.repeat(5 * mb)}/>`)],
  ['a tag of quotes', (mb) => before(`<q a="${"'".repeat(9 * mb)}"/>`)],
  ['comments', (mb) => before('<!---->'.repeat(2 * mb))],
  ['one comment of dashes', (mb) => before(`<!--${'-'.repeat(15 * mb)}-->`)],
  ['attributes without values in every cell', (mb) => padded(row(`<x:c${' r'.repeat(30_000)}/>`).repeat(0.005 * mb))],
  ['ampersands in every cell', (mb) => padded(row(text('&1'.repeat(250)).repeat(20)).repeat(0.027 * mb))],
  ['names far apart', (mb) => padded(apart(0.25 * mb, (at) => row(number(at + 1), text(longName(at)), number(9))))],
  ['instructions', (mb) => before('<?a?>'.repeat(3 * mb))],
  ['sections of data', (mb) => before('<![CDATA[x]]>'.repeat(mb))],
  ['tags in tags', (mb) => before(`${'<a>'.repeat(2 * mb)}${'</a>'.repeat(2 * mb)}`)],
  ['empty tags', (mb) => before('<a/>'.repeat(4 * mb))],
  ['entities', (mb) => rawWorkbook('1001', HEAD + row(number(5), text('&amp;'.repeat(2 * mb)), number(9)))],
  ['ampersands', (mb) => rawWorkbook('1001', HEAD + row(number(5), text(`${'&a'.repeat(4 * mb)};`), number(9)))],
  ['spaces before the rows', (mb) => before(' '.repeat(19 * mb))],
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
    (mb) => rawWorkbook('1001', HEAD + '<x:row><x:c r="ALL1"><x:v>1</x:v></x:c></x:row>'.repeat(0.15 * mb)),
  ],
  [
    'cells without a header',
    (mb) =>
      rawWorkbook(
        '1001',
        HEAD + row('<x:c r="A1"><x:v>1</x:v></x:c><x:c r="ALL1"><x:v>1</x:v></x:c>').repeat(0.1 * mb),
      ),
  ],
  [
    'a figure of digits',
    (mb) =>
      rawWorkbook(
        '1001',
        HEAD + row(shared(0), text('a'), shared(0)).repeat(0.05 * mb),
        string(`1e${'1'.repeat(300_000)}`),
      ),
  ],
  [
    'a figure of separators',
    (mb) =>
      rawWorkbook(
        '1001',
        HEAD + row(number(5), text('a'), shared(0)).repeat(0.05 * mb),
        string('1,'.repeat(0.15 * mb)),
      ),
  ],
  [
    'a figure of spaces',
    (mb) =>
      rawWorkbook(
        '1001',
        HEAD + row(number(5), text('a'), shared(0)).repeat(0.05 * mb),
        string(`${' '.repeat(300_000)}5`),
      ),
  ],
  [
    'figures that are words',
    (mb) =>
      rawWorkbook(
        '1001',
        row(text('Governor ID'), text('Power'), shared(0).repeat(40)) +
          row(number(5), number(9), shared(1).repeat(40)).repeat(0.03 * mb),
        string('T4 Kills') + string('x'.repeat(400)),
      ),
  ],
  [
    'names of one long text',
    (mb) =>
      rawWorkbook('1001', HEAD + row(number(5), shared(0), number(9)).repeat(0.1 * mb), string('灯'.repeat(400_000))),
  ],
  [
    'headers in every row',
    (mb) =>
      rawWorkbook(
        '1001',
        HEAD + row(shared(0), shared(1).repeat(WIDE)).repeat(0.003 * mb),
        string('ID') + string('a b c d e f g h i j'),
      ),
  ],
  ['the headers again and again', (mb) => rawWorkbook('1001', HEAD + PLAYER + HEAD.repeat(0.09 * mb))],
  ['texts that nothing refers to', () => rawWorkbook('1001', HEAD + PLAYER, string('x').repeat(600_000))],
  ['texts in runs', (mb) => rawWorkbook('1001', HEAD + PLAYER, `<si>${'<r><t>x</t></r>'.repeat(mb)}</si>`)],
  ['texts without an end', (mb) => rawWorkbook('1001', HEAD + PLAYER, '<si><t>'.repeat(2 * mb))],
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
    (mb) =>
      archive({
        'xl/workbook.xml': `<workbook>${'<sheet name="a" r:id="r"/>'.repeat(0.15 * mb)}</workbook>`,
        'xl/_rels/workbook.xml.rels': '<r><Relationship Id="r" Target="b"/></r>',
      }),
  ],
  [
    'references of letters',
    () => rawWorkbook('1001', HEAD + `<x:row><x:c r="${'A'.repeat(60_000)}1"><x:v>1</x:v></x:c></x:row>`.repeat(200)),
  ],
  ['rows of nothing', (mb) => rawWorkbook('1001', HEAD + '<x:row r="9"/>'.repeat(mb))],
  [
    'moments of every row',
    (mb) =>
      rawWorkbook(
        '1001',
        row(text('Governor ID'), text('Power'), text('Date')) + row(number(5), number(9), shared(0)).repeat(0.09 * mb),
        string(filled(200, '2026-01-01 12:0 ')),
      ),
  ],
  [
    'an hour of its own for every row',
    (mb) =>
      rawWorkbook(
        '1001',
        row(text('Governor ID'), text('Power'), text('Date')) +
          numbered(0.12 * mb, (at) => row(number((at % 5000) + 1), number(at), number(45_000 + at / 24))),
      ),
  ],
  [
    'texts escaped one by one',
    (mb) =>
      rawWorkbook(
        '1001',
        HEAD + numbered(0.024 * mb, (at) => row(number(at + 1), text('_x0041_'.repeat(70)), number(at))),
      ),
  ],
  [
    'rows far down',
    (mb) =>
      rawWorkbook(
        '1001',
        HEAD +
          numbered(
            0.2 * mb,
            (at) => `<x:row r="${1_048_576 - (at % 1000)}"><x:c r="B${at}"><x:v>1</x:v></x:c></x:row>`,
          ),
      ),
  ],
  [
    'entities that do not repeat',
    (mb) =>
      rawWorkbook(
        '1001',
        HEAD + row(number(5), text(numbered(2 * mb, (at) => `&#${33 + ((at * 7919) % 50_000)};`)), number(9)),
      ),
  ],
];

const FIVE = '<table:table-cell office:value-type="float" office:value="5"';
const sheet = (rows: string, name = '1001') => `<table:table table:name="${name}">${rows}</table:table>`;
const ODS_HEAD = odsRow(['Governor ID', 'Name', 'Power']);
const KINGDOM_ROW = odsRow([5, 'Moss', 9]);

const SPREADSHEETS: readonly [string, (mb: number) => Buffer][] = [
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
    (mb) => {
      const rows = ODS_HEAD + KINGDOM_ROW.repeat(mb / 100);
      return odsWith(Array.from({ length: 50 }, (_, at) => sheet(rows, `${1001 + at}`)).join(''));
    },
  ],
  ['has tables inside of tables', () => odsWith(sheet(`${ODS_HEAD}${'<table:table>'.repeat(200_000)}`))],
  [
    'has a cell of a million paragraphs',
    (mb) =>
      odsWith(
        sheet(
          `${ODS_HEAD}<table:table-row><table:table-cell>${'<text:p>x</text:p>'.repeat(mb)}</table:table-cell></table:table-row>`,
        ),
      ),
  ],
  [
    'has names far apart',
    (mb) =>
      odsWith(sheet(ODS_HEAD + apart(0.2 * mb, (at) => odsRow([at + 1, longName(at), 9]))), '', randomBytes(3.5 * mb)),
  ],
  ['unpacks to more than its size allows', () => odsWith(sheet(ODS_HEAD + ' '.repeat(25 * MB)))],
];

/** A line of a thousand cells. */
const thousand = (cell: (at: number) => string): string => Array.from({ length: 997 }, (_, at) => cell(at)).join(',');

const TWO_LINES: readonly [string, string, (mb: number) => Buffer][] = [
  [
    'has a thousand moments above its powers',
    '1001.csv',
    (mb) =>
      lines(
        5 * mb,
        (at) => `${at},Moss,${'5,'.repeat(996)}5\n`,
        `,,${thousand((at) => `Pass ${at}`)}\nGovernor ID,Name,${thousand(() => 'Power')}\n`,
      ),
  ],
  [
    'has long words above its powers',
    '1001.csv',
    (mb) =>
      lines(
        5 * mb,
        (at) => `${at},Moss,${'5,'.repeat(400)}5\n`,
        `,,${`${'Pass '.repeat(40)},`.repeat(401)}\nGovernor ID,Name,${'Power,'.repeat(400)}Power\n`,
      ),
  ],
];

export const HOSTILE: readonly Hostile[] = [
  ...SPREADSHEETS.map(([what, make]) => ({ what, name: '1001.ods', make: (mb = MB) => make(mb) })),
  ...TWO_LINES.map(([what, name, make]) => ({ what, name, make: (mb = MB) => make(mb) })),
  ...WORKBOOKS.map(([what, make]) => ({ what, name: '1001.xlsx', make: (mb = MB) => make(mb) })),
  ...TEXTS.map(([what, name, make]) => ({ what, name, make: (mb = MB) => make(mb) })),
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

/** Returns a workbook with such content. */
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
