import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { MAX_SENTENCE, MAX_TEXT_BYTES, ScanFileRefused } from '../../scan-files/limits.ts';
import { readScanFile } from '../../scan-files/read.ts';
import { MAX_WORK, Work } from '../../scan-files/work.ts';
import { openWorkbook } from '../../scan-files/workbook.ts';
import { HOSTILE, honestCsv, honestWorkbook } from './hostile.ts';
import { numbered } from './hostile-texts.ts';
import { rawWorkbook } from './workbooks.ts';

/** Maximum number of characters that a page or a script receives about a file. */
const MOST_TOLD = 1_000_000;

/** A tenth of the size that `npm run bench -- import` reads and uploads. */
const PART_MB = 100_000;

// The benchmark measures time and memory: here nothing may run on and on.
test.each(HOSTILE)('$what ($name)', async ({ name, make }) => {
  const bytes = make(PART_MB);
  expect(bytes.length).toBeLessThanOrEqual(MAX_TEXT_BYTES);
  const outcome = await readScanFile(name, bytes).catch((error: unknown) => error);
  if (outcome instanceof Error) {
    expect(outcome).toBeInstanceOf(ScanFileRefused);
    expect(outcome.message).toMatch(/[.…]$/);
    expect(outcome.message.length).toBeLessThanOrEqual(MAX_SENTENCE);
  } else {
    const { scans: _, ...told } = outcome as Awaited<ReturnType<typeof readScanFile>>;
    expect(JSON.stringify(told).length).toBeLessThan(MOST_TOLD);
  }
});

test('there are at least forty hostile files, of every kind', () => {
  expect(HOSTILE.length).toBeGreaterThanOrEqual(40);
  for (const kind of ['.xlsx', '.ods', '.csv', '.json'])
    expect(HOSTILE.some(({ name }) => name.endsWith(kind))).toBe(true);
});

test('other requests get their turn while a large file is read', async () => {
  for (const [name, bytes] of [
    ['1001.csv', honestCsv(20_000)],
    ['1001.xlsx', honestWorkbook(20_000)],
  ] as const) {
    let turns = 0;
    const timer = setInterval(() => turns++);
    const { lines } = await readScanFile(name, bytes);
    clearInterval(timer);
    expect([name, lines.kept]).toEqual([name, 20_000]);
    expect(turns).toBeGreaterThan(2);
  }
});

test('work past its budget is refused with a sentence', () => {
  const work = new Work();
  work.spend(MAX_WORK);
  expect(() => work.spend(1)).toThrow(ScanFileRefused);
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const heapMb = () => {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
};

test.each(HOSTILE.filter(({ what }) => what.includes('far apart')))(
  'only the names stay in memory: $what ($name)',
  async ({ name, make }) => {
    const bytes = make(PART_MB);
    const before = heapMb();
    const { scans } = await readScanFile(name, bytes);
    expect(heapMb() - before).toBeLessThan(5);
    expect(scans[0]?.table.texts.name).toContain('Moss and Ash 灯 699');
  },
);

test.each([
  ['csv', 'Governor ID,Power,Name\n', (id: number, name: string) => `${id},9,${name}\n`],
  ['json', '', (id: number, name: string) => `{"Governor ID":${id},"Power":9,"Name":"${name}"}\n`],
])('only the first characters of long names stay in memory: %s', async (_, head, line) => {
  const bytes = Buffer.from(head + numbered(2000, (at) => line(at + 1, `灯${'a'.repeat(5000)}`)));
  const before = heapMb();
  const { scans } = await readScanFile('1001.txt', bytes);
  expect(heapMb() - before).toBeLessThan(4);
  expect(scans[0]?.table.texts.name?.[1999]).toBe(`灯${'a'.repeat(199)}`);
});

const workOf = async (xml: string): Promise<number> => {
  const work = new Work();
  const workbook = await openWorkbook(rawWorkbook('1001', xml), work, () => null);
  await workbook.read(new Map([['1001', () => undefined]]));
  return work.done;
};

// They take some 20 ns a character, several times as long as what is usual.
test('a character of attributes and lone ampersands counts as several units of work', async () => {
  const perCharacter = async (part: string, cell: (repeated: string) => string) => {
    const [few, many] = [await workOf(cell(part.repeat(1000))), await workOf(cell(part.repeat(3000)))];
    return (many - few) / (2000 * part.length);
  };
  for (const part of [' r', ' q="1"'])
    expect(await perCharacter(part, (all) => `<row><c${all}/></row>`)).toBeGreaterThan(4);
  for (const part of ['&1', '&'])
    expect(await perCharacter(part, (all) => `<row><c t="inlineStr"><is><t>${all}</t></is></c></row>`)).toBeGreaterThan(
      4,
    );
});

test('unusual cells count as more work than usual ones, because they take longer', async () => {
  const rows = numbered(1000, (at) => `<row r="${at + 1}"><c r="A${at + 1}"><v>${at}</v></c></row>`);
  const [usual, spaced] = [await workOf(rows), await workOf(rows.replaceAll('</c>', '</c >'))];
  expect(spaced).toBeGreaterThan(1.5 * usual);
});
