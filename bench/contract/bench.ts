import { Agent, get } from 'node:http';
import { join } from 'node:path';
import type { V4WorkerOptions } from 'miniflare';
import { migrate } from '../../scripts/migrate.ts';
import { ROOT } from '../../scripts/settings.ts';
import { build } from '../../scripts/tools.ts';
import { withFolder } from '../folder.ts';
import { processorTime } from '../memory.ts';
import { sized } from '../quick.ts';
import { judge, median, printTable } from '../report.ts';
import { inWorkerd } from '../serve.ts';
import { serviceWorker } from '../service.ts';

/** Measures the API description, from the first call of a new isolate on. */

const PORT = 9750;
const PATH = '/v1/openapi.json';
const ISOLATES = sized(5, 1);
const CALLS = sized(200, 3);
const HAS_IT = 'has it';

/** The built web, which the service reads through a binding. */
const assets = {
  name: 'assets',
  compatibilityDate: '2026-10-01',
  modules: true,
  script: 'export default { fetch: () => new Response(null, { status: 404 }) }',
  assets: { directory: join(ROOT, 'dist', 'web') },
} as unknown as V4WorkerOptions;

/** Kept open, so that connecting is not measured. */
const agent = new Agent({ keepAlive: true });

/** Calls the service and reads the answer without decompressing it. Returns its headers. */
function called(path: string, headers: Record<string, string>, status = 200): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port: PORT + 1, path, headers, agent }, (answer) => {
      answer.on('end', () =>
        answer.statusCode === status ? resolve(answer.headers) : reject(new Error(`${path}: ${answer.statusCode}`)),
      );
      answer.resume();
    });
    request.on('error', reject);
  });
}

/** Returns the median time of some calls and workerd's processor time per call, in ms. */
async function timed(pid: number, calls: number, path: string, headers: Record<string, string> = {}, status?: number) {
  const used = processorTime(pid);
  const times: number[] = [];
  for (let call = 0; call < calls; call++) {
    const start = performance.now();
    await called(path, headers, status);
    times.push(performance.now() - start);
  }
  return { time: median(times), processor: (processorTime(pid) - used) / calls };
}

const ANSWERS: Readonly<Record<string, { headers: Record<string, string>; status?: number }>> = {
  gzipped: { headers: { 'accept-encoding': 'gzip' } },
  'not packed': { headers: { 'accept-encoding': 'identity' } },
  [HAS_IT]: { headers: {}, status: 304 },
};

type Timed = Record<string, { time: number; processor: number }>;

/** Measures the first call of a new isolate and each kind of later ones. */
async function inOneIsolate(state: string): Promise<Timed> {
  const service = { ...serviceWorker('worker', 'index.js', PORT + 1), serviceBindings: { ASSETS: 'assets' } };
  const { miniflare, pid } = await inWorkerd(state, PORT, [service as V4WorkerOptions, assets]);
  try {
    await migrate(await miniflare.getD1Database('DB'));
    // Excludes the start of the isolate from the measurement.
    await called('/v1/nothing', {}, 404);
    const found: Timed = { first: await timed(pid, 1, PATH) };
    const { etag } = await called(PATH, {});
    for (const [name, { headers, status }] of Object.entries(ANSWERS))
      found[name] = await timed(
        pid,
        CALLS,
        PATH,
        name === HAS_IT ? { 'if-none-match': String(etag) } : headers,
        status,
      );
    return found;
  } finally {
    await miniflare.dispose();
  }
}

/** Measures the first call in new isolates and later ones. */
export async function run(): Promise<void> {
  if (!(await build())) throw new Error('The service does not build.');
  const isolates: Timed[] = [];
  await withFolder(async (folder) => {
    for (let index = 0; index < ISOLATES; index++) isolates.push(await inOneIsolate(join(folder, String(index))));
  });
  const middle = (name: string, of: 'time' | 'processor') =>
    median(isolates.map((timed) => timed[name]?.[of] ?? Number.NaN));
  const names = Object.keys(isolates[0] ?? {});
  console.log(`\n  ${PATH}, medians of ${ISOLATES} isolates, the way from Node and back included`);
  printTable(
    names.map((call) => ({
      call,
      time: `${middle(call, 'time').toFixed(1)} ms`,
      processor: `${middle(call, 'processor').toFixed(1)} ms`,
    })),
  );
  judge(
    names
      .filter((name) => name !== 'first')
      .map((name) => ({
        what: `${name}, ms of processor`,
        reached: middle(name, 'processor'),
        wanted: 5,
        below: true,
      })),
  );
}
