import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GAMES } from '../../domain/games/games.ts';
import { countQualities, killPoints, qualitiesOf, verdictsOf } from '../../domain/scans/quality.ts';
import { type Row, tableOf } from '../../domain/scans/rows.ts';
import { scanFolder } from '../../fleet/sources/scan-folder.ts';
import { readScanFile } from '../../scan-files/read.ts';
import { rowsIn } from '../support/readings.ts';

/** Real exports hold real players' names and so are no part of this repository: REAL_SCANS names their folder. */
const folder = process.env.REAL_SCANS ?? '';

async function read(path: string) {
  const reading = await readScanFile(basename(path), readFileSync(join(folder, path)));
  return { ...reading, rows: rowsIn(reading.scans), captured_at: reading.scans[0]?.captured_at ?? 0 };
}

/** Path, tool, game, rows, moment. */
const FILES: [string, string, string, number, string][] = [
  ['hero-scrolls/kingdom_3584_2025-12-17T2021Z.xlsx', 'Hero Scrolls', 'rok', 205, '2025-12-17T20:21'],
  ['hero-scrolls/kingdom_3584_2025-12-25T0655Z.xlsx', 'Hero Scrolls', 'rok', 204, '2025-12-25T06:55'],
  ['hero-scrolls/kingdom_3584_2026-01-02T0951Z.xlsx', 'Hero Scrolls', 'rok', 205, '2026-01-02T09:51'],
  ['hero-scrolls/kingdom_3584_2026-01-03T1246Z.xlsx', 'Hero Scrolls', 'rok', 205, '2026-01-03T12:46'],
  ['hero-scrolls/kingdom_3584_2026-01-05T0044Z.xlsx', 'Hero Scrolls', 'rok', 206, '2026-01-05T00:44'],
  ['roktracker/1599_2024-11-20.csv', 'RokTracker v3–v4', 'rok', 50, '2024-11-20T00:00'],
  ['roktracker/1599_2024-11-20.xlsx', 'RokTracker v3–v4', 'rok', 50, '2024-11-20T00:00'],
  ['roktracker/1599_2024-12-04.csv', 'RokTracker v3–v4', 'rok', 96, '2024-12-04T00:00'],
  ['roktracker/1599_2024-12-04.xlsx', 'RokTracker v3–v4', 'rok', 96, '2024-12-04T00:00'],
  ['roktracker/1599_2024-12-04_cp1252.csv', 'RokTracker v3–v4', 'rok', 96, '2024-12-04T00:00'],
  ['cod/BR-2025-06-28.csv', 'Call of Dragons', 'cod', 599, '2025-06-28T00:00'],
  ['cod/BR-2025-08-11.csv', 'Call of Dragons', 'cod', 599, '2025-08-11T00:00'],
  ['cod/BTX-2025-07-02.csv', 'Call of Dragons', 'cod', 600, '2025-07-02T00:00'],
  ['cod/BTX-2025-07-28.csv', 'Call of Dragons', 'cod', 600, '2025-07-28T00:00'],
  ['cod/BTX-2025-08-10.csv', 'Call of Dragons', 'cod', 600, '2025-08-10T00:00'],
  // One of its 600 lines has nothing but an id, a name and dashes.
  ['cod/Echo-2025-08-10.csv', 'Call of Dragons', 'cod', 599, '2025-08-10T00:00'],
  ['cod/human_variant_excerpt.csv', 'Call of Dragons, titles', 'cod', 3, '1970-01-01T00:00'],
  ['kvk-c12981/2025-12-05T0001Z_start.csv', 'Hero Scrolls', 'rok', 8590, '2025-12-05T00:01'],
  ['kvk-c12981/2025-12-14T0156Z_pass5.csv', 'Hero Scrolls', 'rok', 8494, '2025-12-14T01:56'],
  ['kvk-c12981/2026-01-19T1633Z_end.csv', 'Hero Scrolls', 'rok', 8163, '2026-01-19T16:33'],
  ['kingdoms-4025-4028/2026-02-11T0008Z.csv', 'Hero Scrolls', 'rok', 4000, '2026-02-11T00:08'],
  ['kingdoms-4025-4028/2026-02-18T1900Z.csv', 'Hero Scrolls', 'rok', 4000, '2026-02-18T19:00'],
  ['kingdoms-4025-4028/2026-03-01T1526Z.csv', 'Hero Scrolls', 'rok', 4000, '2026-03-01T15:26'],
];

const identity = (row: Row): boolean =>
  row.killpoints ===
  killPoints(
    GAMES.rok.roles.tiers.map((tier) => Number(row[tier])),
    GAMES.rok.killPoints ?? [],
  );

describe.skipIf(!folder)('real scan files (skipped unless REAL_SCANS names their folder)', () => {
  test.each(FILES)('%s is %s', async (path, dialect, game, rows, moment) => {
    const scan = await read(path);
    expect([scan.dialect, scan.game, scan.rows.length]).toEqual([dialect, game, rows]);
    expect(new Date(scan.captured_at).toISOString().slice(0, 16)).toBe(moment);
    // Their only problem: Call of Dragons lords without server or figures, who are dropped.
    expect(scan.problems.filter(({ column }) => column !== 'home_server' && column !== 'power')).toEqual([]);
    expect(scan.problems.length).toBeLessThanOrEqual(1);
  });

  test('kill points follow from the kills in every row of Hero Scrolls workbooks', async () => {
    const files = FILES.filter(([path]) => path.startsWith('hero-scrolls/')).map(([path]) => read(path));
    const rows = (await Promise.all(files)).flatMap((file) => file.rows);
    expect([rows.length, rows.filter(identity).length]).toEqual([1025, 1025]);
  });

  test('a counter lowered by hand is found with its figure, and no other row is marked', async () => {
    const [then, now] = await Promise.all(
      ['kingdom_3584_2025-12-17T2021Z.xlsx', 'kingdom_3584_2025-12-25T0655Z.xlsx'].map((name) =>
        read(`hero-scrolls/${name}`),
      ),
    );
    if (!then || !now) throw new Error('two files expected');
    const before = new Map(then.rows.map((row) => [row.governor_id, row]));
    expect(countQualities(verdictsOf(tableOf('rok', now.rows), tableOf('rok', then.rows)))).toEqual({
      ok: now.rows.length,
    });
    const both = now.rows.filter(({ governor_id }) => before.has(governor_id ?? null));
    expect(both.length).toBeGreaterThan(150);
    const bends: [string, string, (row: Row, old: Row) => Row][] = [
      ['deads', 'deads', (row, old) => ({ ...row, deads: Number(old.deads) - 1 })],
      ['helps_given', 'helps_given', (row, old) => ({ ...row, helps_given: Number(old.helps_given) - 1 })],
      // Kills that are one lower, with the points that follow from them.
      [
        'score tiers',
        'killcount_t5',
        (row, old) => ({
          ...row,
          killcount_t5: Number(old.killcount_t5) - 1,
          killpoints: Number(row.killpoints) - 20 * (Number(row.killcount_t5) - Number(old.killcount_t5) + 1),
        }),
      ],
    ];
    for (const [doubted, key, bend] of bends)
      for (const each of both.filter((row) => Number(before.get(row.governor_id ?? null)?.[key]) > 0).slice(0, 25)) {
        const bent = now.rows.map((row) =>
          row === each ? bend(row, before.get(row.governor_id ?? null) as Row) : row,
        );
        const verdicts = verdictsOf(tableOf('rok', bent), tableOf('rok', then.rows));
        const marked = verdicts.flatMap(({ quality, doubted: figures }, at) =>
          quality === 'ok' ? [] : [[at, quality, figures]],
        );
        const at = now.rows.indexOf(each);
        expect(marked.map(([row, quality]) => [row, quality])).toEqual([[at, 'counter_fell']]);
        const figures = verdicts[at]?.doubted ?? [];
        // Points fall below earlier ones only if the other tiers gained no more.
        expect(doubted.split(' ')).toEqual(expect.arrayContaining([...figures]));
        expect(figures.length).toBeGreaterThan(0);
      }
  });

  test('in large scans nearly all rows that break the rule were misread', async () => {
    const table = tableOf('rok', (await read('kvk-c12981/2025-12-05T0001Z_start.csv')).rows);
    const broken = qualitiesOf(table).filter((quality) => quality === 'identity_broken').length;
    expect(broken / table.count).toBeLessThan(0.01);
  });

  test('csv and xlsx of one RokTracker scan agree, and the cp1252 file differs in names only', async () => {
    const [csv, xlsx, page] = await Promise.all(
      ['1599_2024-12-04.csv', '1599_2024-12-04.xlsx', '1599_2024-12-04_cp1252.csv'].map((name) =>
        read(`roktracker/${name}`),
      ),
    );
    const bare = (rows: Row[] = []) => rows.map(({ name, alliance_tag, alliance_name, ...figures }) => figures);
    expect(bare(xlsx?.rows)).toEqual(bare(csv?.rows));
    expect(bare(page?.rows)).toEqual(bare(csv?.rows));
    expect([csv?.utf8, page?.utf8]).toEqual([true, false]);
  });

  test('titles of Call of Dragons read Current Power as the power', async () => {
    const { rows } = await read('cod/human_variant_excerpt.csv');
    for (const row of rows) expect(Number(row.highest_power)).toBeGreaterThanOrEqual(Number(row.power));
    expect(rows.map(({ power }) => power)).toEqual([281210223, 100946265, 85812183]);
  });

  test('the folder of real scans is a source of eighteen kingdoms and five servers', async () => {
    const source = await scanFolder(folder);
    expect(source.reports().filter(({ refused }) => refused !== null)).toEqual([]);
    expect(source.describe()).toMatch(/18 kingdoms .* and 5 servers/);
    const scan = await source.scan('rok', 3584, Date.now());
    expect(scan).toMatchObject({ captured_at: Date.UTC(2026, 0, 5, 0, 44) });
    expect('rows' in scan && scan.rows.length).toBe(206);
  });
});
