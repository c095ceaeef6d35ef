import { existsSync, readFileSync, rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { build as buildService } from '../../scripts/build.ts';
import { migrate } from '../../scripts/migrate.ts';
import { withFolder } from '../folder.ts';
import { sized } from '../quick.ts';
import { judge, printTable } from '../report.ts';
import { build } from '../serve.ts';
import { serviceWorker } from '../service.ts';
import { CREDENTIALS, fill, type Measure, ownCalls, publicCalls, type Served, writes } from './calls.ts';
import { DELAY_MS, type Trip } from './distant.ts';

/**
 * Counts the sequential trips to D1, objects and R2 that a caller waits for, by page and call: with everything in
 * memory, and in a new isolate with an empty edge cache.
 */

const ROOT = join(import.meta.dirname, '..', '..');
const PORT = 9760;
const WEB = join(ROOT, 'dist', 'web');
const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.json': 'application/json' };
/** A page may have given up on data that its visit then stored, so the third visit is warm. */
const VISITS = sized(3, 1);
/** Calls for each new isolate: starting one takes seconds, so the short form starts few. */
const COLD_EVERY = sized(1, 20);
/** Longer than what a call leaves behind, such as a mail or a note of its use. */
const QUIET_MS = 5 * DELAY_MS;

/** Sends the built page and its lists like the asset binding. */
function asset(request: { url: string }): Response {
  const { pathname } = new URL(request.url);
  const file = join(WEB, pathname === '/' ? 'index.html' : pathname);
  if (!existsSync(file)) return new Response(null, { status: 404 });
  return new Response(new Uint8Array(readFileSync(file)), { headers: { 'content-type': TYPES[extname(file)] ?? '' } });
}

const HEADERS = { accept: 'application/json', 'content-type': 'application/json' };
const URL_OF = `http://127.0.0.1:${PORT + 1}`;

async function serve(state: string, cookies: { value: string }): Promise<Served> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: PORT,
      cf: false,
      log: new Log(LogLevel.WARN),
      resourcePersistencePath: state,
      workers: [
        {
          ...serviceWorker(join('bench', 'trips'), 'worker.js', PORT + 1, { READY_PRODUCTS: 'rok-kingdom-scan' }),
          serviceBindings: { ASSETS: asset as never },
        },
      ],
    }),
  );
  await miniflare.ready;
  const db = await miniflare.getD1Database('DB');
  await migrate(db);
  const send = (method: string, path: string, body?: unknown, cookie = cookies.value) =>
    fetch(URL_OF + path, {
      method,
      headers: { ...HEADERS, ...(path.includes('download?') ? { accept: '*/*' } : {}), ...(cookie ? { cookie } : {}) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const read = async (path: string, response: Response): Promise<unknown> => {
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
    return text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text;
  };
  return {
    call: async (method, path, body) => ((await read(path, await send(method, path, body))) as { data: unknown }).data,
    made: async (path) => read(path, await send('GET', `/${path}`)),
    admin: async () => {
      await db.prepare(`UPDATE users SET role = 'admin' WHERE username = 'bench'`).run();
      const answer = await send('POST', '/v1/login', CREDENTIALS, '');
      await read('/v1/login', answer);
      cookies.value = answer.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ');
    },
    ask: ({ path, body, mine }) => send(body === undefined ? 'GET' : 'POST', path, body, mine ? cookies.value : ''),
    close: () => miniflare.dispose(),
  };
}

interface Counted {
  /** Sequential trips that the caller waited for. */
  trips: number;
  /** The same by the clock. */
  elapsed: number;
  calls: Readonly<Record<string, number>>;
}

/** Makes a call and returns the trips until its answer was complete. Later ones belong to work after the answer. */
async function count({ ask }: Served, measure: Measure): Promise<Counted> {
  await sleep(QUIET_MS);
  await (await fetch(`${URL_OF}/trips`, { method: 'DELETE' })).text();
  const start = performance.now();
  const response = await ask(measure);
  const answer = await response.text();
  if (!response.ok) throw new Error(`${measure.name}: ${response.status} ${answer.slice(0, 300)}`);
  const [elapsed, answered] = [performance.now() - start, Date.now()];
  const trips = ((await (await fetch(`${URL_OF}/trips`)).json()) as Trip[]).filter(({ began }) => began <= answered);
  const waited = trips.filter(({ ended }) => ended !== null && ended <= answered);
  const calls: Record<string, number> = {};
  for (const { kind } of trips) calls[kind] = (calls[kind] ?? 0) + 1;
  return { trips: Math.max(0, ...waited.map(({ depth }) => depth)), elapsed, calls };
}

/** Returns the number of trips, marked if it is above the goal. */
const shown = (counted: Counted | undefined, goal: number): string =>
  counted ? `${counted.trips}${counted.trips > goal ? ' !' : ''}` : '-';
const byClock = (counted: Counted | undefined): string =>
  counted ? String(Math.round(counted.elapsed / DELAY_MS)) : '-';
const callsOf = (counted: Counted | undefined): string =>
  Object.entries(counted?.calls ?? {})
    .map(([kind, number]) => `${number} ${kind}`)
    .join(', ');

export async function run(): Promise<void> {
  // The built page, which the service sends as its answer to every page.
  await buildService();
  await build(import.meta.dirname);
  await withFolder(async (folder) => {
    const state = join(folder, 'trips');
    const cookies = { value: '' };
    const filled = await serve(state, cookies);
    const facts = await fill(filled);
    const all = [...publicCalls(facts), ...ownCalls(facts), ...writes()].filter(
      ({ name }) => !process.env.ONLY || name.includes(process.env.ONLY),
    );
    const warm = new Map<Measure, Counted>();
    const cold = new Map<Measure, Counted>();
    for (const measure of all) {
      const visits = measure.body === undefined ? VISITS : 1;
      for (let visit = 0; visit < visits; visit++) warm.set(measure, await count(filled, measure));
    }
    await filled.close();
    for (const measure of all.filter((_, index) => index % COLD_EVERY === 0)) {
      rmSync(join(state, 'cache'), { recursive: true, force: true });
      const fresh = await serve(state, cookies);
      cold.set(measure, await count(fresh, measure));
      await fresh.close();
    }
    printTable(
      all.map((measure) => {
        const [held, first] = [warm.get(measure), cold.get(measure)];
        return {
          [`sequential trips at ${DELAY_MS} ms`]: measure.name,
          warm: shown(held, measure.warm),
          'by the clock': byClock(held),
          calls: callsOf(held),
          cold: shown(first, measure.cold),
          'calls ': callsOf(first),
          'why more than the goal': measure.why ?? '',
        };
      }),
    );
    const above = (counted: ReadonlyMap<Measure, Counted>, goal: 'warm' | 'cold') =>
      all.filter((measure) => (counted.get(measure)?.trips ?? 0) > measure[goal]).length;
    judge([
      { what: 'calls above their goal, warm', reached: above(warm, 'warm'), wanted: 1, below: true },
      { what: 'calls above their goal in a new isolate', reached: above(cold, 'cold'), wanted: 1, below: true },
    ]);
  });
}
