import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { fileReport } from '../../domain/scans/file-report.ts';
import { reportLines } from '../../domain/scans/report-lines.ts';
import { scanFolder } from '../../fleet/sources/scan-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'scans-'));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => rmSync(folder, { recursive: true }));

function put(path: string, ...lines: string[]): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), lines.join('\n'));
}

const FULL = 'Kingdom,Governor ID,Governor Name,Power,Kill Points,T5 Kills';
const LISTED = 'Kingdom,Governor ID,Governor Name,Power';
const NOW = Date.UTC(2026, 5, 1);

describe('a folder of scan files', () => {
  test('the newest file that holds a kingdom wins, ranked by power, wherever it lies', async () => {
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

  test('a kingdom that no file holds is unknown, in a sentence for the customer', async () => {
    put('2026-01-01.csv', FULL, '4001,1,A,90,40,2');
    const source = await scanFolder(folder);
    expect(await source.scan('rok', 9999, NOW)).toEqual({
      unknown: 'Kingdom 9999 is not among the scans of this bot.',
    });
    expect(await source.scan('cod', 4001, NOW)).toEqual({ unknown: 'Server 4001 is not among the scans of this bot.' });
  });

  test('highest power is the file’s own: what is not in the file stays empty, what is stays as it is', async () => {
    put('2026-01-01.csv', FULL, '4001,1,A,90,40,2', '4002,2,B,300,40,2');
    put('2026-01-02.csv', `${FULL},Highest Power`, '4001,1,A,80,60,3,-', '4001,2,B,70,60,3,500', '4001,3,C,60,60,3,10');
    put('2026-01-03.csv', LISTED, '4003,1,A,10');
    const source = await scanFolder(folder);
    const full = await source.scan('rok', 4001, NOW);
    expect('rows' in full && full.rows.map((row) => row.highest_power)).toEqual([null, 500, 10]);
    const listed = await source.scan('rok', 4003, NOW);
    expect('rows' in listed && listed.rows[0]).toMatchObject({ power: 10, highest_power: null, killpoints: null });
  });

  test('a file that nothing dates was taken when it was written, in whole milliseconds', async () => {
    put('4001.csv', FULL, '4001,1,A,0,40,2');
    utimesSync(join(folder, '4001.csv'), 1_700_000_000.1234, 1_700_000_000.1234);
    const scan = await (await scanFolder(folder)).scan('rok', 4001, NOW);
    expect(scan).toMatchObject({ captured_at: 1_700_000_000_123 });
    // A power of 0 is a figure like others and takes none of them away.
    expect('rows' in scan && scan.rows[0]).toMatchObject({ power: 0, killpoints: 40, killcount_t5: 2 });
  });

  test('what was taken of each file and what was not is told when it comes and when it changes', async () => {
    let now = NOW;
    const told: string[] = [];
    put('2026-01-01.csv', `${FULL},Mood`, '4001,1,A,90,40,2,fine', '4001,1,B,80,1,0,', '4002,2,C,,3x,0,');
    put('4009.csv', 'Name,Score', 'A,1');
    const source = await scanFolder(folder, { now: () => now, onFile: (file) => told.push(...reportLines(file)) });
    expect(told).toEqual([
      '2026-01-01.csv: Rise of Kingdoms, kingdom 4001, 2026-01-01T00:00Z, 1 rows taken, 2 dropped',
      '  unknown headers: Mood',
      '  line 3: governor_id: 1 appears twice: line 2 counts, this one is left out.',
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
    expect(await source.scan('rok', 4009, now)).toMatchObject({ source: '4009.csv' });
    expect(told).toEqual([expect.stringContaining('4009.csv: Rise of Kingdoms, kingdom 4009')]);
    for (const report of source.reports()) expect(fileReport.safeParse(report).success).toBe(true);
  });

  test('of two files of the same moment the one with whole names wins', async () => {
    const text = `${FULL}\n4001,1,Große Krähe,90,40,2\n`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, '2026-01-01_a.csv'), Buffer.from(text, 'latin1'));
    writeFileSync(join(folder, '2026-01-01_b.csv'), text);
    expect(await (await scanFolder(folder)).scan('rok', 4001, NOW)).toMatchObject({ source: '2026-01-01_b.csv' });
  });

  test('files come and go, and one that holds no scan does no harm', async () => {
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
});
