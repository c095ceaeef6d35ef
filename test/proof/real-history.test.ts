import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS, dayOf } from '../../domain/days.ts';
import { GAMES } from '../../domain/games/games.ts';
import type { Row } from '../../domain/scans/rows.ts';
import { tableOf } from '../../domain/scans/rows.ts';
import { readScanFile } from '../../scan-files/read.ts';
import { migrate } from '../../scripts/migrate.ts';
import { openDb } from '../../worker/db/open.ts';
import { boardPart, readBoardManifest } from '../../worker/gateways/board-store.ts';
import { alliancePage } from '../../worker/models/kingdoms/alliances.ts';
import type { Asked } from '../../worker/models/kingdoms/directory.ts';
import { governorPage } from '../../worker/models/kingdoms/governors.ts';
import { kingdomHistory } from '../../worker/models/kingdoms/histories.ts';
import { kingdomPage } from '../../worker/models/kingdoms/kingdoms.ts';
import { publishDay } from '../../worker/services/boards/publish-boards.ts';
import { governorChanges } from '../../worker/services/kingdoms/show-governor.ts';
import { publishSnapshot } from '../../worker/services/scans/publish-snapshot.ts';
import { checkHistories } from '../../worker/services/service/verify-histories.ts';
import { rowsIn } from '../support/readings.ts';

/** A folder of real exports of other tools. They are not part of this repository, nor is anything that is in them. */
const REAL_SCANS = process.env.REAL_SCANS;

interface Moment {
  captured_at: number;
  rows: Row[];
}

/** The scans of a folder, oldest first. */
async function moments(folder: string): Promise<Moment[]> {
  const files = readdirSync(folder).map((name) => readScanFile(name, readFileSync(join(folder, name))));
  return (await Promise.all(files))
    .map(({ scans }) => ({ captured_at: scans[0]?.captured_at ?? 0, rows: rowsIn(scans) }))
    .sort((a, b) => a.captured_at - b.captured_at);
}

const { roles } = GAMES.rok;
const figure = (row: Row, key: string): number => Number(row[key] ?? 0);
const sum = (rows: readonly Row[], key: string): number => rows.reduce((total, row) => total + figure(row, key), 0);
const ranked = (rows: readonly Row[], key: string): Row[] =>
  rows.toSorted((a, b) => figure(b, key) - figure(a, key) || figure(a, roles.id) - figure(b, roles.id));

describe.skipIf(!REAL_SCANS)('history of real scans (skipped unless REAL_SCANS names their folder)', () => {
  const state = mkdtempSync(join(tmpdir(), 'real-history-'));
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: 'export default {}',
      d1Databases: ['DB'],
      r2Buckets: ['STORE'],
      resourcePersistencePath: state,
    }),
  );
  // Miniflare's stores are the platform's own, under the names of another package of types.
  let db: ReturnType<typeof openDb>;
  let store: Parameters<typeof publishDay>[1];

  beforeAll(async () => {
    const d1 = await miniflare.getD1Database('DB');
    await migrate(d1);
    db = openDb({ DB: d1 as never });
    store = (await miniflare.getR2Bucket('STORE')) as never;
  });

  afterAll(async () => {
    await miniflare.dispose();
    rmSync(state, { recursive: true, force: true });
  });

  for (const [folder, kingdoms, dates] of [
    ['kingdoms-4025-4028', [4025, 4026, 4027, 4028], 3],
    ['hero-scrolls', [3584], 5],
  ] as const)
    test(`${folder}: days, changes, totals and board are the files' own`, async () => {
      const scans = await moments(join(REAL_SCANS ?? '', folder));
      expect(scans).toHaveLength(dates);
      for (const { captured_at, rows } of scans)
        for (const kingdom of kingdoms)
          await publishSnapshot(db, store, tableOf('rok', ofKingdom(rows, kingdom)), {
            kingdom_id: kingdom,
            captured_at,
            source: folder,
            id: folder,
            item_id: null,
            version: 1,
          });
      for (const kingdom of kingdoms) await checkKingdom(kingdom, scans);
      const last = scans.at(-1) as Moment;
      await checkBoard(last, kingdoms);
    }, 300_000);

  test.each([
    ['kvk-c12981', 36],
    ['cod', 8],
    ['roktracker', 2],
  ])(
    '%s: every day of the packed histories and the newest rows are those of the files',
    async (folder, count) => {
      const files = readdirSync(join(REAL_SCANS ?? '', folder)).filter((name) => name.endsWith('.csv'));
      const read = await Promise.all(
        files.map((name) => readScanFile(name, readFileSync(join(REAL_SCANS ?? '', folder, name)))),
      );
      // One file has no time, and one is another writing of the same scan.
      const dated = read.flatMap(({ scans }) => scans).filter(({ captured_at }) => captured_at !== null);
      const scans = [...new Map(dated.map((scan) => [`${scan.kingdom_id} ${scan.captured_at}`, scan])).values()].sort(
        (a, b) => Number(a.captured_at) - Number(b.captured_at),
      );
      expect(scans).toHaveLength(count);
      for (const [index, { table, kingdom_id, captured_at }] of scans.entries())
        await publishSnapshot(db, store, table, {
          ...{ kingdom_id: Number(kingdom_id), captured_at: Number(captured_at), source: folder },
          ...{ id: `${folder}-${index}`, item_id: null, version: 1 },
        });
      const now = Number(scans.at(-1)?.captured_at) + DAY_MS;
      const told: string[] = [];
      for await (const { flaws, unread } of checkHistories(db, store, { all: true }, now))
        told.push(...flaws, ...unread);
      expect(told).toEqual([]);
      const newest = new Map<number, Row>();
      for (const { table } of scans)
        for (const row of rowsIn([{ table, lines: Array.from({ length: table.count }, (_, at) => at) } as never]))
          newest.set(figure(row, GAMES[table.game].roles.id), row);
      const { game } = scans[0]?.table ?? { game: 'rok' };
      for (const [id, row] of [...newest].filter((_, index) => index % 50 === 0)) {
        const page = await governorPage(db, store, game, id, 90);
        const shown = Object.entries(row).filter(([, value]) => value !== null && value !== '');
        expect(page?.row).toMatchObject(Object.fromEntries(shown));
      }
    },
    300_000,
  );

  const ofKingdom = (rows: readonly Row[], kingdom: number) => rows.filter((row) => row[roles.kingdom] === kingdom);

  async function checkKingdom(kingdom: number, scans: readonly Moment[]): Promise<void> {
    const asked = { game: 'rok', kingdom_id: kingdom } as const;
    expect(await kingdomHistory(db, store, asked)).not.toBe(null);
    const page = await kingdomPage(db, store, 'rok', kingdom, 90);
    const expected = scans.map(({ captured_at, rows }) => {
      const own = ranked(ofKingdom(rows, kingdom), roles.power);
      // With fewer governors it would be another sum.
      const strongest = (count: number) => (own.length < count ? null : sum(own.slice(0, count), roles.power));
      return {
        day: dayOf(captured_at),
        total_power: sum(own, roles.power),
        top100_power: strongest(100),
        top300_power: strongest(300),
        top600_power: strongest(600),
        total_score: sum(own, roles.score),
        player_count: own.length,
        // A governor with a score of 0 may be one whose score was not read.
        score_count: expect.toSatisfy(
          (count: number) => count <= own.length && count >= own.filter((row) => figure(row, roles.score) > 0).length,
        ),
      };
    });
    expect(page?.chart).toEqual(expected);
    await checkAlliances(asked, page?.alliances ?? [], scans);
    const newest = ranked(ofKingdom(scans.at(-1)?.rows ?? [], kingdom), roles.power);
    expect(page?.players.map(({ id, score }) => [id, score])).toEqual(
      newest.slice(0, 15).map((row) => [row[roles.id], row[roles.power]]),
    );
    // Every fiftieth governor, because each has a page to request.
    for (const row of newest.filter((_, rank) => rank % 50 === 0)) await checkGovernor(figure(row, roles.id), scans);
  }

  /** The members of an alliance are those of the newest file. Some readers write no tag as a dash or leave it out. */
  async function checkAlliances(asked: Asked, shown: readonly { tag: string }[], scans: readonly Moment[]) {
    const newest = ofKingdom(scans.at(-1)?.rows ?? [], asked.kingdom_id);
    for (const { tag } of shown) {
      const page = await alliancePage(db, store, asked, tag);
      const own = ranked(
        newest.filter((row) => row[roles.tag] === tag),
        roles.power,
      );
      expect(page?.members.map(({ id, power }) => [id, power])).toEqual(
        own.slice(0, page?.members.length).map((row) => [row[roles.id], row[roles.power]]),
      );
      expect(page?.member_count).toBe(own.length);
    }
  }

  async function checkGovernor(id: number, scans: readonly Moment[]): Promise<void> {
    const seen = scans.flatMap(({ captured_at, rows }) => {
      const row = rows.find((one) => one[roles.id] === id);
      return row ? [{ captured_at, row }] : [];
    });
    const page = await governorPage(db, store, 'rok', id, 90);
    if (!page) throw new Error(`governor ${id} has no page`);
    expect(page.days.map(({ day, power, score, deads }) => [day, power, score, deads])).toEqual(
      seen.map(({ captured_at, row }) => [dayOf(captured_at), row[roles.power], row[roles.score], row[roles.deads]]),
    );
    const newest = seen.at(-1)?.captured_at ?? 0;
    const week = seen.filter(({ captured_at }) => newest - captured_at < 7 * 86_400_000);
    const changed = (await governorChanges(store, page)).flatMap(({ changes }) => changes);
    const [before, after] = week.slice(-2);
    if (!before || !after) return;
    const powers = changed.filter(({ field }) => field === roles.power);
    if (before.row[roles.power] !== after.row[roles.power])
      expect(powers[0]).toEqual({ field: roles.power, old: before.row[roles.power], value: after.row[roles.power] });
  }

  async function checkBoard({ captured_at, rows }: Moment, kingdoms: readonly number[]): Promise<void> {
    const day = dayOf(captured_at);
    await publishDay(db, store, 'rok', day, Date.now());
    const { manifest } = await readBoardManifest(store);
    const own = new Set(kingdoms);
    for (const [board, key] of [
      ['governor-power', roles.power],
      ['governor-score', roles.score],
    ] as const) {
      const version = manifest.rok.days[day]?.boards[board]?.version ?? '';
      const bytes = await boardPart(store, { game: 'rok', board, day, version }, 'all');
      const { data } = JSON.parse(gunzipSync(bytes ?? new ArrayBuffer(0)).toString());
      const shown = (data.rankings as { kingdom_id: number; governor_id: number }[]).filter((row) =>
        own.has(row.kingdom_id),
      );
      const newest = new Set(rows.map((row) => row[roles.id]));
      // Governors added from an earlier, deeper scan come below; they are not in this file.
      expect(shown.map(({ governor_id }) => governor_id).filter((id) => newest.has(id))).toEqual(
        ranked(
          rows.filter((row) => own.has(figure(row, roles.kingdom)) && figure(row, key) > 0),
          key,
        ).map((row) => row[roles.id]),
      );
    }
  }
});
