import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, dayOf, dayStart, HOUR_MS } from '../../domain/days.ts';
import { type Row, tableOf } from '../../domain/scans/rows.ts';
import { CONFIG, openPlatform } from '../../scripts/admin/platform.ts';
import { build } from '../../scripts/build.ts';
import { migrate } from '../../scripts/migrate.ts';
import { writeSnapshot } from '../../worker/files/parquet.ts';
import { putSnapshot, snapshotKey } from '../../worker/gateways/snapshot-store.ts';
import { recordSnapshot } from '../../worker/models/scans/snapshots.ts';
import { insertUser, signIn } from './crowd.ts';
import { type OwnCopy, openCopy } from './own-copy.ts';

/**
 * Packs the histories of a service that an earlier release filled (PACKED_KINGDOMS=100 for 100,000 governors), while a
 * client reads and workerd is killed in the middle. No read fails, and in the end every answer is whole.
 */

const KINGDOMS = Number(process.env.PACKED_KINGDOMS ?? 10);
const GOVERNORS = 1000;
const DAYS = 90;
const FIRST = 1001;
const KINGDOM_IDS = Array.from({ length: KINGDOMS }, (_, index) => FIRST + index);
const TODAY = dayOf(Date.now());
/** The cron of each minute packs; one more call shortens the wait. */
const CRON = `/cdn-cgi/local/scheduled?cron=${encodeURIComponent('* * * * *')}`;

/** A governor of a kingdom on a day. One in five, by `index`, is inactive. */
function governorOn(kingdom: number, index: number, day: number): Row {
  const played = index % 5 === 0 ? 0 : day * (1 + (index % 9));
  const killcount_t5 = index + played;
  const power = 90_000_000 - index * 50_000 + played;
  return {
    governor_id: kingdom * 10_000 + index,
    name: `Governor ${index}`,
    alliance_tag: `A${index % 9}`,
    home_kingdom: kingdom,
    power,
    highest_power: power,
    ...{ deads: 500 + played, killpoints: killcount_t5 * 20, killcount_t5 },
  };
}

/** SQL of their scans, like the recorded one. ?1 is the kingdom, ?2 their keys and times. */
const EARLIER_SCANS = `
  INSERT INTO snapshots (key, game, kind, kingdom_id, captured_at, source, rows, bytes, quality, version, created_at)
  SELECT one.value ->> 'key', game, kind, kingdom_id, one.value ->> 'captured_at', source, rows,
    one.value ->> 'bytes', quality, 1, created_at
  FROM json_each(?2) one JOIN snapshots ON game = 'rok' AND kingdom_id = ?1`;
const EARLIER_TOTALS = `
  INSERT INTO kingdom_days (game, kingdom_id, day, captured_at, snapshot_id, totals, alliances)
  SELECT known.game, known.kingdom_id, date(scan.captured_at / 1000, 'unixepoch'), scan.captured_at, scan.id,
    known.totals, known.alliances
  FROM kingdom_days known JOIN snapshots scan ON scan.game = known.game AND scan.kingdom_id = known.kingdom_id
    AND scan.captured_at < known.captured_at
  WHERE known.game = 'rok' AND known.kingdom_id = ?1`;

/** Writes scans as releases before packed histories did: their files and rows, but no history. */
async function fill(stateDir: string): Promise<void> {
  const platform = await openPlatform({ remote: false, environment: undefined, stateDir, config: CONFIG });
  try {
    const { db } = platform;
    const { $client: client } = db;
    await migrate(client as never);
    const store = platform.store as unknown as Parameters<typeof putSnapshot>[0];
    const [game, source] = ['rok', 'made up'] as const;
    for (const kingdom_id of KINGDOM_IDS) {
      const earlier: { key: string; captured_at: number; bytes: number }[] = [];
      for (let day = 0; day < DAYS; day++) {
        const captured_at = dayStart(addDays(TODAY, day - DAYS)) + 5 * HOUR_MS;
        const rows = Array.from({ length: GOVERNORS }, (_, index) => governorOn(kingdom_id, index, day));
        const table = tableOf(game, rows);
        const key = snapshotKey({ game, kingdom_id, captured_at, id: `scan-${day}`, version: 1 });
        const file = writeSnapshot(table, { game, kingdom_id, captured_at, source, quality: {} });
        await putSnapshot(store, key, file);
        const about = { key, game, kingdom_id, captured_at, source, rows: GOVERNORS, bytes: file.length } as const;
        if (day + 1 < DAYS) earlier.push(about);
        else await recordSnapshot(db, table, { ...about, quality: {}, item_id: null, version: 1 });
      }
      const told = JSON.stringify(earlier.map(({ key, captured_at, bytes }) => ({ key, captured_at, bytes })));
      await client.batch([
        client.prepare(EARLIER_SCANS).bind(kingdom_id, told),
        client.prepare(EARLIER_TOTALS).bind(kingdom_id),
      ]);
    }
    await client.prepare('UPDATE kingdoms SET packed_at = NULL, digested_at = captured_at').run();
  } finally {
    await platform.close();
  }
}

let copy: OwnCopy;
let cookie: string;
beforeAll(
  async () => {
    await build();
    copy = await openCopy(300, fill);
    await insertUser(copy.runtime, 'reader');
    cookie = await signIn(copy.runtime.address, 'reader');
  },
  120_000 + KINGDOMS * 60_000,
);
afterAll(() => copy?.remove());

const unpacked = () => copy.figure('SELECT count(*) AS n FROM kingdoms WHERE packed_at IS NULL');

/** Addresses of kingdoms' and governors' pages, each of another kingdom than the one before. */
const PATHS = Array.from({ length: 40 }, (_, index) => {
  const kingdom = FIRST + (index % KINGDOMS);
  return index % 4 === 0
    ? `/v1/kingdoms/${kingdom}?game=rok&days=7`
    : `/v1/governors/${kingdom * 10_000 + ((index * 37) % GOVERNORS)}?game=rok&days=7`;
});

/** Returns the status and text of an answer; null if the connection broke. */
const read = (path: string): Promise<string | null> =>
  fetch(copy.runtime.address + path, { headers: { cookie, accept: 'application/json' } }).then(
    async (answer) => `${answer.status} ${await answer.text()}`,
    () => null,
  );

/** Returns what an answer lacks once all is packed, or null. */
function lackOf(path: string, answer: string | null): string | null {
  const { data } = JSON.parse(answer?.slice('200 '.length) ?? '{}') as {
    data: { days?: { day: string; power: number }[]; inactive: unknown[] };
  };
  if (!path.startsWith('/v1/governors/')) return data.inactive.length === 15 ? null : `${path} has ${answer}`;
  const id = Number(path.match(/\d+/g)?.[1]);
  const [kingdom, index] = [Math.floor(id / 10_000), id % 10_000];
  const powers = Array.from({ length: 8 }, (_, at) => governorOn(kingdom, index, DAYS - 8 + at).power);
  const told = data.days?.map(({ power }) => power);
  return JSON.stringify(told) === JSON.stringify(powers) ? null : `${path} has ${told}`;
}

test(
  `${KINGDOMS * GOVERNORS} governors over ${DAYS} days are packed while a client reads and workerd is killed`,
  async () => {
    for (const path of PATHS) expect(await read(path)).toMatch(/^200 /);
    const asked = { answers: 0, broken: 0, others: [] as string[] };
    let isDown = false;
    let isOver = false;
    const client = (async () => {
      for (let turn = 0; !isOver; turn++) {
        const path = PATHS[turn % PATHS.length] as string;
        const wasDown = isDown;
        const answer = await read(path);
        if (answer === null && (wasDown || isDown)) asked.broken += 1;
        else if (answer?.startsWith('200 ')) asked.answers += 1;
        else asked.others.push(`${path} ${answer?.slice(0, 300)}`);
        await sleep(250);
      }
    })();
    const pack = () => fetch(copy.runtime.address + CRON).catch(() => null);
    const left: number[] = [await unpacked()];
    let kills = 0;
    for (let last = left[0] ?? 0; last > 0; last = left.at(-1) ?? 0) {
      const packing = pack();
      if (kills < 2) {
        // In the middle of a kingdom, whose file is then newer than its row, or missing.
        while ((await unpacked()) === last) await sleep(50);
        isDown = true;
        await copy.kill();
        isDown = false;
        kills += 1;
      }
      await packing;
      left.push(await unpacked());
    }
    isOver = true;
    await client;
    // Answers are cached for a minute, so the last ones are of the packed histories only after it.
    await sleep(61_000);
    const lacks: (string | null)[] = [];
    for (const path of PATHS) lacks.push(lackOf(path, await read(path)));
    process.stdout.write(
      `  left after each cron: ${left.join(', ')}; ${asked.answers} answers, ${asked.broken} cut off by ${kills} kills\n`,
    );
    expect(asked.others).toEqual([]);
    expect(lacks.filter((lack) => lack !== null)).toEqual([]);
    expect(kills).toBeGreaterThan(0);
    expect(await copy.verify()).toEqual([]);
  },
  600_000 + KINGDOMS * 60_000,
);
