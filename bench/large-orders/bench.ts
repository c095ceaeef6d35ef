import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_ITEMS_PER_ORDER, MAX_RANKS_PER_ORDER } from '../../domain/orders/catalogue.ts';
import { MAX_ROWS } from '../../scan-files/limits.ts';
import { withFolder } from '../folder.ts';
import { ask, open, type Service } from '../hand-in/bench.ts';
import { csvOf, xlsxOf } from '../import/files.ts';
import { type Isolate, watchIsolate } from '../isolate.ts';
import { forgetPeak, peak, processorTime, resident } from '../memory.ts';
import { type Bar, judge, mebibytes, milliseconds, printTable } from '../report.ts';
import { build } from '../serve.ts';

/**
 * An order of 1,000 kingdoms × 300 and a history of 5,000 governors × 90 days, as their user meets them: through the
 * service's routes. Results are published inside the Worker (scans.ts).
 */

const PORT = 9340;
const INSPECTOR_PORT = PORT + 2;
const KINGDOMS = 1000;
const GOVERNORS = 300;
const AT_ONCE = 50;
/** As many rows of 22 columns as a workbook of 20 MB unpacked text may have, about. */
const WORKBOOK_ROWS = 50_000;
const HISTORY = { kingdom: 90_000, governors: 5000, days: 90 };

/** An isolate has 128 MB, with what it holds outside V8's heap. Placing orders is to be possible in half of it. */
const HEAP_MB = 96;
const ORDER_HEAP_MB = 64;
/** What the service's isolate may hold, in its heap and beside it. */
const MOST_HELD = 128 * 2 ** 20;
const MOST_REFUSED = 10 * 2 ** 20;
const LARGEST = 'largest order created (5,000 × 400)';

/** The service with a watch on its isolate. */
interface Watched extends Service {
  isolate: Isolate;
}

/** Serves with every isolate's heap held to so many MB (a larger one ends the process); null leaves V8 its own way. */
async function inHeap(mb: number | null, state: string, use: (service: Watched) => Promise<void>): Promise<void> {
  if (mb === null) delete process.env.MINIFLARE_WORKERD_V8_FLAGS;
  else process.env.MINIFLARE_WORKERD_V8_FLAGS = `--max-old-space-size=${mb} --max-semi-space-size=4`;
  const service = await open(state, PORT, 'hand-in', INSPECTOR_PORT);
  const isolate = await watchIsolate(INSPECTOR_PORT, service.name);
  try {
    await use({ ...service, isolate });
  } finally {
    isolate.close();
    await service.close();
  }
}

/** A body is sent as JSON, or as it is where it is a file. */
type Call = (method: string, path: string, body?: unknown, any?: boolean) => Promise<Response>;

/** A user of the benchmark, signed in: one who can pay for everything, or one with nothing. */
async function signIn({ url }: Service, username = 'bench'): Promise<Call> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const credentials = { username, password: 'a password of some length' };
  const answer = await fetch(`${url}/v1/login`, { method: 'POST', headers, body: JSON.stringify(credentials) });
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return async (method, path, body, any = false) => {
    const response = await fetch(`${url}${path}`, {
      method,
      // Files come to whoever takes anything.
      headers: { ...headers, cookie, ...(path.includes('/download?') ? { accept: '*/*' } : {}) },
      ...(body === undefined ? {} : { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    if (!(response.ok || any)) throw new Error(`${path}: ${await response.text()}`);
    return response;
  };
}

interface Measured {
  what: string;
  ms: number;
  processor: number;
  bytes: number;
  /** What the process took above idle, the simulators of D1 and R2 with what they let lie included. */
  memory: number;
  /** What the service's isolate held. */
  isolate: number;
}

/** Reads an answer to its end, in the fresh process or in one that has answered others. */
async function measured({ pid, isolate }: Watched, what: string, ask: () => Promise<Response>): Promise<Measured> {
  await sleep(500);
  const [idle, used, start] = [resident(pid), processorTime(pid), performance.now()];
  forgetPeak(pid);
  isolate.most();
  let bytes = 0;
  for await (const chunk of (await ask()).body ?? []) bytes += chunk.length;
  return {
    what,
    ms: performance.now() - start,
    bytes,
    processor: processorTime(pid) - used,
    memory: peak(pid) - idle,
    isolate: isolate.most(),
  };
}

const entryOf = (type: string, kingdoms: number[], governors: number, price: number, more = {}) => ({
  type,
  params: { kingdoms: kingdoms.map(String), governors, ...more },
  fields: { Kingdoms: kingdoms.join(', '), Governors: String(governors) },
  price,
});

/** A call whose order is refused with that status. */
const refused = (call: Call, status: number, body: unknown) => async () => {
  const answer = await call('POST', '/v1/order/create', body, true);
  if (answer.status !== status) throw new Error(`${answer.status} where ${status} was expected`);
  return answer;
};

const from = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);
const scan = (kingdoms: number[], governors: number) =>
  entryOf('rok-kingdom-scan', kingdoms, governors, (kingdoms.length * governors) / 200, { full_profile: true });

/** Orders that are refused, and the largest that one may place: both in the least memory. */
async function bounds(state: string): Promise<Measured[]> {
  const all: Measured[] = [];
  await inHeap(ORDER_HEAP_MB, state, async (service) => {
    await ask(service, 'prepare', { token: 'bench' });
    const poor = await signIn(service, 'poor');
    const rich = await signIn(service);
    const most = scan(from(10_000, MAX_ITEMS_PER_ORDER), MAX_RANKS_PER_ORDER / MAX_ITEMS_PER_ORDER);
    const schedule = { scheduleInfo: { period: 'minute', interval: 1 } };
    const heavy = { ...scan(from(20_000, KINGDOMS), GOVERNORS), fields: { note: 'x'.repeat(199_000) } };
    const heavier = { ...scan(from(20_000, KINGDOMS), GOVERNORS), fields: { note: 'x'.repeat(180_000) } };
    // The first calls of a process pay for what it has never done.
    for (const [status, entry] of [
      [402, most],
      [413, heavy],
      [400, heavier],
    ] as const)
      for (let warm = 0; warm < 5; warm++) await refused(poor, status, { orders: [entry] })();
    all.push(await measured(service, 'refused: not paid', refused(poor, 402, { orders: [most] })));
    all.push(await measured(service, 'refused: more than 200 KB', refused(poor, 413, { orders: [heavy] })));
    all.push(await measured(service, 'refused: 180 KB of fields', refused(poor, 400, { orders: [heavier] })));
    all.push(
      await measured(
        service,
        'refused: the same as a schedule',
        refused(poor, 400, { orders: [heavier], ...schedule }),
      ),
    );
    all.push(await measured(service, LARGEST, () => rich('POST', '/v1/order/create', { orders: [most] })));
  });
  return all;
}

async function orders(state: string): Promise<Measured[]> {
  const all: Measured[] = [];
  await inHeap(ORDER_HEAP_MB, state, async (service) => {
    await ask(service, 'prepare', { token: 'bench' });
    const call = await signIn(service);
    const entry = scan(from(20_000, KINGDOMS), GOVERNORS);
    all.push(await measured(service, 'order created', () => call('POST', '/v1/order/create', { orders: [entry] })));
  });
  // Bots bring results one by one; here they are only to be there.
  await inHeap(null, state, async (service) => {
    for (let first = 0; first < KINGDOMS; first += AT_ONCE)
      await ask(service, 'publish', { from: first, count: AT_ONCE, governors: GOVERNORS });
    const call = await signIn(service);
    all.push(await measured(service, 'list of orders', () => call('GET', '/v1/orders/')));
    await ask(service, 'remember', HISTORY);
  });
  return all;
}

const page = (query: string) => `/v1/order/1/download?type=json&all=true&count=100&${query}`;
const file = (type: string) => `/v1/order/1/download?type=${type}&all=true`;
const HEAVY: readonly (readonly (readonly [what: string, path: string])[])[] = [
  [
    ['first page by power', page('sort=Power')],
    ['page 1,500 by power', page('sort=Power&page=1499')],
    ['page 1,500 as stored', page('page=1499')],
  ],
  [
    ['sums by kingdom and in all', '/v1/order/1/combined'],
    ['the same again', '/v1/order/1/combined'],
  ],
  ...['json', 'csv', 'xlsx', 'parquet'].map((type) => [[`${type} of all rows`, file(type)] as const]),
];

/** Each first of its kind in a process of its own, what belongs to it after it. */
async function results(state: string): Promise<Measured[]> {
  const all: Measured[] = [];
  for (const calls of HEAVY)
    await inHeap(HEAP_MB, state, async (service) => {
      const call = await signIn(service);
      for (const [what, path] of calls) all.push(await measured(service, what, () => call('GET', path)));
    });
  return all;
}

async function history(state: string): Promise<Measured[]> {
  const all: Measured[] = [];
  await inHeap(HEAP_MB, state, async (service) => {
    const call = await signIn(service);
    const { kingdom, governors } = HISTORY;
    const make = async () => {
      await call('POST', '/v1/order/create', { orders: [entryOf('rok-history', [kingdom], governors, 100)] });
      for (;;) {
        const list = await call('GET', '/v1/orders/');
        const { data } = (await list.clone().json()) as { data: { orders: { items: { state: string }[] }[] } };
        if (data.orders[0]?.items[0]?.state === 'done') return list;
        await sleep(100);
      }
    };
    all.push(await measured(service, 'history of 5,000 × 90 days', make));
    const path = '/v1/order/2/download?type=json&count=100&page=2000';
    all.push(await measured(service, 'a page of it', () => call('GET', path)));
  });
  return all;
}

/** The largest file that is taken, brought and saved; then the largest workbook with it. */
async function imports(state: string): Promise<Measured[]> {
  const all: Measured[] = [];
  const files = { 'brought.csv': csvOf(MAX_ROWS), 'brought.xlsx': await xlsxOf(WORKBOOK_ROWS) };
  for (const [name, content] of Object.entries(files))
    await inHeap(HEAP_MB, state, async (service) => {
      await ask(service, 'prepare', { token: 'bench' });
      const call = await signIn(service);
      const what = `${name.slice(-4)} of ${(name.endsWith('csv') ? MAX_ROWS : WORKBOOK_ROWS).toLocaleString('en-US')}`;
      let id = '';
      const bring = async () => {
        const answer = await call('POST', `/v1/scans/import?name=${name}`, content);
        ({ import_id: id } = ((await answer.clone().json()) as { data: { import_id: string } }).data);
        return answer;
      };
      all.push(await measured(service, `${what} brought`, bring));
      const choice = { captured_at: '2026-01-05T00:00:00Z' };
      all.push(await measured(service, `${what} saved`, () => call('POST', `/v1/scans/import/${id}/save`, choice)));
    });
  return all;
}

export async function run(): Promise<void> {
  await build(join(import.meta.dirname, '..', 'hand-in'));
  const all = await withFolder(bounds);
  await withFolder(async (folder) => {
    all.push(...(await orders(folder)), ...(await results(folder)), ...(await history(folder)));
  });
  all.push(...(await withFolder(imports)));
  printTable(
    all.map(({ what, ms, processor, bytes, memory, isolate }) => ({
      [`${KINGDOMS.toLocaleString('en-US')} kingdoms × ${GOVERNORS}`]: what,
      time: milliseconds(ms),
      processor: milliseconds(processor),
      answer: mebibytes(bytes),
      isolate: mebibytes(isolate),
      'process above idle': mebibytes(memory),
    })),
  );
  const bar = (what: string, wanted: number): Bar => ({
    what: `milliseconds, ${what}`,
    reached: all.find((each) => each.what === what)?.ms ?? Number.NaN,
    wanted,
    below: true,
  });
  const memory = (what: string, bytes: readonly number[], wanted: number): Bar => ({
    what: `MiB ${what}`,
    reached: Math.max(...bytes) / 2 ** 20,
    wanted: wanted / 2 ** 20,
    below: true,
  });
  const [refusals, others] = [all.filter(isRefusal), all.filter((each) => !isRefusal(each))];
  judge([
    ...refusals.map(({ what }) => bar(what, 50)),
    memory(
      'added by orders that are refused',
      refusals.map((each) => each.memory),
      MOST_REFUSED,
    ),
    bar('order created', 2000),
    bar('list of orders', 500),
    bar('page 1,500 by power', 500),
    ...others.map((each) => memory(`held by the isolate, ${each.what}`, [each.isolate], MOST_HELD)),
  ]);
}

const isRefusal = ({ what }: Measured): boolean => what.startsWith('refused');
