import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { V4WorkerOptions } from 'miniflare';
import { unstable_getMiniflareWorkerOptions as workerOptionsOf } from 'wrangler';
import { migrate } from '../../scripts/migrate.ts';
import { modulesIn } from '../../scripts/modules.ts';
import { build as buildService } from '../../scripts/tools.ts';
import { withFolder } from '../folder.ts';
import { forgetPeak, peak, resident } from '../memory.ts';
import { sized } from '../quick.ts';
import { type Bar, judge, mebibytes, median, milliseconds, printTable } from '../report.ts';
import { build, inWorkerd } from '../serve.ts';
import { serviceWorker } from '../service.ts';
import { type Load, load } from './load.ts';
import { rankGenerated } from './rank.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, 'bench', 'boards');
const PORT = 9710;
const ROUNDS = sized(9, 1);
const ROUND_MS = sized(1000, 100);

interface Bench {
  pid: number;
  /** Calls the benchmark's own Worker. */
  work(path: string): Promise<Response>;
  close(): Promise<void>;
}

/** Starts the benchmark's Worker, and further Workers on the same database and bucket. */
async function open(state: string, others: (stores: object) => V4WorkerOptions[] = () => []): Promise<Bench> {
  const stores = { d1Databases: { DB: 'bench' }, r2Buckets: { STORE: 'bench', BACKUP: 'bench-backup' } };
  const configured = { ...workerOptionsOf(join(FOLDER, 'wrangler.toml')).workerOptions, ...stores };
  const { modulesRules: _, ...options } = configured as typeof configured & { modulesRules?: unknown };
  const modules = modulesIn(join(ROOT, 'dist/bench/boards'), 'worker.js');
  const own = { ...options, name: 'bench-boards', ...modules } as V4WorkerOptions;
  const { miniflare, pid } = await inWorkerd(state, PORT, [own, ...others(stores)]);
  await migrate(await miniflare.getD1Database('DB'));
  const worker = await miniflare.getWorker('bench-boards');
  return {
    pid,
    work: async (path) => {
      const answer = (await worker.fetch(`http://bench/${path}`)) as unknown as Response;
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
      return answer;
    },
    close: () => miniflare.dispose(),
  };
}

const KINGDOMS_AT_ONCE = 25;

async function fill(bench: Bench, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += KINGDOMS_AT_ONCE)
    await (await bench.work(`fill?from=${start}&to=${Math.min(to, start + KINGDOMS_AT_ONCE)}`)).text();
}

// --- Serving --------------------------------------------------------------------------------------------------------

const PAGES = {
  'a page of 100': '/v1/governor/rankings?type=power&count=100&page=0',
  '10,000 rows': '/v1/governor/rankings?type=power&count=-1&page=0',
} as const;

/** Defines a Worker that only returns constant bytes. */
const constant = (name: string, port: number, bytes: Buffer, headers: object): V4WorkerOptions =>
  ({
    name,
    compatibilityDate: '2026-10-01',
    modules: [
      {
        type: 'ESModule',
        path: 'index.mjs',
        contents: `import bytes from './bytes.bin';
          const headers = ${JSON.stringify(headers)};
          export default { fetch: () => new Response(bytes, { headers, encodeBody: 'manual' }) };`,
      },
      { type: 'Data', path: 'bytes.bin', contents: bytes },
    ],
    unsafeDirectSockets: [{ host: '127.0.0.1', port }],
  }) as unknown as V4WorkerOptions;

/** Defines the service itself on the benchmark's stores. */
const service = (stores: object): V4WorkerOptions =>
  ({ ...serviceWorker('worker', 'index.js', PORT + 1), ...stores, name: 'muster' }) as V4WorkerOptions;

/** Defines static files as the platform serves them, without a Worker in front. */
const assetsOnly = (directory: string): V4WorkerOptions =>
  ({
    name: 'assets',
    compatibilityDate: '2026-10-01',
    modules: true,
    script: 'export default { fetch: () => new Response(null, { status: 404 }) }',
    assets: { directory },
    unsafeDirectSockets: [{ host: '127.0.0.1', port: PORT + 9 }],
  }) as unknown as V4WorkerOptions;

async function stored(port: number, path: string): Promise<{ bytes: Buffer; headers: Record<string, string> }> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'accept-encoding': 'gzip' } });
  const headers = Object.fromEntries(answer.headers);
  for (const name of ['content-length', 'date', 'connection', 'keep-alive', 'transfer-encoding']) delete headers[name];
  return { bytes: gzipSync(Buffer.from(await answer.arrayBuffer())), headers };
}

async function servePages(folder: string): Promise<Bar[]> {
  const assets = join(folder, 'assets');
  mkdirSync(assets);
  writeFileSync(join(assets, 'index.html'), '<title>bench</title>');
  const state = join(folder, 'serving');
  const first = await open(state, (stores) => [service(stores)]);
  await fill(first, 1, 11);
  await (await first.work('publish')).text();
  const names = Object.keys(PAGES) as (keyof typeof PAGES)[];
  const answers = new Map(
    await Promise.all(names.map(async (name) => [name, await stored(PORT + 1, PAGES[name])] as const)),
  );
  await first.close();
  for (const [index, name] of names.entries())
    writeFileSync(join(assets, `board-${index}.json`), answers.get(name)?.bytes ?? '');
  const bench = await open(state, (stores) => [
    service(stores),
    assetsOnly(assets),
    ...names.map((name, index) => {
      const { bytes, headers } = answers.get(name) ?? { bytes: Buffer.alloc(0), headers: {} };
      return constant(`constant-${index}`, PORT + 2 + index, bytes, headers);
    }),
  ]);
  const bars: Bar[] = [];
  try {
    for (const [index, name] of names.entries()) {
      const targets: [string, number, string][] = [
        ['board', PORT + 1, PAGES[name]],
        ['constant from a bare Worker', PORT + 2 + index, '/'],
        ['static asset', PORT + 9, `/board-${index}.json`],
      ];
      const loads = await inTurn(targets);
      printLoads(`${name}, ${((answers.get(name)?.bytes.length ?? 0) / 1024).toFixed(0)} kB gzipped`, loads);
      const against = (other: string, of: (load: Load) => number) => ratioOf(loads, 'board', other, of);
      bars.push(
        {
          what: `${name}: requests a second against a bare Worker`,
          reached: against('constant from a bare Worker', ({ perSecond }) => perSecond),
          wanted: 0.8,
        },
        {
          what: `${name}: median latency against a bare Worker`,
          reached: against('constant from a bare Worker', ({ latency }) => latency),
          wanted: 1.3,
          below: true,
        },
        {
          what: `${name}: requests a second against a static asset`,
          reached: against('static asset', ({ perSecond }) => perSecond),
          wanted: 1,
        },
      );
    }
  } finally {
    await bench.close();
  }
  return bars;
}

/** Loads the targets in turn, for several rounds, so that a slow phase of the machine affects all of a round. */
async function inTurn(targets: readonly [string, number, string][]): Promise<Map<string, Load[]>> {
  const rounds = new Map<string, Load[]>(targets.map(([name]) => [name, []]));
  for (const [, port, path] of targets) await load(port, path, 500);
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, port, path] of targets) rounds.get(name)?.push(await load(port, path, ROUND_MS));
  return rounds;
}

/**
 * Returns the median of the rounds' ratios. Measurements of one round ran close together; those of different rounds did
 * not.
 */
const ratioOf = (rounds: ReadonlyMap<string, Load[]>, one: string, other: string, of: (load: Load) => number): number =>
  median((rounds.get(one) ?? []).map((mine, round) => of(mine) / of(rounds.get(other)?.[round] ?? mine)));

function printLoads(title: string, rounds: ReadonlyMap<string, Load[]>): void {
  console.log(`\n  ${title}`);
  printTable(
    [...rounds].map(([target, loads]) => ({
      target,
      'requests/s': Math.round(median(loads.map(({ perSecond }) => perSecond))).toLocaleString('en-US'),
      'median latency': `${median(loads.map(({ latency }) => latency)).toFixed(2)} ms`,
    })),
  );
}

// --- Building -------------------------------------------------------------------------------------------------------

/** Numbers of kingdoms with 1,000 governors each. KINGDOMS=2000 adds a size, which needs time and 2 GB of disk. */
const SIZES = [...sized([125, 250, 500], [2, 4]), ...(process.env.KINGDOMS ? [Number(process.env.KINGDOMS)] : [])];

/**
 * Heap limit of each isolate in MB, because V8 does not collect garbage without pressure. A build that needs more ends
 * the process, and the measured memory is closer to what is needed.
 */
const HEAP_MB = 24;

interface Built {
  /** Duration in ms of a build in a process that has built before. */
  time: number;
  /** Bytes that the first build adds to a process that has read every scan, including R2's and D1's simulators. */
  memory: number;
}

async function buildOnce(state: string, from: number, kingdoms: number): Promise<Built> {
  delete process.env.MINIFLARE_WORKERD_V8_FLAGS;
  const filling = await open(state);
  await fill(filling, from, kingdoms + 1);
  await filling.close();
  process.env.MINIFLARE_WORKERD_V8_FLAGS = `--max-old-space-size=${HEAP_MB} --max-semi-space-size=2`;
  const bench = await open(state);
  try {
    await (await bench.work('read')).text();
    const idle = resident(bench.pid);
    forgetPeak(bench.pid);
    await (await bench.work('publish')).text();
    const memory = peak(bench.pid) - idle;
    const start = performance.now();
    await (await bench.work('publish')).text();
    return { time: performance.now() - start, memory };
  } finally {
    await bench.close();
  }
}

async function buildBoards(folder: string): Promise<Bar[]> {
  const built: Built[] = [];
  for (const [index, kingdoms] of SIZES.entries())
    built.push(await buildOnce(join(folder, 'building'), (SIZES[index - 1] ?? 0) + 1, kingdoms));
  console.log('\n  building all five boards of a day');
  printTable(
    built.map(({ time, memory }, index) => ({
      governors: ((SIZES[index] ?? 0) * 1000).toLocaleString('en-US'),
      time: milliseconds(time),
      'a kingdom': `${(time / (SIZES[index] ?? 1)).toFixed(1)} ms`,
      'above idle': mebibytes(memory),
    })),
  );
  const [first, last] = [built[0], built.at(-1)];
  return [
    {
      what: `time a kingdom at ${SIZES.at(-1)} kingdoms against ${SIZES[0]}`,
      reached: (last?.time ?? 0) / (SIZES.at(-1) ?? 1) / ((first?.time ?? 1) / (SIZES[0] ?? 1)),
      wanted: 1.2,
      below: true,
    },
    {
      what: 'MiB that a first build adds to a process that has read the scans',
      reached: Math.max(...built.map(({ memory }) => memory)) / 2 ** 20,
      wanted: 64,
      below: true,
    },
  ];
}

// --- Searching ------------------------------------------------------------------------------------------------------

const GOVERNORS = sized(500_000, 5000);
const ENTERED_AT_ONCE = 2500;
const QUERIES = ['ka', 'karo', 'dungarel', 'mitenshula', '龍王', '天下無', '123', 'dungerel', '250000', 'zzzzzz'];

async function searchNames(folder: string): Promise<Bar[]> {
  const bench = await open(join(folder, 'searching'));
  const rows: Record<string, string>[] = [];
  let slowest = 0;
  try {
    for (let from = 1; from <= GOVERNORS; from += ENTERED_AT_ONCE)
      await (await bench.work(`enter?from=${from}&to=${from + ENTERED_AT_ONCE}`)).text();
    // As the cron of the night does.
    await (await bench.work('merge')).text();
    for (const query of QUERIES) {
      const times: number[] = [];
      let found = 0;
      for (let round = 0; round < 15; round++) {
        const start = performance.now();
        const answer = await bench.work(`search?q=${encodeURIComponent(query)}`);
        found = ((await answer.json()) as { governors: unknown[] }).governors.length;
        times.push(performance.now() - start);
      }
      slowest = Math.max(slowest, median(times));
      rows.push({ query, found: String(found), median: `${median(times).toFixed(1)} ms` });
    }
  } finally {
    await bench.close();
  }
  console.log(`\n  search among ${GOVERNORS.toLocaleString('en-US')} governors, the way from Node and back included`);
  printTable(rows);
  return [{ what: 'slowest search in ms', reached: slowest, wanted: 10, below: true }];
}

async function inFolder(measure: (folder: string) => Promise<Bar[]>): Promise<void> {
  await build(FOLDER);
  judge(await withFolder(measure));
}

/** Measures serving boards against a constant and a file. */
export async function serving(): Promise<void> {
  if (!(await buildService())) throw new Error('The service does not build.');
  await inFolder(servePages);
}
/** Measures building a day's boards, with up to 500,000 governors, and ranking up to 20 million. */
export const building = (): Promise<void> =>
  inFolder(async (folder) => [...(await buildBoards(folder)), ...rankGenerated()]);
/** Measures the search among 500,000 governors. */
export const searching = (): Promise<void> => inFolder(searchNames);
