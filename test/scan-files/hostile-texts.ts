/** Repeated pieces that hostile files are made of. */

export const MB = 1_000_000;
export const CSV_HEAD = 'Governor ID,Name,Power\n';

/** Returns `start`, filled up with copies of `piece` to `size` characters. */
export const filled = (size: number, piece: string, start = ''): string =>
  (start + piece.repeat(Math.ceil(size / piece.length))).slice(0, size);

/** Returns `start` and numbered lines, in at most `bytes` bytes. */
export function lines(bytes: number, line: (index: number) => string, start = ''): Buffer {
  const parts = [start];
  for (let index = 0, size = start.length; ; index++) {
    const next = line(index);
    size += next.length;
    if (size > bytes) return Buffer.from(parts.join(''));
    parts.push(next);
  }
}

/** Pieces by their numbers, one after the other. */
export const numbered = (count: number, piece: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => piece(at)).join('');

/** Hostile csv and json files. */

const staged = (moments: number): string =>
  Array.from({ length: moments }, (_, at) => `Power Pass ${at},Kill Score Pass ${at}`).join(',');

export const TEXTS: [what: string, name: string, make: (mb: number) => Buffer][] = [
  ['commas', '1001.csv', (mb) => Buffer.from(CSV_HEAD + filled(19 * mb, `${','.repeat(999)}\n`))],
  ['a line without an end', '1001.csv', (mb) => Buffer.from(CSV_HEAD + 'x'.repeat(19 * mb))],
  ['quotes', '1001.csv', (mb) => Buffer.from(CSV_HEAD + '"'.repeat(19 * mb))],
  ['quotes that open fields', '1001.csv', (mb) => Buffer.from(CSV_HEAD + filled(19 * mb, '"x,'))],
  ['quotes in threes', '1001.csv', (mb) => Buffer.from(CSV_HEAD + filled(19 * mb, '"""x,""y\n'))],
  ['quotes that open every cell', '1001.csv', (mb) => lines(19 * mb, () => `${'"x,'.repeat(900)}\n`, CSV_HEAD)],
  ['quotes that nothing closes', '1001.csv', (mb) => lines(19 * mb, (at) => `"${at},a\n`, CSV_HEAD)],
  ['line ends', '1001.csv', (mb) => Buffer.from(CSV_HEAD + '\n'.repeat(19 * mb))],
  ['figures of digits', '1001.csv', (mb) => lines(19 * mb, (at) => `${at},a,${'9'.repeat(90_000)}\n`, CSV_HEAD)],
  [
    'names of spaces and brackets',
    '1001.csv',
    (mb) => lines(19 * mb, (at) => `${at},${'[ '.repeat(10_000)},9\n`, 'Governor ID,Alliance,Power\n'),
  ],
  [
    'dates that are none',
    '1001.csv',
    (mb) => lines(19 * mb, (at) => `${at},9,2026-01-01${' '.repeat(180)}x\n`, 'Governor ID,Power,Date\n'),
  ],
  [
    'as many kingdoms as rows',
    'all.csv',
    (mb) => lines(19 * mb, (at) => `${at + 1},${at + 1},a,9\n`, `Kingdom,${CSV_HEAD}`),
  ],
  [
    'three hundred moments',
    '1001.csv',
    (mb) => lines(19 * mb, (at) => `${at + 1}${',7'.repeat(600)}\n`, `Governor ID,${staged(300)}\n`),
  ],
  ['headers of words', '1001.csv', () => Buffer.from(`Governor ID,${filled(90_000, 'power at pass of ')}\n`)],
  [
    'formulas of our own file',
    '1001.csv',
    (mb) =>
      lines(19 * mb, (at) => `${at + 1},'=${'(1+'.repeat(60)};'=1,9,\n`, `${CSV_HEAD.trim()},Written by Muster\n`),
  ],
  ['a name of dates', `${filled(200, 'jan 1 ')}.csv`, () => Buffer.from(`${CSV_HEAD}1,a,9\n`)],
  ['utf-16', '1001.csv', (mb) => Buffer.from(`\ufeff${CSV_HEAD}${filled(9 * mb, '1,灯,9\n')}`, 'utf16le')],
  ['a code page', '1001.csv', (mb) => Buffer.from(`${CSV_HEAD}${filled(19 * mb, '1,\xe4\xf6\xfc,9\n')}`, 'latin1')],
  ['brackets', '1001.json', (mb) => Buffer.from('['.repeat(19 * mb))],
  ['objects in objects', '1001.json', (mb) => Buffer.from('{"a":'.repeat(3 * mb))],
  [
    'lists in an object',
    '1001.json',
    () => Buffer.from(`[{"Governor ID":1,"Power":2,"a":${'['.repeat(45_000)}${']'.repeat(45_000)}}]`),
  ],
  ['empty objects', '1001.json', (mb) => Buffer.from(`[{"Governor ID":1,"Power":2},${'{},'.repeat(6 * mb)}{}]`)],
  [
    'objects beside a thousand keys',
    '1001.json',
    (mb) =>
      Buffer.from(
        `[{"Governor ID":1,"Power":2,${Array.from({ length: 990 }, (_, at) => `"k${at}":1`).join(',')}},${'{"Power":1},'.repeat(mb)}{}]`,
      ),
  ],
  ['keys that are all different', '1001.json', (mb) => lines(19 * mb, (at) => `{"k${at}":1}\n`)],
  [
    'keys of most columns, a few in each object',
    '1001.json',
    (mb) => lines(18 * mb, (at) => `{"Governor ID":${at + 1},"Power":1,"k${at % 990}":"${'v'.repeat(50)}"}\n`),
  ],
  [
    'lists in every object',
    '1001.json',
    (mb) => lines(18 * mb, (at) => `{"Governor ID":${at + 1},"Power":1,"a":${'['.repeat(400)}${']'.repeat(400)}}\n`),
  ],
  [
    'names of escapes',
    '1001.json',
    (mb) => lines(18 * mb, (at) => `{"Governor ID":${at + 1},"Power":1,"Name":"${'\\u0000\\ud800'.repeat(40)}"}\n`),
  ],
  ['backslashes', '1001.json', (mb) => Buffer.from(`[{"a":"${'\\'.repeat(19 * mb)}`)],
  ['escaped quotes', '1001.json', (mb) => Buffer.from(`[{"a":"${'\\"'.repeat(9 * mb)}`)],
  ['spaces', '1001.json', (mb) => Buffer.from(`[${' '.repeat(19 * mb)}]`)],
  ['lists without rows', '1001.json', (mb) => Buffer.from('{"rows":[]}'.repeat(1.7 * mb))],
  ['keys behind the rows', '1001.json', (mb) => Buffer.from(`{"rows":[],${'"a":{},'.repeat(2.6 * mb)}`)],
  ['braces without an end', '1001.jsonl', (mb) => Buffer.from('{\n'.repeat(9 * mb))],
];
