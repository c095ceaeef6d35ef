import { archive } from '../scan-files/workbooks.ts';

/** Workbooks with mutated structure: titles, shared texts, dimensions, tags, cells and relations. */

type Random = () => number;
type Parts = Record<string, string>;

const pick = <Value>(random: Random, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] as Value;

const HEADERS = ['Kingdom', 'Governor ID', 'Governor Name', 'Power', 'Kill Points', 'Deads', 'Alliance Tag'];
const WORKBOOK = 'xl/workbook.xml';
const RELATIONS = 'xl/_rels/workbook.xml.rels';
const STRINGS = 'xl/sharedStrings.xml';
const SHEET = 'xl/worksheets/sheet1.xml';

/** Texts that often break readers. */
const ODD = [
  ...['', ' ', 'constructor', '__proto__', 'toString', '4001', '2026-01-05', 'Summary', 'Rolled Up 4001', 'KD 4001'],
  ...[
    '&amp;',
    '&#x1F600;',
    '&#0;',
    '_x0000_',
    '_x005F_x000D_',
    '=1+1',
    '灯',
    '\u202e',
    'e\u0301',
    '1e999',
    '-0',
    'NaN',
  ],
  ...['1,000', '1.5M', '(5)', '#N/A', 'a / b', '[TAG]Name', 'Power Pass 4', 'Power Change', 'Date', 'ID'],
];
/** The same, and long ones. */
const oddText = (random: Random): string => {
  const text = pick(random, ODD);
  return random() < 0.15 ? text.repeat(Math.ceil(random() * 3000)) : text;
};

/** The parts of a workbook with two sheets, as tools write them. */
function parts(): Parts {
  const strings = [...HEADERS, ...Array.from({ length: 20 }, (_, at) => `Moss ${at}`), 'MC'];
  const shared = (place: number, reference: string) => `<c r="${reference}" t="s"><v>${place}</v></c>`;
  const figure = (value: number, reference: string) => `<c r="${reference}"><v>${value}</v></c>`;
  const row = (at: number) =>
    [
      figure(4001, `A${at + 2}`),
      figure(70_000_000 + at, `B${at + 2}`),
      shared(HEADERS.length + at, `C${at + 2}`),
      figure(1_000_000 - at, `D${at + 2}`),
      figure(40, `E${at + 2}`),
      figure(3, `F${at + 2}`),
      shared(strings.length - 1, `G${at + 2}`),
    ].join('');
  const head = HEADERS.map((_, at) => shared(at, `${String.fromCharCode(65 + at)}1`)).join('');
  const rows = Array.from({ length: 20 }, (_, at) => `<row r="${at + 2}" spans="1:7">${row(at)}</row>`).join('');
  return {
    [WORKBOOK]:
      '<workbook><workbookPr date1904="0"/><sheets><sheet name="4001" sheetId="1" r:id="rId1"/><sheet name="Notes" sheetId="2" r:id="rId2"/></sheets></workbook>',
    [RELATIONS]:
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="worksheets/sheet2.xml"/></Relationships>',
    [STRINGS]: `<sst count="9" uniqueCount="9">${strings.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    [SHEET]: `<worksheet><dimension ref="A1:G21"/><sheetData><row r="1">${head}</row>${rows}</sheetData></worksheet>`,
    'xl/worksheets/sheet2.xml':
      '<worksheet><sheetData><row><c t="inlineStr"><is><t>x</t></is></c></row></sheetData></worksheet>',
  };
}

/** Replaces one match of a pattern, if there is any. */
function bend(parts: Parts, part: string, pattern: RegExp, random: Random, by: (found: string) => string): void {
  const text = parts[part] ?? '';
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return;
  const one = pick(random, found);
  parts[part] = text.slice(0, one.index) + by(one[0]) + text.slice(one.index + one[0].length);
}

const BETWEEN = /(?<=>)(?=<)/g;
const TAG = /<[^<>]{1,200}>/g;

const WAYS: readonly ((parts: Parts, random: Random) => void)[] = [
  (all, random) => bend(all, WORKBOOK, /name="[^"]{0,300}"/g, random, () => `name="${oddText(random)}"`),
  (all, random) =>
    bend(all, WORKBOOK, /<sheet [^<>]{1,500}>/g, random, (sheet) => sheet.repeat(Math.ceil(random() * 600))),
  (all, random) =>
    bend(all, WORKBOOK, /date1904="0"|sheetId="1"/g, random, () =>
      pick(random, ['date1904="1"', 'state="hidden"', 'state="veryHidden"']),
    ),
  (all, random) =>
    bend(
      all,
      RELATIONS,
      /Target="[^"]{1,100}"/g,
      random,
      () =>
        `Target="${pick(random, ['worksheets/sheet1.xml', '/xl/worksheets/sheet1.xml', '../xl/workbook.xml', 'workbook.xml', 'sharedStrings.xml', '', 'http://a.example/', '__proto__'])}"`,
    ),
  (all, random) =>
    bend(
      all,
      RELATIONS,
      /Id="[^"]{1,100}"/g,
      random,
      () => `Id="${pick(random, ['rId1', 'rId2', '', 'constructor', oddText(random)])}"`,
    ),
  (all, random) => bend(all, STRINGS, /<t>[^<]{0,300}<\/t>/g, random, () => `<t>${oddText(random)}</t>`),
  (all, random) =>
    bend(all, STRINGS, /<si>.{0,300}?<\/si>/g, random, (text) =>
      pick(random, ['', '<si/>', text + text, `<si><r>${text}</r><rPh>${text}</rPh></si>`]),
    ),
  (all, random) =>
    bend(
      all,
      SHEET,
      /ref="[^"]{1,100}"/g,
      random,
      () => `ref="${pick(random, ['A1:XFD1048576', 'A1', '', 'ZZZZ9', 'A0:A-1', oddText(random)])}"`,
    ),
  (all, random) =>
    bend(
      all,
      SHEET,
      / r="[A-Z]{1,3}\d{1,7}"/g,
      random,
      () => ` r="${pick(random, ['A1', 'ALL1', 'XFD9', '1A', '', 'a1', 'AAAAAAAAA1', oddText(random)])}"`,
    ),
  (all, random) =>
    bend(
      all,
      SHEET,
      /<row r="\d{1,7}"/g,
      random,
      () => `<row r="${pick(random, ['0', '-1', '1048576', '1e9', '2', oddText(random)])}"`,
    ),
  (all, random) =>
    bend(all, SHEET, / t="s"/g, random, () =>
      pick(random, ['', ' t="n"', ' t="b"', ' t="e"', ' t="d"', ' t="str"', ' t="inlineStr"', ' t="constructor"']),
    ),
  (all, random) =>
    bend(all, SHEET, /<v>[^<]{0,300}<\/v>/g, random, () =>
      pick(random, [
        `<v>${oddText(random)}</v>`,
        '<v/>',
        '',
        '<f>A1</f><v>5</v>',
        '<v>99999999</v>',
        '<is><t>x</t></is>',
      ]),
    ),
  (all, random) => bend(all, SHEET, /<row .{1,3000}?<\/row>/g, random, (row) => row.repeat(Math.ceil(random() * 40))),
  (all, random) =>
    bend(all, pick(random, Object.keys(all)), TAG, random, (tag) =>
      pick(random, ['', tag + tag, tag.slice(0, -1), tag.replace('<', '<x:'), tag.replace('<', '</')]),
    ),
  (all, random) =>
    bend(all, pick(random, Object.keys(all)), BETWEEN, random, () =>
      pick(random, [
        '<!-- > -->',
        '<![CDATA[x<y]]>',
        '<?a b?>',
        '<!DOCTYPE a>',
        '&lol;',
        ' '.repeat(70_000),
        `<q a="${'>'.repeat(70_000)}"/>`,
        '<q>'.repeat(2000),
      ]),
    ),
  (all, random) => {
    const name = pick(random, Object.keys(all));
    all[name] = (all[name] ?? '').slice(0, Math.floor(random() * (all[name] ?? '').length));
  },
  (all, random) => {
    delete all[pick(random, Object.keys(all))];
  },
];

/** Returns a workbook with one to four mutations. */
export function bentWorkbook(random: Random): Buffer {
  const all = parts();
  for (let times = 1 + Math.floor(random() * 4); times > 0; times--) pick(random, WAYS)(all, random);
  return archive(all);
}
