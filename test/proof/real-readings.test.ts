import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readScanFile } from '../../scan-files/read.ts';
import { expectSame, independently } from '../support/independently.ts';
import { rowsIn } from '../support/readings.ts';

/** Real exports hold real players' names and so are no part of this repository: REAL_SCANS names their folder. */
const folder = process.env.REAL_SCANS ?? '';
const beside = join(folder, '..', 'other-data');
const files = folder
  ? [folder, beside]
      .filter(existsSync)
      .flatMap((root) => globSync('**/*.{csv,xlsx,json}', { cwd: root }).map((path) => join(root, path)))
  : ['none'];

describe.skipIf(!folder)('real files (skipped unless REAL_SCANS names their folder)', () => {
  test.each(files)('%s: every line is accounted for, every cell equals an independent reading', async (path) => {
    const reading = await readScanFile(basename(path), readFileSync(path));
    const rows = await independently(path);
    expect(reading.lines.read).toBe(rows.length);
    expect(reading.lines.kept + reading.lines.dropped).toBe(rows.length);
    expect(reading.problems.filter(({ dropped }) => dropped)).toHaveLength(reading.lines.dropped);
    expect(reading.unknown_headers).toEqual([]);
    const { game, mapping, scans } = reading;
    for (const stage of new Set(scans.map((scan) => scan.stage))) {
      const headers = mapping.filter((each) => each.column && (each.stage === null || each.stage === stage));
      const read = rowsIn(scans.filter((scan) => scan.stage === stage));
      expect(expectSame(game, rows, headers, read)).toBeGreaterThan(read.length * 3);
    }
  });
});
