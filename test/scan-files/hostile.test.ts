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

test('attributes and ampersands take no longer than their work says', async () => {
  const nanoseconds = async (xml: string) => {
    const bytes = rawWorkbook('1001', xml);
    const times: number[] = [];
    for (let tries = 0; tries < 3; tries++) {
      const work = new Work();
      const { user } = process.cpuUsage();
      const workbook = await openWorkbook(bytes, work, () => null);
      await workbook.read(new Map([['1001', () => undefined]]));
      times.push(((process.cpuUsage().user - user) * 1000) / work.done);
    }
    return Math.min(...times);
  };
  const usual = await nanoseconds('<row><c r="A1"><v>1</v></c ></row>'.repeat(100_000));
  for (const cell of [`<c${' r'.repeat(30_000)}/>`, `<c${' r'.repeat(100)}/>`, `<c${' q="1"'.repeat(100)}/>`])
    expect(await nanoseconds(`<row>${cell}</row>`.repeat(4e6 / cell.length))).toBeLessThan(3 * usual);
  for (const text of ['&1', '&', '&amp;', '&#1;'])
    expect(
      await nanoseconds(
        `<row><c t="inlineStr"><is><t>${text.repeat(100)}</t></is></c></row>`.repeat(4e4 / text.length),
      ),
    ).toBeLessThan(3 * usual);
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
