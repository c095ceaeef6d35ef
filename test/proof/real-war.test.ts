import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientOf, signedIn } from '../support/client.ts';
import { type Service, startService } from '../support/service.ts';

/** Real exports hold real players' names and so are no part of this repository: REAL_SCANS names their folder. */
const folder = process.env.REAL_SCANS ?? '';

const FILES = [
  ['2025-12-05T0001Z_start.csv', 8590],
  ['2025-12-14T0156Z_pass5.csv', 8494],
  ['2026-01-19T1633Z_end.csv', 8163],
] as const;

/** Kingdom, raw, guarded, left out: 10·ΔT4 + 20·ΔT5 from start to end, computed from the files by other means. */
const WAR: [string, number, number, number][] = [
  ['1206', 30_109_078_020, 31_491_813_840, 48],
  ['1305', 3_862_147_390, 3_315_534_160, 3],
  ['1393', -144_370_389_770, 40_867_104_700, 44],
  ['1486', 39_027_535_720, 39_052_623_690, 13],
  ['1689', 51_601_066_290, 52_282_394_080, 22],
  ['2238', 4_433_587_740, 4_569_697_060, 5],
  ['2334', 14_111_799_610, 14_229_612_580, 3],
  ['2620', 1_387_821_770, 4_586_043_290, 3],
  ['2877', 13_514_464_210, 13_644_543_690, 25],
  ['3155', -39_208_776_410, 24_767_031_350, 51],
  ['3253', 6_000_971_250, 6_739_142_490, 15],
  ['3530', -3_350_934_260, 5_150_142_890, 25],
];

interface Group {
  dkp: number;
  dkp_raw: number;
  left_out: number;
  common: number;
  joined: number;
  gone: number;
}

describe.skipIf(!folder)('a real war as an event (skipped unless REAL_SCANS names the folder of real scans)', () => {
  let service: Service;
  let admin: Client;
  beforeAll(async () => {
    service = await startService({});
    admin = await signedIn(service.address, 'admin', 'admin-muster');
  });
  afterAll(() => service.remove());

  test('three files give, to the unit, what their figures say', async () => {
    const kingdoms = WAR.map(([kingdom]) => kingdom);
    const { dashboard_id: id } = await admin.call<{ dashboard_id: number }>('POST', '/v1/admin/events', {
      game: 'rok',
      kvk_id: 'C12981',
      name: 'A real war',
      camps: ['Fire', 'Earth', 'Water', 'Wind'].map((name, camp) => ({
        name,
        kingdoms: kingdoms.slice(camp * 3, camp * 3 + 3),
      })),
      refresh_rate: 60,
      start: '2025-12-05T00:00:00Z',
      end: '2026-01-20T00:00:00Z',
      weights: { killcount_t4: 10, killcount_t5: 20 },
      gather: false,
    });
    for (const [name, rows] of FILES) {
      const answer = await fetch(`${service.address}/v1/admin/events/${id}/snapshots?name=${name}`, {
        method: 'POST',
        body: readFileSync(join(folder, 'kvk-c12981', name)),
        headers: { cookie: admin.cookie() },
      });
      expect(await answer.json()).toMatchObject({ data: { rows, kingdoms: kingdoms.map(Number), problems: [] } });
    }
    const { diffs } = await clientOf(service.address).call<{ diffs: { kingdoms: Record<string, Group> } }>(
      'GET',
      `/v1/dashboards/${id}/data`,
    );
    const figures = WAR.map(([kingdom]) => diffs.kingdoms[kingdom] as Group);
    expect(figures.map(({ dkp_raw, dkp, left_out }, index) => [kingdoms[index], dkp_raw, dkp, left_out])).toEqual(WAR);
    const sum = (key: keyof Group) => figures.reduce((total, group) => total + group[key], 0);
    expect([sum('common'), sum('joined'), sum('gone')]).toEqual([6721, 1442, 1869]);
  });
});
