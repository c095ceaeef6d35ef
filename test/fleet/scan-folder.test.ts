import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
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

  test('highest power: the file’s own, else the highest seen of the governor, and none where no profile was read', async () => {
    put('2026-01-01.csv', FULL, '4001,1,A,90,40,2', '4002,2,B,300,40,2');
    put('2026-01-02.csv', `${FULL},Highest Power`, '4001,1,A,80,60,3,', '4001,2,B,70,60,3,500', '4001,3,C,60,60,3,10');
    put('2026-01-03.csv', LISTED, '4003,1,A,10');
    const source = await scanFolder(folder);
    const full = await source.scan('rok', 4001, NOW);
    expect('rows' in full && full.rows.map((row) => row.highest_power)).toEqual([90, 500, 60]);
    const listed = await source.scan('rok', 4003, NOW);
    expect('rows' in listed && listed.rows[0]).not.toHaveProperty('highest_power');
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
    const source = await scanFolder(folder, () => now);
    expect(source.unreadable()).toEqual([{ path: 'notes.csv', reason: expect.stringContaining('No column') }]);
    put('2026-02-01.csv', FULL, '4001,1,A,91,40,2', '4005,2,B,5,40,2');
    expect(await source.scan('rok', 4001, now)).toMatchObject({ source: '2026-01-01.csv' });
    now += 5001;
    expect(await source.scan('rok', 4001, now)).toMatchObject({ source: '2026-02-01.csv' });
    expect(await source.scan('rok', 4005, now)).toMatchObject({ source: '2026-02-01.csv' });
  });
});
