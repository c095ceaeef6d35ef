import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { fileReport } from '../../domain/scans/file-report.ts';
import { reportLines } from '../../domain/scans/report-lines.ts';
import { type FolderOptions, scanFolder as openFolder } from '../../fleet/sources/scan-folder.ts';
import { workbook } from '../scan-files/workbooks.ts';

const folder = mkdtempSync(join(tmpdir(), 'scans-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => rmSync(folder, { recursive: true }));

function put(path: string, ...lines: string[]): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), `${lines.join('\n')}\n`);
}

/** Does not wait for files to settle, unless a test says otherwise. */
const scanFolder = (path: string, options: FolderOptions = {}) => openFolder(path, { settleMs: 0, ...options });

const FULL = 'Kingdom,Governor ID,Governor Name,Power,Kill Points,T5 Kills';
const LISTED = 'Kingdom,Governor ID,Governor Name,Power';
const NOW = Date.UTC(2026, 5, 1);

describe('a folder of scan files', () => {
  test('the newest file with a kingdom is used, in any subfolder, ranked by power', async () => {
    put('2026-01-01.csv', FULL, '4001,1,A,90,40,2', '4002,7,G,5,40,2');
    put('deep/er/2026-01-02.csv', FULL, '4001,2,B,50,40,2', '4001,1,A,80,60,3', '4001,3,C,60,0,0');
    const source = await scanFolder(folder);
    expect(source.describe()).toContain('2 kingdoms (4001, 4002)');
    const scan = await source.scan('rok', 4001, NOW);
    expect(scan).toMatchObject({ captured_at: Date.UTC(2026, 0, 2), source: '2026-01-02.csv' });
    expect('rows' in scan && scan.rows.map(({ name, power }) => [name, power])).toEqual([
      ['A', 80],
      ['C', 60],
      ['B', 50],
    ]);
    expect(await source.scan('rok', 4002, NOW)).toMatchObject({ source: '2026-01-01.csv' });
  });

  test('overlapping calls read each new file once', async () => {
    mkdirSync(folder, { recursive: true });
    let at = NOW;
    const read: string[] = [];
    const source = await scanFolder(folder, { now: () => at, onFile: ({ path }) => read.push(path) });
    const names = Array.from({ length: 10 }, (_, index) => `2026-01-0${index}.csv`);
    for (const name of names) put(name, FULL, '4001,1,A,90,40,2');
    // Each reading of the clock is later, as if a listing took longer than it is reused.
    const later = () => {
      at += 3000;
      return source.canScan();
    };
    await Promise.all(Array.from({ length: 8 }, later));
    expect(read).toEqual(names);
  });

  test('a bot’s file may have more kingdoms than an import', async () => {
    const kingdoms = Array.from({ length: 301 }, (_, index) => 4001 + index);
    put('2026-01-01.csv', FULL, ...kingdoms.map((kingdom) => `${kingdom},${kingdom},A,90,40,2`));
    expect((await scanFolder(folder)).describe()).toContain('301 kingdoms');
  });

  test('a kingdom in no file is unknown, with a sentence for the customer', async () => {
    put('2026-01-01.csv', FULL, '4001,1,A,90,40,2');
    const source = await scanFolder(folder);
    expect(await source.scan('rok', 9999, NOW)).toEqual({
      unknown: 'Kingdom 9999 is not among the scans of this bot.',
    });
    expect(await source.scan('cod', 4001, NOW)).toEqual({ unknown: 'Server 4001 is not among the scans of this bot.' });
  });

  test('highest power is taken from the file unchanged, and is empty if the file lacks it', async () => {
    put('2026-01-01.csv', FULL, '4001,1,A,90,40,2', '4002,2,B,300,40,2');
    put('2026-01-02.csv', `${FULL},Highest Power`, '4001,1,A,80,60,3,-', '4001,2,B,70,60,3,500', '4001,3,C,60,60,3,10');
    put('2026-01-03.csv', LISTED, '4003,1,A,10');
    const source = await scanFolder(folder);
    const full = await source.scan('rok', 4001, NOW);
    expect('rows' in full && full.rows.map((row) => row.highest_power)).toEqual([null, 500, 10]);
    const listed = await source.scan('rok', 4003, NOW);
    expect('rows' in listed && listed.rows[0]).toMatchObject({ power: 10, highest_power: null, killpoints: null });
  });

  test('a file without a date has the time of its last write, in whole milliseconds', async () => {
    put('4001.csv', FULL, '4001,1,A,0,40,2');
    utimesSync(join(folder, '4001.csv'), 1_700_000_000.1234, 1_700_000_000.1234);
    const scan = await (await scanFolder(folder)).scan('rok', 4001, NOW);
    expect(scan).toMatchObject({ captured_at: 1_700_000_000_123 });
    // A power of 0 is a figure like others and takes none of them away.
    expect('rows' in scan && scan.rows[0]).toMatchObject({ power: 0, killpoints: 40, killcount_t5: 2 });
  });

  test('each new or changed file is reported with what was read and dropped', async () => {
    let now = NOW;
    const told: string[] = [];
    put('2026-01-01.csv', `${FULL},Mood`, '4001,1,A,90,40,2,fine', '4001,1,B,80,1,0,', '4002,2,C,,3x,0,');
    put('4009.csv', 'Name,Score', 'A,1');
    const source = await scanFolder(folder, { now: () => now, onFile: (file) => told.push(...reportLines(file)) });
    expect(told).toEqual([
      '2026-01-01.csv: Rise of Kingdoms, kingdom 4001, 2026-01-01T00:00Z, 1 rows taken, 2 dropped',
      '  unknown headers: Mood',
      "  1 governor repeated with different figures ('A'): the first line of each counts, 1 other line left out.",
      '  line 3: governor_id: 1 appears twice with different figures: line 2 counts, this one is left out.',
      "  line 4: Kill Points: '3x' is not a number.",
      '  line 4: power: No power of governor 2; the line is left out.',
      '4009.csv: not read. No column of governor ids or lord ids among the headers: Name, Score.',
    ]);
    expect(await source.scan('rok', 4009, now)).toEqual({
      unknown:
        'Kingdom 4009: its file could not be read. No column of governor ids or lord ids among the headers: Name, Score.',
    });
    told.length = 0;
    put('4009.csv', FULL, '4009,1,A,90,40,2');
    now += 5001;
    expect(await source.scan('rok', 4009, now)).toMatchObject({ source: '4009.csv (time of the file)' });
    expect(told).toEqual([expect.stringContaining('4009.csv: Rise of Kingdoms, kingdom 4009')]);
    for (const report of source.reports()) expect(fileReport.safeParse(report).success).toBe(true);
  });

  test('of two files of the same time, the one with intact names is used', async () => {
    const text = `${FULL}\n4001,1,Große Krähe,90,40,2\n`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, '2026-01-01_a.csv'), Buffer.from(text, 'latin1'));
    writeFileSync(join(folder, '2026-01-01_b.csv'), text);
    expect(await (await scanFolder(folder)).scan('rok', 4001, NOW)).toMatchObject({ source: '2026-01-01_b.csv' });
  });

  test('files may appear and vanish, and one without a scan is ignored', async () => {
    let now = NOW;
    put('2026-01-01.csv', FULL, '4001,1,A,90,40,2');
    put('notes.csv', 'Name,Score', 'A,1');
    const source = await scanFolder(folder, { now: () => now });
    expect(source.reports().flatMap(({ path, refused }) => (refused ? [[path, refused]] : []))).toEqual([
      ['notes.csv', expect.stringContaining('No column')],
    ]);
    put('2026-02-01.csv', FULL, '4001,1,A,91,40,2', '4005,2,B,5,40,2');
    expect(await source.scan('rok', 4001, now)).toMatchObject({ source: '2026-01-01.csv' });
    now += 5001;
    expect(await source.scan('rok', 4001, now)).toMatchObject({ source: '2026-02-01.csv' });
    expect(await source.scan('rok', 4005, now)).toMatchObject({ source: '2026-02-01.csv' });
  });

  test('the folder is listed every two seconds, and unchanged files are not read again', async () => {
    let now = NOW;
    const told: string[] = [];
    put('2026-01-01.csv', FULL, '4001,1,A,90,40,2');
    const source = await scanFolder(folder, { now: () => now, onFile: ({ path }) => told.push(path) });
    put('2026-01-02.csv', FULL, '4001,1,A,91,40,2');
    put('notes.md', 'nothing');
    now += 1999;
    expect(await source.scan('rok', 4001, now)).toMatchObject({ source: '2026-01-01.csv' });
    now += 1;
    expect(await source.scan('rok', 4001, now)).toMatchObject({ source: '2026-01-02.csv' });
    expect(told).toEqual(['2026-01-01.csv', '2026-01-02.csv']);
    rmSync(join(folder, '2026-01-02.csv'));
    now += 2000;
    expect(await source.scan('rok', 4001, now)).toMatchObject({ source: '2026-01-01.csv' });
    // The same size, but written later.
    put('2026-01-01.csv', FULL, '4001,1,B,90,40,2');
    utimesSync(join(folder, '2026-01-01.csv'), 1_800_000_000, 1_800_000_000);
    now += 2000;
    const scan = await source.scan('rok', 4001, now);
    expect('rows' in scan && scan.rows[0]?.name).toBe('B');
    expect(told).toEqual(['2026-01-01.csv', '2026-01-02.csv', '2026-01-01.csv']);
  });

  test('the folder is described by its first eight kingdoms', async () => {
    put('2026-01-01.csv', FULL, '4001,1,A,90,40,2');
    expect((await scanFolder(folder)).describe()).toBe(`scan files in ${folder}: 1 kingdom (4001)`);
    put('101_2026-01-01.csv', 'Lord ID,Name,Power', '7,L,9');
    const line = (kingdom: number) => `${kingdom},1,A,90,40,2`;
    put('2026-01-02.csv', FULL, ...[4012, 99, 4003, 4004, 4005, 4006, 4007].map(line));
    expect((await scanFolder(folder)).describe()).toBe(
      `scan files in ${folder}: 8 kingdoms (99, 4001, 4003, 4004, 4005, 4006, 4007, 4012) and 1 server (101)`,
    );
    put('2026-01-03.csv', FULL, line(5000));
    expect((await scanFolder(folder)).describe()).toContain(': 9 kingdoms (99, 4001,');
    expect((await scanFolder(folder)).describe()).toContain('4007, 4012, …) and');
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    expect((await scanFolder(folder)).describe()).toBe(`scan files in ${folder}: none that can be read`);
  });

  test('figures over several days are no scan, and are reported so', async () => {
    put('101_2026-01-02_2026-01-05.csv', 'Character ID,Username,Power,Total Merits', '1,A,9,3');
    const source = await scanFolder(folder);
    expect(source.reports()).toMatchObject([
      { refused: 'Its figures are of no single moment, so bots cannot deliver them.', rows: 0, captured_at: null },
    ]);
    expect(await source.scan('cod', 101, NOW)).toEqual({
      unknown:
        'Server 101: its file could not be read. Its figures are of no single moment, so bots cannot deliver them.',
    });
    expect(source.describe()).toContain('none that can be read');
  });

  test('a report fits the service’s limits, whatever the file contains', async () => {
    const name = `${'n'.repeat(240)}_2026-01-01.csv`;
    const odd = Array.from({ length: 101 }, (_, index) => `odd ${index}`);
    const kingdoms = Array.from({ length: 201 }, (_, index) => 4201 - index);
    const wrong = Array.from({ length: 60 }, () => '4001,,x,1,1,1');
    put(`${'d'.repeat(100)}/${name}`, [FULL, ...odd].join(), ...kingdoms.map((id) => `${id},${id},A,9,0,0`), ...wrong);
    put('empty_2026-01-01.csv', FULL, '4001,,A,9,0,0');
    const source = await scanFolder(folder);
    const [long, empty] = source.reports();
    expect(long?.path).toBe(`${'d'.repeat(100)}/${name}`.slice(-300));
    expect(long?.kingdoms).toEqual(kingdoms.toReversed().slice(0, 200));
    expect(long).toMatchObject({ rows: 201, dropped: 60, problem_count: 60, captured_at: Date.UTC(2026, 0, 1) });
    expect([long?.unknown_headers.length, long?.problems.length]).toEqual([100, 50]);
    expect(empty).toMatchObject({
      refused: 'None of its lines could be taken.',
      captured_at: null,
      rows: 0,
      dropped: 1,
    });
    for (const report of source.reports()) expect(fileReport.safeParse(report).success).toBe(true);
    expect(await source.scan('rok', 4100, NOW)).toMatchObject({ source: name.slice(0, 200) });
  });

  test('of two equal files of the same time, the first by path is used', async () => {
    put('a/2026-01-01.csv', FULL, '4001,1,A,90,40,2');
    put('b/2026-01-01.csv', FULL, '4001,1,B,90,40,2');
    const scan = await (await scanFolder(folder)).scan('rok', 4001, NOW);
    expect('rows' in scan && scan.rows[0]?.name).toBe('A');
  });
});

describe('a file that is being written', () => {
  const settling = (now: () => number, more: FolderOptions = {}) =>
    openFolder(folder, { now, settleMs: 60_000, ...more });
  const age = (path: string, at: number) => utimesSync(join(folder, path), at / 1000, at / 1000);

  test.each([[5000, 5000] as const, [5001, 'all'] as const])('of %d kingdoms counts as %s', async (kingdoms, told) => {
    put('2026-01-01.csv', FULL, ...Array.from({ length: kingdoms }, (_, at) => `${at + 1},${at + 1},A,90,40,2`));
    age('2026-01-01.csv', NOW - 60_000);
    const { rok } = await (await settling(() => NOW)).canScan();
    expect(rok === 'all' ? rok : rok?.length).toBe(told);
  });

  test('is read once its size and time have not changed for a minute', async () => {
    let now = NOW;
    const told: string[] = [];
    put('2026-01-01.csv', FULL, '4001,1,A,90,40,2');
    age('2026-01-01.csv', NOW - 60_000);
    const source = await settling(() => now, {
      onFile: ({ path, refused }) => told.push(`${path} ${refused ? 'waits' : 'taken'}`),
    });
    expect(await source.canScan()).toEqual({ rok: [4001], cod: [] });
    const rows: string[] = [];
    // A scanner that writes a row every half a minute, each time with the whole file.
    for (let row = 1; row <= 6; row++) {
      rows.push(`4002,${row},A,90,40,2`);
      put('2026-01-02.csv', FULL, ...rows);
      now += 30_000;
      expect(await source.canScan()).toEqual({ rok: [4001], cod: [] });
    }
    expect(source.reports()[1]?.refused).toBe(
      'It is being written. It is read once it has stayed the same for 60 seconds.',
    );
    now += 59_999;
    expect(await source.canScan()).toEqual({ rok: [4001], cod: [] });
    now += 2000;
    expect(await source.canScan()).toEqual({ rok: [4001, 4002], cod: [] });
    const scan = await source.scan('rok', 4002, now);
    expect('rows' in scan && scan.rows).toHaveLength(6);
    expect(told).toEqual(['2026-01-01.csv taken', '2026-01-02.csv waits', '2026-01-02.csv taken']);
  });

  test('is not read at the agent’s start either', async () => {
    put('2026-01-01.csv', FULL, '4001,1,A,90,40,2');
    age('2026-01-01.csv', NOW - 59_000);
    expect(await (await settling(() => NOW)).canScan()).toEqual({ rok: [], cod: [] });
    age('2026-01-01.csv', NOW - 60_000);
    expect(await (await settling(() => NOW)).canScan()).toEqual({ rok: [4001], cod: [] });
  });

  test('keeps its earlier content until the new one has settled', async () => {
    let now = NOW;
    put('2026-01-01.csv', FULL, '4001,1,A,90,40,2', '4001,2,B,80,40,2');
    age('2026-01-01.csv', NOW - 60_000);
    const source = await settling(() => now);
    const names = async () => {
      const scan = await source.scan('rok', 4001, now);
      return 'rows' in scan && scan.rows.map(({ name }) => name);
    };
    put('2026-01-01.csv', FULL, '4001,9,C,70,40,2');
    now += 3000;
    expect(await names()).toEqual(['A', 'B']);
    now += 60_000;
    expect(await names()).toEqual(['C']);
  });

  test.each([
    [
      'csv',
      (count: number) =>
        `${FULL}\n${rowsOf(count)
          .map((row) => Object.values(row).join())
          .join('\n')}\n`,
    ],
    ['json', (count: number) => JSON.stringify(rowsOf(count))],
    [
      'jsonl',
      (count: number) =>
        rowsOf(count)
          .map((row) => JSON.stringify(row))
          .join('\n'),
    ],
  ])('truncated anywhere is refused: %s', async (ending, textOf) => {
    const whole = textOf(3);
    for (let length = 1; length < whole.length; length++) {
      const text = whole.slice(0, length);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `kingdom_4001_2026-01-01.${ending}`), text);
      const source = await scanFolder(folder);
      const scan = await source.scan('rok', 4001, NOW);
      // At the end of a csv line or a jsonl object, nothing shows that the file was cut.
      const endsWell = ending === 'csv' ? /(\n|,90,40,2)$/.test(text) : ending === 'jsonl' && /\}\s*$/.test(text);
      if (!endsWell) expect([length, scan]).toEqual([length, { unknown: expect.any(String) }]);
    }
    writeFileSync(join(folder, `kingdom_4001_2026-01-01.${ending}`), whole);
    const scan = await (await scanFolder(folder)).scan('rok', 4001, NOW);
    expect('rows' in scan && scan.rows).toHaveLength(3);
  });

  test('is read without a final line break, because many tools write none', async () => {
    put('kingdom_4001_2026-01-01.csv', FULL, '4001,1,A,90,40,2', '4001,2,B,80,40,2');
    const path = join(folder, 'kingdom_4001_2026-01-01.csv');
    writeFileSync(path, readFileSync(path, 'utf8').trimEnd());
    const scan = await (await scanFolder(folder)).scan('rok', 4001, NOW);
    expect('rows' in scan && scan.rows.map(({ name }) => name)).toEqual(['A', 'B']);
  });

  test('with two sheets of the same kingdom and time is refused', async () => {
    const sheet = [FULL.split(','), ...rowsOf(1).map((row) => Object.values(row))];
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, '2026-01-01.xlsx'), await workbook({ '4001': sheet, 'KD 4001': sheet }));
    const source = await scanFolder(folder);
    expect(await source.scan('rok', 4001, NOW)).toEqual({ unknown: expect.any(String) });
    expect(source.reports?.()).toMatchObject([
      { refused: expect.stringMatching(/^The sheets '4001' and 'KD 4001' are both a scan of kingdom 4001 of/) },
    ]);
  });

  test('truncated anywhere is refused: xlsx', async () => {
    const whole = await workbook({ '4001': [FULL.split(','), ...rowsOf(3).map((row) => Object.values(row))] });
    for (let length = 1; length < whole.length; length += 97) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'kingdom_4001_2026-01-01.xlsx'), whole.subarray(0, length));
      const scan = await (await scanFolder(folder)).scan('rok', 4001, NOW);
      expect([length, scan]).toEqual([length, { unknown: expect.any(String) }]);
    }
    writeFileSync(join(folder, 'kingdom_4001_2026-01-01.xlsx'), whole);
    expect((await (await scanFolder(folder)).canScan()).rok).toEqual([4001]);
  });
});

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    Kingdom: 4001,
    'Governor ID': index + 1,
    'Governor Name': 'A',
    Power: 90,
    'Kill Points': 40,
    'T5 Kills': 2,
  }));

test('a folder that vanishes for a while keeps its read scans, and is reported', async () => {
  let now = NOW;
  const troubles: string[] = [];
  put('2026-01-01.csv', FULL, '4001,1,A,90,40,2');
  const source = await scanFolder(folder, { now: () => now, onTrouble: (text) => troubles.push(text) });
  rmSync(folder, { recursive: true });
  now += 3000;
  expect(await source.canScan()).toEqual({ rok: [4001], cod: [] });
  expect(troubles).toEqual([expect.stringContaining(`The folder ${folder} cannot be read (ENOENT`)]);
  mkdirSync(folder);
  now += 3000;
  expect(await source.canScan()).toEqual({ rok: [], cod: [] });
});

test('a bot with more kingdoms than it may name declares all', async () => {
  put('2026-01-01.csv', FULL, ...Array.from({ length: 5001 }, (_, index) => `${index + 1},1,A,90,40,2`));
  expect((await (await scanFolder(folder)).canScan()).rok).toBe('all');
});
