import ExcelJS from 'exceljs';
import { ScanFileRefused } from '../../scan-files/limits.ts';
import { type FileReading, readScanFile } from '../../scan-files/read.ts';
import { bentWorkbook } from './bent-workbooks.ts';

/**
 * Reads thousands of mutated files as imports are read. Each must give a reading that accounts for every line, or a
 * refusal with a sentence, within limits of time and memory. Mutates bytes of every kind of file, then the structure of
 * workbooks. `node test/proof/import-fuzz.ts [files] [seed]`.
 */

/** Returns a generator of numbers from 0 up to 1 that a seed repeats (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const HEADERS = 'Kingdom,Governor ID,Governor Name,Power,Kill Points,Deads,T1 Kills,T4 Kills,T5 Kills,Town Hall'.split(
  ',',
);
const row = (index: number): (string | number)[] => [
  4001,
  70_000_000 + index,
  `Moss "${index}", 灯`,
  1_000_000 - index,
  40,
  3,
  0,
  0,
  2,
  25,
];
const ROWS = Array.from({ length: 60 }, (_, index) => row(index));

/** The made-up files to mutate, one of each kind. */
export async function seeds(): Promise<[string, Buffer][]> {
  const csv = [HEADERS, ...ROWS]
    .map((cells) => cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(','))
    .join('\r\n');
  const objects = ROWS.map((cells) => Object.fromEntries(cells.map((cell, index) => [HEADERS[index], cell])));
  const book = new ExcelJS.Workbook();
  book.addWorksheet('4001').addRows([HEADERS, ...ROWS]);
  return [
    ['4001_2026-01-05.csv', Buffer.from(csv)],
    ['4001_2026-01-05.csv', Buffer.from(`\ufeff${csv.replaceAll('","', '";"')}`, 'utf16le')],
    ['4001.json', Buffer.from(JSON.stringify(objects, null, 1))],
    ['4001.jsonl', Buffer.from(objects.map((object) => JSON.stringify(object)).join('\n'))],
    ['4001_2026-01-05.xlsx', Buffer.from(await book.xlsx.writeBuffer())],
  ];
}

const TOKENS = [
  '"',
  ',',
  ';',
  '\n',
  '\r',
  '\0',
  '{',
  '}',
  '[',
  ']',
  '\\',
  '<',
  '>',
  '&',
  '<!DOCTYPE x>',
  '-1',
  '1e999',
  '9'.repeat(30),
  '\ud800',
  '=1+1',
  'PK\x05\x06',
];

/** Returns a file with some bytes flipped, cut, doubled, moved or replaced. */
export function bent(file: Buffer, random: () => number): Buffer {
  let bytes = Buffer.from(file);
  const at = () => Math.floor(random() * (bytes.length + 1));
  for (let times = 1 + Math.floor(random() * 4); times > 0; times--) {
    const [from, to] = [at(), at()].sort((a, b) => a - b) as [number, number];
    const way = Math.floor(random() * 6);
    if (way === 0 && bytes.length > 0) bytes[Math.min(from, bytes.length - 1)] = Math.floor(random() * 256);
    else if (way === 1) bytes = bytes.subarray(0, from);
    else if (way === 2) bytes = Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
    else if (way === 3) bytes = Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
    else if (way === 4) {
      const token = TOKENS[Math.floor(random() * TOKENS.length)] as string;
      bytes = Buffer.concat([bytes.subarray(0, from), Buffer.from(token), bytes.subarray(from)]);
    } else bytes = Buffer.concat([bytes.subarray(0, from), bytes.subarray(from, to).reverse(), bytes.subarray(to)]);
  }
  return bytes;
}

/** Returns what is wrong with a reading: unaccounted lines, or cells that no snapshot may hold; otherwise null. */
export function flawOf({ scans, ...about }: FileReading): string | null {
  const { lines, problems, problem_count } = about;
  if (JSON.stringify(about).length > 1_000_000) return 'more is told than anybody reads';
  if (lines.kept + lines.dropped !== lines.read) return 'lines are missing';
  const told = problems.filter(({ dropped }) => dropped).length;
  if (problem_count === problems.length && told < lines.dropped) return 'a line was dropped without a word';
  for (const { table, lines: numbers } of scans) {
    if (numbers.length !== table.count) return 'rows without their lines';
    for (const [key, column] of Object.entries(table.numbers)) {
      if (column.length !== table.count) return `${key} has another length`;
      for (const value of column)
        if (!Number.isNaN(value) && !(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) return `${key} holds ${value}`;
    }
    for (const [key, column] of Object.entries(table.texts))
      for (const text of column)
        if (text !== null && (text.length > 200 || !text.isWellFormed())) return `${key} holds an odd text`;
  }
  return null;
}

export interface Outcome {
  read: number;
  refused: number;
  failures: string[];
  slowestMs: number;
  /** Peak of the heap above its start, in bytes. */
  heap: number;
}

/** Returns a mutated file from its number and a seed's random numbers. */
export type Bender = (index: number, random: () => number) => [name: string, bytes: Buffer];

/** Mutates bytes of files of every kind: flipped, cut, doubled, moved or replaced. */
export async function bentBytes(): Promise<Bender> {
  const kinds = await seeds();
  return (index, random) => {
    const [name, file] = kinds[index % kinds.length] as [string, Buffer];
    return [name, bent(file, random)];
  };
}

/** Mutates titles, texts, dimensions, tags and relations of workbooks. */
export const bentStructure: Bender = (_, random) => ['4001_2026-01-05.xlsx', bentWorkbook(random)];

/** Reads this many mutated files. A failure names the seed that repeats it. */
export async function fuzzImports(files: number, seed: number, bend: Bender): Promise<Outcome> {
  const start = process.memoryUsage().heapUsed;
  const outcome: Outcome = { read: 0, refused: 0, failures: [], slowestMs: 0, heap: 0 };
  for (let index = 0; index < files; index++) {
    const [name, bytes] = bend(index, chance(seed + index));
    const began = performance.now();
    try {
      const flaw = flawOf(await readScanFile(name, bytes));
      if (flaw) outcome.failures.push(`seed ${seed + index} of ${name}: ${flaw}`);
      outcome.read++;
    } catch (error) {
      if (error instanceof ScanFileRefused && /\.$/.test(error.message)) outcome.refused++;
      else outcome.failures.push(`seed ${seed + index} of ${name}: ${String(error)}`);
    }
    outcome.slowestMs = Math.max(outcome.slowestMs, performance.now() - began);
    outcome.heap = Math.max(outcome.heap, process.memoryUsage().heapUsed - start);
  }
  return outcome;
}

if (import.meta.main) {
  const [files = 10_000, seed = Date.now() % 1_000_000_000] = process.argv.slice(2).map(Number);
  for (const [what, bend] of Object.entries({ bytes: await bentBytes(), structure: bentStructure })) {
    const { failures, ...figures } = await fuzzImports(files, seed, bend);
    console.log({ what, files, seed, ...figures, failures: failures.slice(0, 20) });
    if (failures.length > 0) process.exitCode = 1;
  }
}
