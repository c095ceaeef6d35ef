import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientOf, signedIn } from '../support/client.ts';
import { csvRows } from '../support/files.ts';
import { type Service, startService } from '../support/service.ts';
import { WAR } from './real-war-figures.ts';

/** Real exports hold real players' names and so are no part of this repository: REAL_SCANS names their folder. */
const folder = process.env.REAL_SCANS ?? '';

const FILES = [
  ['2025-12-05T0001Z_start.csv', 8590],
  ['2025-12-14T0156Z_pass5.csv', 8494],
  ['2026-01-19T1633Z_end.csv', 8163],
] as const;

interface Result {
  governor_id: number;
  dkp: number | null;
  dkp_raw: number | null;
  doubt: string | null;
  since?: number | null;
}

interface Room {
  camp: string;
  governors: Result[];
}

interface Group {
  dkp: number;
  dkp_raw: number;
  left_out: number;
  common: number;
  joined: number;
  gone: number;
  doubted: Record<string, number>;
}

describe.skipIf(!folder)('a real war as an event (skipped unless REAL_SCANS names the folder of real scans)', () => {
  let service: Service;
  let admin: Client;
  let visitor: Client;
  beforeAll(async () => {
    service = await startService({});
    admin = await signedIn(service.address, 'admin', 'admin-muster');
    visitor = clientOf(service.address);
  });
  afterAll(() => service.remove());

  test('three files give exactly the figures computed from them', async () => {
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
    await admin.call('POST', `/v1/admin/events/${id}/publish`);
    for (const [name, rows] of FILES)
      expect(await load(id, join('kvk-c12981', name), `name=${name}`)).toMatchObject({
        rows,
        kingdoms: kingdoms.map(Number),
        problems: [],
      });
    const { diffs } = await dataOf(id);
    const figures = WAR.map(([kingdom]) => diffs.kingdoms[kingdom] as Group);
    expect(figures.map(({ dkp_raw, dkp, left_out }, index) => [kingdoms[index], dkp_raw, dkp, left_out])).toEqual(WAR);
    const sum = (key: 'common' | 'joined' | 'gone') => figures.reduce((total, group) => total + group[key], 0);
    expect([sum('common'), sum('joined'), sum('gone')]).toEqual([6721, 1442, 1869]);

    // Each war room adds up to its kingdom's line, and its rows are the rows of the event.
    for (const [kingdom, dkp_raw, dkp, left_out] of WAR) {
      const room = await visitor.call<Room>('GET', `/v1/dashboards/${id}/kingdoms/${kingdom}`);
      const sum = (of: (row: Result) => number | null) =>
        room.governors.reduce((total, row) => total + (of(row) ?? 0), 0);
      expect(room).toMatchObject({ dkp_raw, dkp, left_out });
      expect([sum((row) => row.dkp_raw), sum((row) => row.dkp)]).toEqual([dkp_raw, dkp]);
      for (const { governor_id, dkp: points } of room.governors)
        expect([governor_id, points]).toEqual([governor_id, diffs.players[governor_id]?.dkp]);
      await recordsEqual(
        id,
        kingdom,
        room,
        sum(() => 1),
      );
    }

    // The page's file has the page's figures for every governor.
    const rows = csvRows(
      new Uint8Array(await (await visitor.send('GET', `/v1/dashboards/${id}/download?type=csv`)).arrayBuffer()),
    );
    expect(rows.length).toBe(6721 + 1442);
    const scored = rows.filter(({ dkp_raw }) => dkp_raw !== '');
    for (const { governor_id: governor = '', dkp, dkp_raw, kingdom } of scored)
      expect([governor, dkp, dkp_raw, kingdom]).toEqual([
        governor,
        String(diffs.players[governor]?.dkp ?? ''),
        String(diffs.players[governor]?.dkp_raw ?? ''),
        diffs.players[governor]?.kingdom,
      ]);
    const summed = (kingdom: string) =>
      rows.filter((row) => row.kingdom === kingdom).reduce((total, { dkp }) => total + Number(dkp), 0);
    expect(kingdoms.map(summed)).toEqual(WAR.map(([, , guarded]) => guarded));
  });

  // A season ended in July: merits restarted, and their newer value is the gain.
  test.each([
    ['BTX', '99', ['2025-07-28', '2025-08-10'], []],
    ['BTX', '99', ['2025-07-02', '2025-07-28'], [99]],
    ['BR', '156', ['2025-06-28', '2025-08-11'], [156]],
  ] as const)('scans of %s at %s, %j, give the results of a few lines of SQL', async (name, server, days, seasons) => {
    const id = await codEvent(name, server, days);
    const { diffs } = await dataOf(id);
    expect(diffs.seasons.merits ?? []).toEqual(seasons);
    const newSeason = seasons.length > 0;
    const merits = newSeason ? 'sum(merits_now)' : 'sum(merits) FILTER (WHERE merits >= 0)';
    const [sums, people, doubted] = [
      `SELECT count(*) AS common, sum(score) FILTER (WHERE NOT doubted) AS dkp, sum(score) AS dkp_raw,
         sum(doubted) FILTER (WHERE score IS NOT NULL) AS left_out, count(*) - count(score) AS unknown,
         sum(dead) FILTER (WHERE dead >= 0) AS units_dead, sum(power) AS power, ${merits} AS merits FROM pairs`,
      `SELECT (SELECT count(*) FROM later WHERE id NOT IN (SELECT id FROM earlier)) AS joined,
         (SELECT count(*) FROM earlier WHERE id NOT IN (SELECT id FROM later)) AS gone`,
      // Within a season merits never fall.
      `SELECT count(*) AS merits FROM pairs WHERE ${newSeason ? 'FALSE' : 'merits < 0'}`,
    ].map((sql) => asked(name, server, days, sql));
    expect(diffs.kingdoms[server]).toMatchObject({ ...sums, ...people, doubted });
  });

  /**
   * Expects the records of a kingdom's first, last and unverified governors to have the figures of the war room's rows.
   */
  async function recordsEqual(id: number, kingdom: string, { camp, governors }: Room, of: number): Promise<void> {
    const unverified = governors.find(({ doubt }) => doubt !== null);
    const asked = [governors[0], governors.findLast(({ dkp }) => dkp !== null), unverified].filter((one) => !!one);
    expect(asked.length).toBe(3);
    for (const { since: _, ...row } of asked) {
      const path = `/v1/dashboards/governors/${row.governor_id}`;
      const { wars } = await visitor.call<{ wars: { dashboard_id: number }[] }>('GET', path);
      const record = wars.find(({ dashboard_id }) => dashboard_id === id);
      expect(record).toMatchObject({ ...row, kingdom, camp, of, event_of: 6721 });
    }
  }

  /** Loads a file as a snapshot of the event. */
  async function load(id: number, file: string, query: string): Promise<unknown> {
    const answer = await fetch(`${service.address}/v1/admin/events/${id}/snapshots?${query}`, {
      method: 'POST',
      body: readFileSync(join(folder, file)),
      headers: { cookie: admin.cookie() },
    });
    return ((await answer.json()) as { data: unknown }).data;
  }

  const dataOf = (id: number) =>
    visitor.call<{
      diffs: {
        kingdoms: Record<string, Group>;
        players: Record<string, { dkp: number | null; dkp_raw: number | null; kingdom: string }>;
        seasons: Record<string, number[]>;
      };
    }>('GET', `/v1/dashboards/${id}/data`);

  /** An event of one server whose alliance was scanned on these days. */
  async function codEvent(name: string, server: string, days: readonly string[]): Promise<number> {
    const { dashboard_id: id } = await admin.call<{ dashboard_id: number }>('POST', '/v1/admin/events', {
      game: 'cod',
      kvk_id: `${name}-${days[0]}`,
      name: `A real season of ${name}`,
      camps: [{ name: 'Fire', kingdoms: [server] }],
      refresh_rate: 60,
      start: `${days[0]}T00:00:00Z`,
      end: '2025-12-31T00:00:00Z',
      weights: { killcount_t4: 10, killcount_t5: 20 },
      gather: false,
    });
    await admin.call('POST', `/v1/admin/events/${id}/publish`);
    for (const day of days)
      expect(await load(id, join('cod', `${name}-${day}.csv`), `captured_at=${day}T12:00:00Z`)).toMatchObject({
        kingdoms: [Number(server)],
      });
    return id;
  }
});

const TIERS = [1, 2, 3, 4, 5].map((tier) => `t${tier}`);

/**
 * The row that SQLite makes of two files: `earlier` and `later` as they are, `pairs` with the gains of governors in
 * both.
 */
function asked(name: string, server: string, days: readonly string[], sql: string): Record<string, unknown> {
  const db = new DatabaseSync(':memory:');
  for (const [place, table] of ['earlier', 'later'].entries()) {
    db.exec(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, power, merits, dead, killed, ${TIERS})`);
    const insert = db.prepare(`INSERT INTO ${table} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    for (const row of csvRows(readFileSync(join(folder, 'cod', `${name}-${days[place]}.csv`)))) {
      // These exports print a zero of these two as '-', which is unknown only if the tiers are '-' too.
      const zero = (key: string) => (key === 'merits' || key === 'units_killed') && row.killcount_t1 !== '-';
      const figure = (key: string) => (row[key] === '-' ? (zero(key) ? 0 : null) : Number(row[key]));
      if (row.home_server === server)
        insert.run(
          ...[
            'lord_id',
            'power',
            'merits',
            'units_dead',
            'units_killed',
            ...TIERS.map((tier) => `killcount_${tier}`),
          ].map(figure),
        );
    }
  }
  const kills = (side: string) => TIERS.map((tier) => `${side}.${tier}`).join(' + ');
  // Tiers of 0 were not read if the kills changed.
  db.exec(`
    CREATE TABLE pairs AS SELECT
      CASE WHEN (${kills('a')} = 0 AND ${kills('b')} = 0 AND a.killed <> b.killed) IS NOT TRUE
        THEN 10 * (b.t4 - a.t4) + 20 * (b.t5 - a.t5) END AS score,
      ${TIERS.map((tier) => `b.${tier} < a.${tier}`).join(' OR ')} OR (${kills('a')} = 0) <> (${kills('b')} = 0) AS doubted,
      b.dead - a.dead AS dead, b.merits - a.merits AS merits, b.merits AS merits_now, b.power - a.power AS power
    FROM earlier a JOIN later b USING (id)`);
  const row = db.prepare(sql).get();
  db.close();
  return { ...row };
}
