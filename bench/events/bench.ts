import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { load } from '../boards/load.ts';
import { handled } from '../compare/browser.ts';
import { duckDb } from '../duckdb.ts';
import { withFolder } from '../folder.ts';
import { open, type Service } from '../hand-in/service.ts';
import { watchIsolate } from '../isolate.ts';
import { forgetPeak, peak, resident } from '../memory.ts';
import { sized } from '../quick.ts';
import { type Bar, judge, mebibytes, median, milliseconds, printTable } from '../report.ts';
import { middle, type Round, timed } from '../rounds.ts';
import { build } from '../serve.ts';

/**
 * Measures differences of two event snapshots with DKP, next to DuckDB on the same Parquet files, and whole answers.
 */

const FOLDER = import.meta.dirname;
const PORT = 9730;
/** Calls of each kind. The median is not affected by the first ones, which compile code. */
const ROUNDS = sized(15, 1);
const LARGE = sized(100_000, 10_000);
const USUAL = 10_000;
const KINGDOM_ROWS = 5000;
const SNAPSHOTS = sized(12, 3);
/** Warm-up answers, which are slowed down by compilation. */
const FIRST_ANSWERS = sized(10, 1);
/** Answers counted together, because processor time has a resolution of 10 ms. */
const ANSWERS = sized(4, 1);
const INSPECTOR_PORT = PORT + 2;

const openService = (state: string, inspectorPort?: number): Promise<Service> =>
  open(state, PORT, 'events', inspectorPort);

async function get({ url }: Service, path: string): Promise<Buffer> {
  const response = await fetch(url + path);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (!response.ok) throw new Error(`${path}: ${response.status} ${bytes.toString().slice(0, 300)}`);
  return bytes;
}

const fill = async (service: Service, rows: number, snapshots: number): Promise<number> =>
  (JSON.parse((await get(service, `/bench/fill?rows=${rows}&snapshots=${snapshots}`)).toString()) as { id: number }).id;

async function writeFiles(service: Service, folder: string, id: number): Promise<{ from: string; to: string }> {
  for (const [step, side] of ['from', 'to'].entries()) {
    mkdirSync(join(folder, side));
    for (let number = 0; number < LARGE / KINGDOM_ROWS; number++)
      writeFileSync(
        join(folder, side, `${number}.parquet`),
        await get(service, `/bench/file?id=${id}&step=${step}&number=${number}`),
      );
  }
  return { from: join(folder, 'from', '*.parquet'), to: join(folder, 'to', '*.parquet') };
}

async function differences(folder: string): Promise<Bar[]> {
  const state = join(folder, 'differences');
  const service = await openService(state);
  try {
    const id = await fill(service, LARGE, 2);
    const peer = await duckDb(folder, await writeFiles(service, folder, id));
    const ours = JSON.parse((await get(service, `/bench/difference?id=${id}`)).toString()) as number[][];
    const theirs = (await peer.ask()).map((row) => row.map(Number));
    const scores = (rows: readonly number[][]) => rows.map(([, dkp]) => dkp).join();
    if (scores(ours) !== scores(theirs)) throw new Error('the two results differ');
    const rounds = { warm: [] as Round[], cold: [] as Round[], fetched: [] as Round[], duckdb: [] as Round[] };
    for (let round = 0; round < ROUNDS; round++) {
      rounds.duckdb.push(await timed(process.pid, () => peer.ask()));
      rounds.cold.push(await timed(service.pid, () => get(service, `/bench/difference?id=${id}`)));
      rounds.fetched.push(await timed(service.pid, () => get(service, `/bench/fetch-only?id=${id}`)));
      rounds.warm.push(await timed(service.pid, () => get(service, `/bench/difference?id=${id}&warm`)));
    }
    const [warm, cold, duckdb] = [middle(rounds.warm), middle(rounds.cold), middle(rounds.duckdb)];
    const fetched = middle(rounds.fetched);
    const line = (what: string, { ms, processor }: Round) => ({
      [`2 × ${LARGE.toLocaleString('en-US')}, top 50 by DKP`]: what,
      time: milliseconds(ms),
      processor: milliseconds(processor),
    });
    printTable([
      line('columns in memory', warm),
      line('from Parquet in R2', cold),
      line('  reading the files alone', fetched),
      line('DuckDB, same files', duckdb),
    ]);
    return [
      { what: 'DuckDB’s time to ours, columns in memory', reached: duckdb.ms / warm.ms, wanted: 1 },
      { what: 'DuckDB’s time to ours, from Parquet', reached: duckdb.ms / cold.ms, wanted: 0.6 },
    ];
  } finally {
    await service.close();
  }
}

/** Measures the specification's data call: computed, and sent from memory. */
async function answers(folder: string): Promise<Bar[]> {
  const service = await openService(join(folder, 'answers'));
  try {
    const id = await fill(service, USUAL, 2 + FIRST_ANSWERS + ROUNDS * ANSWERS);
    const moment = (step: number) => Date.UTC(2026, 0, 1) + step * 86_400_000;
    const path = (step: number) => `/v1/dashboards/${id}/data?start=${moment(0)}&end=${moment(step)}`;
    let step = 1;
    // A new pair each time, of which only the first side is cached.
    const next = () => get(service, path(step++));
    for (let answer = 0; answer < FIRST_ANSWERS; answer++) await next();
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const { ms, processor } = await timed(service.pid, async () => {
        for (let answer = 0; answer < ANSWERS; answer++) await next();
      });
      rounds.push({ ms: ms / ANSWERS, processor: processor / ANSWERS });
    }
    const { ms, processor } = middle(rounds);
    const body = await get(service, path(1));
    await fetch(`${service.url}/bench/take`, { method: 'POST', body: new Uint8Array(body) });
    const port = Number(new URL(service.url).port);
    const ratios: number[] = [];
    let [held, bare] = [0, 0];
    for (let round = 0; round < ROUNDS; round++) {
      held = (await load(port, path(1), 1000)).perSecond;
      bare = (await load(port, '/bench/bare', 1000)).perSecond;
      ratios.push(held / bare);
    }
    printTable([
      {
        [`2 × ${USUAL.toLocaleString('en-US')}, the whole answer`]: mebibytes(body.length),
        time: milliseconds(ms),
        processor: milliseconds(processor),
        'from memory': `${Math.round(held)}/s`,
        'bare Worker': `${Math.round(bare)}/s`,
      },
    ]);
    return [
      { what: 'milliseconds of processor for the whole answer', reached: processor, wanted: 60, below: true },
      { what: 'requests a second from memory to a bare Worker’s', reached: median(ratios), wanted: 0.8 },
    ];
  } finally {
    await service.close();
  }
}

/** Processor time of a war room after another of the same range, in ms. */
const MOST_ROOM_MS = 60;

/** Measures war rooms of a large event: the first call makes those of all kingdoms. */
export async function rooms(folder: string): Promise<Bar[]> {
  const service = await openService(join(folder, 'rooms'));
  try {
    const id = await fill(service, LARGE, SNAPSHOTS);
    const kingdoms = LARGE / KINGDOM_ROWS;
    let kingdom = 1000;
    let bytes = 0;
    const next = async () => {
      bytes = (await get(service, `/v1/dashboards/${id}/kingdoms/${kingdom++}`)).length;
    };
    const first = await timed(service.pid, next);
    const rest = await timed(service.pid, async () => {
      while (kingdom < 1000 + kingdoms) await next();
    });
    const later = rest.processor / (kingdoms - 1);
    printTable([
      {
        [`war rooms of ${SNAPSHOTS} × ${LARGE.toLocaleString('en-US')}`]: mebibytes(bytes),
        first: milliseconds(first.processor),
        later: milliseconds(later),
        'a kingdom, all in all': milliseconds((first.processor + rest.processor) / kingdoms),
      },
    ]);
    return [
      { what: 'milliseconds of processor for a later war room', reached: later, wanted: MOST_ROOM_MS, below: true },
    ];
  } finally {
    await service.close();
  }
}

/** Heap limit of an isolate in MB, above which the process ends. */
const HEAP_MB = 96;
/**
 * Memory limit of an isolate on the platform in MB: V8's heap including garbage, and the buffers outside it
 * (`isolate.ts`). Here the event's object and the routes share one isolate, including both caches.
 */
const MOST_HELD_MB = 128;

/** Makes every page of a large event in a new process with limited heaps. */
async function memory(folder: string): Promise<Bar[]> {
  const state = join(folder, 'memory');
  const filling = await openService(state);
  const id = await fill(filling, LARGE, SNAPSHOTS);
  await filling.close();
  process.env.MINIFLARE_WORKERD_V8_FLAGS = `--max-old-space-size=${HEAP_MB} --max-semi-space-size=4`;
  const service = await openService(state, INSPECTOR_PORT);
  const isolate = await watchIsolate(INSPECTOR_PORT, service.name);
  try {
    await get(service, `/v1/dashboards/${id}/`);
    const idle = resident(service.pid);
    forgetPeak(service.pid);
    const pages: Record<string, string> = {};
    let held = 0;
    for (const page of ['page', 'table', 'lines', 'kingdoms/1000', 'data', 'download?type=csv', 'download?type=xlsx']) {
      const { ms } = await timed(service.pid, () => get(service, `/v1/dashboards/${id}/${page}`));
      // A busy isolate answers the inspector only afterwards.
      await sleep(200);
      const most = isolate.most();
      pages[page] = `${milliseconds(ms)}, ${mebibytes(most)}`;
      held = Math.max(held, most);
    }
    printTable([
      {
        [`${SNAPSHOTS} × ${LARGE.toLocaleString('en-US')}, heaps of ${HEAP_MB} MB`]: 'all pages',
        ...pages,
        'process above idle': mebibytes(peak(service.pid) - idle),
      },
    ]);
    return [{ what: 'MiB held by the isolate', reached: held / 2 ** 20, wanted: MOST_HELD_MB, below: true }];
  } finally {
    isolate.close();
    await service.close();
    delete process.env.MINIFLARE_WORKERD_V8_FLAGS;
  }
}

export async function run(): Promise<void> {
  await build(FOLDER);
  const bars = await withFolder(async (folder) => [
    ...(await differences(folder)),
    ...(await answers(folder)),
    ...(await rooms(folder)),
    ...(await memory(folder)),
    ...(await handled(USUAL, 'milliseconds to handle 10,000 rows in a browser')),
  ]);
  judge(bars);
}
