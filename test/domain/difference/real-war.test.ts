import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { differenceOf, gainsOf, knownGains, scorable } from '../../../domain/difference/difference.ts';
import { scoresOf } from '../../../domain/difference/scoring.ts';
import { kingdomGroups, sumsOf } from '../../../domain/difference/sums.ts';
import { type Table, tableOf } from '../../../domain/scans/rows.ts';
import { readScanFile } from '../../../scan-files/read.ts';
import { rowsIn } from '../../support/readings.ts';

/** Real exports hold real players' names and so are no part of this repository: REAL_SCANS names their folder. */
const folder = process.env.REAL_SCANS ?? '';

async function read(path: string): Promise<Table> {
  const { game, scans } = await readScanFile(path, readFileSync(join(folder, path)));
  return tableOf(game, rowsIn(scans));
}

/** Kingdom, raw, guarded, left out: 10·ΔT4 + 20·ΔT5 from start to end, computed from the files by other means. */
const WAR: [number, number, number, number][] = [
  [1206, 30_109_078_020, 31_491_813_840, 48],
  [1305, 3_862_147_390, 3_315_534_160, 3],
  [1393, -144_370_389_770, 40_867_104_700, 44],
  [1486, 39_027_535_720, 39_052_623_690, 13],
  [1689, 51_601_066_290, 52_282_394_080, 22],
  [2238, 4_433_587_740, 4_569_697_060, 5],
  [2334, 14_111_799_610, 14_229_612_580, 3],
  [2620, 1_387_821_770, 4_586_043_290, 3],
  [2877, 13_514_464_210, 13_644_543_690, 25],
  [3155, -39_208_776_410, 24_767_031_350, 51],
  [3253, 6_000_971_250, 6_739_142_490, 15],
  [3530, -3_350_934_260, 5_150_142_890, 25],
];

describe.skipIf(!folder)('real scans (skipped unless REAL_SCANS names their folder)', () => {
  test('a real war of twelve kingdoms has its known sums, to the unit', async () => {
    const difference = differenceOf(
      await read('kvk-c12981/2025-12-05T0001Z_start.csv'),
      await read('kvk-c12981/2026-01-19T1633Z_end.csv'),
    );
    expect(difference.rows).toMatchObject({ common: 6721, joined: 1442, gone: 1869 });
    const scores = scoresOf(scorable(difference), { weights: { killcount_t4: 10, killcount_t5: 20 } }, (key) =>
      knownGains(difference, key),
    );
    const kingdoms = WAR.map(([kingdom]) => kingdom);
    const sums = sumsOf(difference.rows, new Map(), scores, kingdomGroups(difference, 'home_kingdom', kingdoms));
    expect(sums.map(({ dkp_raw, dkp, left_out }, index) => [kingdoms[index], dkp_raw, dkp, left_out])).toEqual(WAR);
    const all = (of: (sum: (typeof sums)[number]) => number | null) =>
      sums.reduce((total, sum) => total + (of(sum) ?? 0), 0);
    expect([all((sum) => sum.dkp_raw), all((sum) => sum.dkp), all((sum) => sum.left_out)]).toEqual([
      -22_881_628_440, 240_695_683_820, 257,
    ]);
  });

  test.each([
    ['cod/BTX-2025-07-02.csv', 'cod/BTX-2025-07-28.csv', true],
    ['cod/BTX-2025-07-28.csv', 'cod/BTX-2025-08-10.csv', false],
    ['cod/BR-2025-06-28.csv', 'cod/BR-2025-08-11.csv', true],
  ])('from %s to %s merits begin again: %s', async (earlier, later, restarted) => {
    const difference = differenceOf(await read(earlier), await read(later));
    expect([...(difference.seasons.get('merits') ?? [])].length > 0).toBe(restarted);
    const { raw, doubts } = gainsOf(difference, 'merits');
    const minus = raw.filter((gain, row) => gain < 0 && doubts[row] === 0);
    expect([...minus]).toEqual([]);
  });
});
