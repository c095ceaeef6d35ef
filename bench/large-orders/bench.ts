import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_ITEMS_PER_ORDER, MAX_RANKS_PER_ORDER } from '../../domain/orders/catalogue.ts';
import { MAX_ORDER_BYTES } from '../../domain/orders/contract.ts';
import { withFolder } from '../folder.ts';
import { ask } from '../hand-in/service.ts';
import { type Call, HEAP_MB, heldBars, inHeap, type Measured, measured, print, signIn } from '../heavy.ts';
import { sized } from '../quick.ts';
import { type Bar, judge } from '../report.ts';
import { build } from '../serve.ts';

/**
 * Measures an order of 1,000 kingdoms × 300 and a history of 5,000 governors × 90 days, through the service's routes.
 * Results are published inside the Worker (scans.ts).
 */

const KINGDOMS = sized(1000, 20);
const GOVERNORS = 300;
const AT_ONCE = 50;
const HISTORY = { kingdom: 90_000, governors: 5000, days: sized(90, 7) };

/** Placing orders must work in half of an isolate's memory. */
const ORDER_HEAP_MB = 64;
const MOST_REFUSED = 10 * 2 ** 20;
const LARGEST = 'largest order created (5,000 × 400)';

const entryOf = (type: string, kingdoms: number[], governors: number, price: number, more = {}) => ({
  type,
  params: { kingdoms: kingdoms.map(String), governors, ...more },
  fields: { Kingdoms: kingdoms.join(', '), Governors: String(governors) },
  price,
});

/** Makes a call that expects its order to be refused with a status. */
const refused = (call: Call, status: number, body: unknown) => async () => {
  const answer = await call('POST', '/v1/order/create', body, true);
  if (answer.status !== status) throw new Error(`${answer.status} where ${status} was expected`);
  return answer;
};

const from = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);
const scan = (kingdoms: number[], governors: number) =>
  entryOf('rok-kingdom-scan', kingdoms, governors, (kingdoms.length * governors) / 200, { full_profile: true });

/** Measures refused orders and the largest possible one, in the least memory. */
async function bounds(state: string): Promise<Measured[]> {
  const all: Measured[] = [];
  await inHeap(ORDER_HEAP_MB, state, async (service) => {
    await ask(service, 'prepare', { token: 'bench' });
    const poor = await signIn(service, 'poor');
    const rich = await signIn(service);
    const most = scan(from(10_000, MAX_ITEMS_PER_ORDER), MAX_RANKS_PER_ORDER / MAX_ITEMS_PER_ORDER);
    const schedule = { scheduleInfo: { period: 'minute', interval: 1 } };
    const heavy = { ...scan(from(20_000, KINGDOMS), GOVERNORS), fields: { note: 'x'.repeat(MAX_ORDER_BYTES) } };
    const heavier = { ...scan(from(20_000, KINGDOMS), GOVERNORS), fields: { note: 'x'.repeat(180_000) } };
    // The first calls of a process compile code.
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
  // Results are published directly instead of through bots.
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

/** Measures groups of calls, each group in a process of its own. */
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
    all.push(await measured(service, `history of 5,000 × ${HISTORY.days} days`, make));
    const path = '/v1/order/2/download?type=json&count=100&page=2000';
    all.push(await measured(service, 'a page of it', () => call('GET', path)));
  });
  return all;
}

export async function run(): Promise<void> {
  await build(join(import.meta.dirname, '..', 'hand-in'));
  const all = await withFolder(bounds);
  await withFolder(async (folder) => {
    all.push(...(await orders(folder)), ...(await results(folder)), ...(await history(folder)));
  });
  print(`${KINGDOMS.toLocaleString('en-US')} kingdoms × ${GOVERNORS}`, all);
  const bar = (what: string, wanted: number): Bar => ({
    what: `milliseconds, ${what}`,
    reached: all.find((each) => each.what === what)?.ms ?? Number.NaN,
    wanted,
    below: true,
  });
  const [refusals, others] = [all.filter(isRefusal), all.filter((each) => !isRefusal(each))];
  judge([
    ...refusals.map(({ what }) => bar(what, 50)),
    {
      what: 'MiB added by orders that are refused',
      reached: Math.max(...refusals.map((each) => each.memory)) / 2 ** 20,
      wanted: MOST_REFUSED / 2 ** 20,
      below: true,
    },
    bar('order created', 2000),
    bar('list of orders', 500),
    bar('page 1,500 by power', 500),
    ...heldBars(others),
  ]);
}

const isRefusal = ({ what }: Measured): boolean => what.startsWith('refused');
