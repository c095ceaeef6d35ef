import { isDeepStrictEqual } from 'node:util';
import { ScanFileRefused } from '../../scan-files/limits.ts';
import { readScanFile } from '../../scan-files/read.ts';
import { archive } from '../scan-files/workbooks.ts';
import { bent, chance } from './import-fuzz.ts';

/**
 * Compares two forms of made-up files: the one that the readers take straight from the bytes, and one that they scan
 * with care. Both must give the same reading or the same refusal. `node test/proof/usual-forms.ts [files] [seed]`.
 */

type Random = () => number;

const pick = <Value>(random: Random, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value;

const HEADERS = ['Governor ID', 'Governor Name', 'Power', 'Kill Points', 'Deads', 'T5 Kills', 'Alliance', 'Town Hall'];
const TEXTS = [
  ...[
    '',
    ' ',
    ' Moss ',
    'Moss 灯',
    '\u202eMoss',
    '👑'.repeat(300),
    '灯'.repeat(300),
    'Moss'.repeat(200),
    '007',
    '12',
    '-',
    'Skipped',
  ],
  ...['[AB]Ash & Oak', '<b>', '"', "'", 'a,b', 'a;b', '_x000D_', '_x4e', '=1+1', 'e\u0301', '\ufffd', '#N/A'],
];
const FIGURES = [
  ...['0', '1', '-0', '-1', '-3', '25', '007', '1.5', '1.0', '1.5E+10', '1e999', '15.2M', '1,234', '(5)', '١٢'],
  ...['999999999999999', '9007199254740991', '9007199254740993', '98765432109876543211', '12345678901', ''],
];
const figure = (random: Random): string =>
  random() < 0.8 ? String(Math.floor(random() * 10 ** Math.ceil(random() * 15))) : pick(random, FIGURES);

const times = (random: Random): number => (random() < 0.1 ? 900 : 1 + Math.floor(random() * 30));

/** Rows of texts and figures as texts. */
const rowsOf = (random: Random): string[][] =>
  Array.from({ length: times(random) }, (_, row) =>
    HEADERS.map((header) => {
      if (header === 'Governor ID' && random() < 0.9) return String(70_000_000 + row);
      return header.includes('Name') || header === 'Alliance' ? pick(random, TEXTS) : figure(random);
    }),
  );

export interface Forms {
  name: string;
  usual: Buffer;
  careful: Buffer;
}

/** A csv file as it is and with each cell in quotes. */
export function csvForms(random: Random): Forms {
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
  const lines = [HEADERS, ...rowsOf(random)];
  const bare = lines.map((cells) => cells.map((cell) => (/[",\n]/.test(cell) ? quoted(cell) : cell)).join(','));
  return {
    name: '4001_2026-01-05.csv',
    usual: Buffer.from(`${bare.join('\n')}\n`),
    careful: Buffer.from(`${lines.map((cells) => cells.map(quoted).join(',')).join('\n')}\n`),
  };
}

/** JSON with plain figures as numbers, and with all of them as texts. */
export function jsonForms(random: Random): Forms {
  const rows = rowsOf(random);
  const objects = (shown: (cell: string, header: string) => string | number) =>
    rows.map((cells) => Object.fromEntries(cells.map((cell, at) => [HEADERS[at], shown(cell, HEADERS[at] as string)])));
  const isText = (header: string) => header.includes('Name') || header === 'Alliance';
  const plain = (cell: string, header: string) =>
    !isText(header) && /^-?(0|[1-9]\d{0,14})(\.\d+)?$/.test(cell) ? Number(cell) : cell;
  const json = (values: unknown) => Buffer.from(JSON.stringify(values).replaceAll('":0,', '":-0,'));
  return { name: '4001.json', usual: json(objects(plain)), careful: json(objects((cell) => cell)) };
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\ufffd', '&#xFFFD;');

/** Ways in which programs write a cell, the frequent ones more than once. */
type Writer = (reference: string, cell: string, place: number) => string;
const value: Writer = (reference, cell) => `<c r="${reference}"><v>${escaped(cell)}</v></c>`;
const shared: Writer = (reference, _, place) => `<c r="${reference}" t="s"><v>${place}</v></c>`;
const inline: Writer = (reference, cell) => `<c r="${reference}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
const WRITERS: readonly Writer[] = [
  ...[value, value, value, value, shared, shared, inline],
  (reference, cell) => `<c r="${reference}" s="12" t="n"><v>${escaped(cell)}</v></c>`,
  (reference, cell) => `<c r="${reference}" t="str"><f>A1&amp;B1</f><v>${escaped(cell)}</v></c>`,
  (reference, cell) => `<c r="${reference}" t="b"><v>${escaped(cell)}</v></c>`,
  (reference, cell) => `<c r="${reference}" t="e"><v>${escaped(cell)}</v></c>`,
  (reference, cell) => `<c r="${reference}"><v>${escaped(cell)}<!-- a --></v></c>`,
  (reference, cell) => `<c s="1" r="${reference}"><v>${escaped(cell)}</v></c>`,
  (reference, cell) => `<x:c r='${reference}'><x:v>${escaped(cell)}</x:v></x:c>`,
  (reference, cell) =>
    `<c r="${reference}" s="0" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`,
  (reference, cell) => `<c r="${reference}" t="inlineStr"><is><r><t>${escaped(cell)}</t></r><r><t>x</t></r></is></c>`,
  (reference) => `<c r="${reference}" s="3"/>`,
  (reference) => `<c r="${reference}"></c>`,
  (_, cell) => `<c><v>${escaped(cell)}</v></c>`,
  (_, cell) => `<c r="ALL1"><v>${escaped(cell)}</v></c>`,
];
const OPENINGS: readonly ((line: number) => string)[] = [
  ...Array.from({ length: 6 }, () => (line: number) => `<row r="${line}" spans="1:8" ht="15.5">`),
  (line) => `<row r="${line}">`,
  (line) => `\n  <row r="${line}">`,
  (line) => `<row r="${line}" a="b>c">`,
  (line) => `<row r="${line}" a='b>"c'>`,
  (line) => `<row spans="1:8" r="${line}">`,
  () => '<row>',
  () => '<row r="0">',
  () => '<row r="99999999">',
  (line) => `<!-- </row> --><row r='${line}'>`,
  (line) => `<row r="${line}"/><row r="${line}">`,
];

/** Malformed XML to insert between two rows. A workbook gets at most one. */
const FLAWS: readonly string[] = [
  ...['<row r="9"/></row>', '</row>', '<c><v>1</v></c>', '<row r="9"><c r="ALM9"><v>1</v></c></row>', '<v>', '<!--'],
  ...['<row r="9"><c r="9"><v>1</v></c></row>', '<row r="9" a="<">', '<![CDATA[</row>]]>', '<row r="9"><c r="A9">'],
];

const ITEMS: readonly ((text: string) => string)[] = [
  (text) => `<si><t>${text}</t></si>`,
  (text) => `<si><t>${text}</t></si>`,
  (text) => `<si><t xml:space="preserve">${text}</t></si>`,
  (text) => `<si><r><rPr/><t>${text}</t></r><rPh sb="0"><t>no</t></rPh></si>`,
  (text) => `<si>\n<t>${text}</t><!-- </si> --></si>`,
];

/** A space in its tags keeps a row or a text from being in the usual form. */
const unusual = (xml: Buffer): Buffer =>
  Buffer.from(xml.toString('latin1').replaceAll('<row ', '<row  ').replaceAll('<si>', '<si >'), 'latin1');

/** A workbook in which most rows have the usual form, some with changed bytes, and the same without that form. */
export function workbookForms(random: Random): Forms {
  const texts = [...HEADERS, ...TEXTS];
  const strings = texts.map((text, at) => pick(random, at < HEADERS.length ? ITEMS.slice(0, 3) : ITEMS)(escaped(text)));
  const isPlain = random() < 0.3;
  const cellOf = (line: number) => (cell: string, column: number) =>
    (isPlain || random() < 0.6 ? (/^\d+$/.test(cell) ? value : inline) : pick(random, WRITERS))(
      `${String.fromCharCode(65 + column)}${line}`,
      cell,
      Math.floor(random() * (texts.length + 2)),
    );
  const rows = rowsOf(random).map((cells, row) => {
    const open = isPlain ? `<row r="${row + 2}">` : pick(random, OPENINGS)(row + 2);
    return `${open}${cells.map(cellOf(row + 2)).join('')}</row>`;
  });
  if (random() < 0.1) rows.splice(Math.floor(random() * rows.length), 0, pick(random, FLAWS));
  if (random() < 0.05) strings.splice(Math.floor(random() * strings.length), 0, '<rPh>');
  const head = HEADERS.map((_, at) => `<c r="${String.fromCharCode(65 + at)}1" t="s"><v>${at}</v></c>`).join('');
  const part = (xml: string) => (random() < 0.15 ? bent(Buffer.from(xml), random) : Buffer.from(xml));
  const sheet = part(
    `<worksheet><sheetData><row r="1">${head}</row>${rows.join('')}</sheetData><pageMargins/></worksheet>`,
  );
  const list = part(`<sst>${strings.join('')}</sst>`);
  const stored = random() < 0.5;
  const packed = (form: (xml: Buffer) => Buffer) =>
    archive(
      {
        'xl/workbook.xml': '<workbook><sheets><sheet name="4001" r:id="r1"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels':
          '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
        'xl/sharedStrings.xml': form(list),
        'xl/worksheets/sheet1.xml': form(sheet),
      },
      { stored },
    );
  return { name: '4001_2026-01-05.xlsx', usual: packed((xml) => xml), careful: packed(unusual) };
}

const readingOf = (name: string, bytes: Buffer): Promise<unknown> =>
  readScanFile(name, bytes).catch((error: unknown) => {
    if (error instanceof ScanFileRefused) return error.message;
    throw error;
  });

/** Returns the seeds whose two forms differ, and how many files were read rather than refused. */
export async function differing(
  files: number,
  seed: number,
  make: (random: Random) => Forms,
): Promise<{ seeds: number[]; read: number }> {
  const seeds: number[] = [];
  let read = 0;
  for (let index = 0; index < files; index++) {
    const { name, usual, careful } = make(chance(seed + index));
    const [one, other] = [await readingOf(name, usual), await readingOf(name, careful)];
    if (typeof one !== 'string') read++;
    if (!isDeepStrictEqual(one, other)) seeds.push(seed + index);
  }
  return { seeds, read };
}

if (import.meta.main) {
  const [files = 10_000, seed = Date.now() % 1_000_000_000] = process.argv.slice(2).map(Number);
  for (const make of [csvForms, jsonForms, workbookForms]) {
    const { seeds, read } = await differing(files, seed, make);
    console.log({ what: make.name, files, seed, read, differing: seeds.slice(0, 20) });
    if (seeds.length > 0) process.exitCode = 1;
  }
}
