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

test('unusual cells count as more work than usual ones, because they take longer', async () => {
  const rows = numbered(1000, (at) => `<row r="${at + 1}"><c r="A${at + 1}"><v>${at}</v></c></row>`);
  const workOf = async (xml: string) => {
    const work = new Work();
    const workbook = await openWorkbook(rawWorkbook('1001', xml), work, () => null);
    await workbook.read(new Map([['1001', () => undefined]]));
    return work.done;
  };
  const [usual, spaced] = [await workOf(rows), await workOf(rows.replaceAll('</c>', '</c >'))];
  expect(spaced).toBeGreaterThan(1.5 * usual);
});
