import { expect, test } from 'vitest';
import { dialectOf, distinct, HeaderTargets, headerText, isIdHeader, plainHeader } from '../../domain/scans/dialect.ts';
import { isRounded, numeralOf } from '../../domain/scans/numerals.ts';
import { defused, restored } from '../../domain/scans/spreadsheet.ts';
import { allianceOf, kingdomOf, nameOf, wordsOf } from '../../domain/scans/words.ts';
import { delimiterOf, readCsvLines } from '../../scan-files/csv.ts';
import { encodingOf, textsOf } from '../../scan-files/encoding.ts';
import { kingdomIn, momentIn, momentsIn } from '../../scan-files/file-name.ts';
import { JsonScanner } from '../../scan-files/json.ts';
import { ScanFileRefused } from '../../scan-files/limits.ts';
import { kingdomOfSheet } from '../../scan-files/sheet-choice.ts';
import { attributeOf, XmlScanner } from '../../scan-files/xml.ts';

/** Each parser takes time in proportion to its text, whatever the text is made of. */

const LENGTH = 100_000;
/** Quadratic time is ten seconds at that length, linear time a few milliseconds. */
const AT_ONCE_MS = 40;
const MOST_GROWTH = 3;
const TRIES = 5;

const PIECES = [
  ...['a', '1', ' ', '"', "'", ',', '.', '<', '>', '&', '{', '[', '\\', '\n', '灯', '=', '-'],
  ...['jan', '2026-01-01 ', 'a b ', '1,', 'top300-2026-06-15-', '<a b="', '""', '"x,', '\\"', '[x]', "'=1;", 'power '],
];

const HEADERS = ['Governor ID', 'Name', 'Power'];
const nothing = () => undefined;
const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  momentIn,
  momentsIn,
  kingdomIn,
  kingdomOfSheet,
  headerText,
  plain: plainHeader,
  isIdHeader,
  dialectOf: (text) => dialectOf([...HEADERS, text]),
  distinct: (text) => distinct([text, text]),
  HeaderTargets: (text) =>
    new HeaderTargets(dialectOf(['Governor ID']) ?? expect.fail(), ['Governor ID', text]).targets,
  'numeralOf, integer': (text) => numeralOf(text, 'integer'),
  'numeralOf, decimal': (text) => numeralOf(text, 'decimal'),
  'numeralOf, ident': (text) => numeralOf(text, 'ident'),
  'numeralOf, flag': (text) => numeralOf(text, 'flag'),
  isRounded,
  nameOf,
  wordsOf,
  allianceOf,
  kingdomOf,
  defused,
  restored,
  delimiterOf: (text) => delimiterOf(text, (cells) => dialectOf(cells) !== null),
  readCsvLines: (text) => readCsvLines(Buffer.from(text), 'utf-8', ',', nothing),
  'readCsvLines, in a field': (text) => readCsvLines(Buffer.from(`1,"${text}`), 'utf-8', ',', nothing),
  JsonScanner: (text) => new JsonScanner(nothing, nothing).push(`[{"a":${text}`),
  'JsonScanner, in a text': (text) => new JsonScanner(nothing, nothing).push(`[{"a":"${text}`),
  XmlScanner: (text) => inPieces(text),
  'XmlScanner, in a tag': (text) => inPieces(`<a ${text}`),
  'XmlScanner, in an attribute': (text) => inPieces(`<a b="${text}`),
  'XmlScanner, in a comment': (text) => inPieces(`<a><!--${text}`),
  attributeOf: (text) => attributeOf(text, 'r'),
  encodingOf: (text) => encodingOf(Buffer.from(text)),
  textsOf: (text) => [...textsOf(Buffer.from(text), 'utf-8')],
};

/** Scans XML in pieces, as a workbook's parts arrive. */
function inPieces(text: string): void {
  const scanner = new XmlScanner({ open: nothing, close: nothing, text: nothing });
  for (let at = 0; at < text.length; at += 4096) scanner.push(text.slice(at, at + 4096));
}

const repeated = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** Processor time of a parser, a refusal with a sentence included. */
function timeOf(parse: (text: string) => unknown, text: string): number {
  const { user } = process.cpuUsage();
  try {
    parse(text);
  } catch (error) {
    expect(error).toBeInstanceOf(ScanFileRefused);
  }
  return (process.cpuUsage().user - user) / 1000;
}

test.each(Object.entries(PARSERS))('%s', (_, parse) => {
  for (const piece of PIECES) {
    const ratios: number[] = [];
    for (let tries = 0; tries < TRIES; tries++) {
      const whole = timeOf(parse, repeated(piece, LENGTH));
      if (whole <= AT_ONCE_MS) break;
      ratios.push(whole / timeOf(parse, repeated(piece, LENGTH / 2)));
    }
    const grown = ratios.length < TRIES ? 1 : Math.min(...ratios);
    expect({ piece, grown: grown <= MOST_GROWTH }).toEqual({ piece, grown: true });
  }
});
