import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays, dayOf, dayStart, HOUR_MS } from '../../domain/days.ts';
import type { Row } from '../../domain/scans/rows.ts';
import { build } from '../../scripts/build.ts';
import { migrate } from '../../scripts/migrate.ts';
import { ROOT } from '../../scripts/settings.ts';
import { insertUser, signIn } from './crowd.ts';
import { type OwnCopy, openCopy, type Release } from './own-copy.ts';
import { checkOutBefore, commitBefore, type ReleaseBefore } from './release-before.ts';

/**
 * Updates a service that the release before the newest migration filled and serves (PACKED_KINGDOMS=100 for 100,000
 * governors over 90 days): its database is migrated, this release replaces it and packs all histories. A client reads
 * all the time, and workerd is killed during the migration and the packing. No read fails, and in the end every answer
 * is whole.
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

async function releaseOf({ load }: Pick<ReleaseBefore, 'load'>): Promise<Release> {
  const { openRuntime } = await load<typeof import('../../scripts/runtime.ts')>('scripts/runtime.ts');
  const { migrate } = await load<typeof import('../../scripts/migrate.ts')>('scripts/migrate.ts');
  return { openRuntime, migrate };
}

/** Writes scans with the code of the release before, their files and rows without a history. */
async function fill({ load }: ReleaseBefore, stateDir: string): Promise<void> {
  const { CONFIG, openPlatform } =
    await load<typeof import('../../scripts/admin/platform.ts')>('scripts/admin/platform.ts');
  const { tableOf } = await load<typeof import('../../domain/scans/rows.ts')>('domain/scans/rows.ts');
  const { writeSnapshot } = await load<typeof import('../../worker/files/parquet.ts')>('worker/files/parquet.ts');
  const { putSnapshot, snapshotKey } = await load<typeof import('../../worker/gateways/snapshot-store.ts')>(
    'worker/gateways/snapshot-store.ts',
  );
  const { recordSnapshot } = await load<typeof import('../../worker/models/scans/snapshots.ts')>(
    'worker/models/scans/snapshots.ts',
  );
  const platform = await openPlatform({ remote: false, environment: undefined, stateDir, config: CONFIG });
  try {
    const { db } = platform;
    const { $client: client } = db;
    await (await releaseOf({ load })).migrate(client as never);
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
        else {
          const directory = rows.map(({ governor_id, name, alliance_tag, power }) => ({
            ...{ governor_id: Number(governor_id), name: String(name), alliance_tag: String(alliance_tag) },
            ...{ power: Number(power), isHere: false, isRenamed: true },
          }));
          await recordSnapshot(
            db,
            table,
            { ...about, quality: {}, item_id: null, version: 1 },
            { directory, digested: null, packed_at: null },
          );
        }
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

let before: ReleaseBefore;
let copy: OwnCopy;
let cookie: string;
beforeAll(
  async () => {
    if (!commitBefore()) return;
    await build();
    before = checkOutBefore();
    copy = await openCopy(300, {
      fill: (stateDir) => fill(before, stateDir),
      release: await releaseOf(before),
    });
    await insertUser(copy.runtime, 'reader');
    cookie = await signIn(copy.runtime.address, 'reader');
  },
  120_000 + KINGDOMS * 60_000,
);
afterAll(async () => {
  await copy?.remove();
  before?.remove();
});

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

/** Reads pages one after the other until it is stopped. Counts answers and connections that broke while `isDown`. */
function startClient() {
  const asked = { answers: 0, broken: 0, slowest: 0, others: [] as string[], isDown: false };
  let isOver = false;
  const reading = (async () => {
    for (let turn = 0; !isOver; turn++) {
      const path = PATHS[turn % PATHS.length] as string;
      const [wasDown, began] = [asked.isDown, Date.now()];
      const answer = await read(path);
      if (answer === null && (wasDown || asked.isDown)) asked.broken += 1;
      else if (answer?.startsWith('200 ')) {
        asked.answers += 1;
        asked.slowest = Math.max(asked.slowest, Date.now() - began);
      } else asked.others.push(`${path} ${answer?.slice(0, 300)}`);
      await sleep(250);
    }
  })();
  return {
    asked,
    async whileDown(act: () => Promise<void>): Promise<void> {
      asked.isDown = true;
      await act();
      asked.isDown = false;
    },
    end(): Promise<void> {
      isOver = true;
      return reading;
    },
  };
}

type Client = ReturnType<typeof startClient>;

/** Migrates the database under the release before, which serves. workerd dies in the middle of it. */
async function migrateWithKill({ whileDown }: Client): Promise<string> {
  const migrating = migrate(await copy.runtime.database()).then(
    () => 'was over before the kill',
    () => 'was cut off',
  );
  await sleep(5);
  await whileDown(copy.kill);
  const cut = await migrating;
  const began = Date.now();
  await migrate(await copy.runtime.database());
  return `the first migration ${cut}, the second took ${Date.now() - began} ms`;
}

/** Packs until no kingdom is left. workerd dies twice. Returns how many were left after crons that packed some. */
async function packWithKills({ whileDown }: Client): Promise<number[]> {
  const left = [await unpacked()];
  for (let last = left[0] ?? 0, kills = 0; last > 0; last = left.at(-1) ?? 0) {
    const packing = fetch(copy.runtime.address + CRON).catch(() => null);
    if (kills < 2) {
      // In the middle of a kingdom, whose file is then newer than its row, or missing.
      while ((await unpacked()) === last) await sleep(50);
      await whileDown(copy.kill);
      kills += 1;
    }
    await packing;
    const after = await unpacked();
    if (after < last) left.push(after);
    // Those that a kill interrupted are in backoff.
    else await sleep(1000);
  }
  return left;
}

describe.skipIf(!commitBefore())('the update of a service that the release before filled', () => {
  test(
    `${KINGDOMS * GOVERNORS} governors over ${DAYS} days move while a client reads and workerd is killed`,
    async () => {
      for (const path of PATHS) expect(await read(path)).toMatch(/^200 /);
      const client = startClient();
      const migration = await migrateWithKill(client);
      const migrations = readdirSync(join(ROOT, 'migrations')).filter((name) => name.endsWith('.sql'));
      expect(await copy.figure('SELECT count(*) AS n FROM d1_migrations')).toBe(migrations.length);
      await client.whileDown(copy.update);
      const began = Date.now();
      const left = await packWithKills(client);
      const packingMs = Date.now() - began;
      await client.end();
      // Answers are cached for a minute, and only later ones come from the packed histories.
      await sleep(61_000);
      const lacks: (string | null)[] = [];
      for (const path of PATHS) lacks.push(lackOf(path, await read(path)));
      const { answers, broken, slowest, others } = client.asked;
      process.stdout.write(
        `  ${migration}; packed in ${packingMs} ms, left after crons: ${left.join(', ')}; ` +
          `${answers} answers, the slowest after ${slowest} ms, ${broken} cut off\n`,
      );
      expect(others).toEqual([]);
      // Reads do not wait until all is packed.
      expect(answers).toBeGreaterThan(packingMs / 2000);
      expect(lacks.filter((lack) => lack !== null)).toEqual([]);
      expect(left[0]).toBe(KINGDOMS);
      expect(await copy.verify()).toEqual([]);
    },
    600_000 + KINGDOMS * 60_000,
  );
});
