import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withFolder } from '../folder.ts';
import { ask, open, type Service } from '../hand-in/bench.ts';
import { forgetPeak, peak, processorTime, resident } from '../memory.ts';
import { type Bar, judge, mebibytes, milliseconds, printTable } from '../report.ts';
import { build } from '../serve.ts';

/**
 * An order of 1,000 kingdoms × 300 and a history of 5,000 governors × 90 days, as their user meets them: through the
 * service's routes. Results are published inside the Worker (scans.ts).
 */

const PORT = 9340;
const KINGDOMS = 1000;
const GOVERNORS = 300;
const AT_ONCE = 50;
const HISTORY = { kingdom: 90_000, governors: 5000, days: 90 };

type Call = (method: string, path: string, body?: unknown) => Promise<Response>;

/** The user of the benchmark, signed in. */
async function signIn({ url }: Service): Promise<Call> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const credentials = { username: 'bench', password: 'a password of some length' };
  const answer = await fetch(`${url}/v1/login`, { method: 'POST', headers, body: JSON.stringify(credentials) });
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response;
  };
}

interface Measured {
  what: string;
  ms: number;
  processor: number;
  bytes: number;
  memory: number;
}

/** Reads an answer to its end, in the fresh process or in one that has answered others. */
async function measured({ pid }: Service, what: string, ask: () => Promise<Response>): Promise<Measured> {
  await sleep(500);
  const [idle, used, start] = [resident(pid), processorTime(pid), performance.now()];
  forgetPeak(pid);
  let bytes = 0;
  for await (const chunk of (await ask()).body ?? []) bytes += chunk.length;
  return { what, ms: performance.now() - start, bytes, processor: processorTime(pid) - used, memory: peak(pid) - idle };
}

const entryOf = (type: string, kingdoms: number[], governors: number, price: number, more = {}) => ({
  type,
  params: { kingdoms: kingdoms.map(String), governors, ...more },
  fields: { Kingdoms: kingdoms.join(', '), Governors: String(governors) },
  price,
});

async function orders(state: string): Promise<Measured[]> {
  const service = await open(state, PORT);
  const all: Measured[] = [];
  try {
    await ask(service, 'prepare', { token: 'bench' });
    const call = await signIn(service);
    const kingdoms = Array.from({ length: KINGDOMS }, (_, index) => 20_000 + index);
    const entry = entryOf('rok-kingdom-scan', kingdoms, GOVERNORS, KINGDOMS * 1.5, { full_profile: true });
    all.push(await measured(service, 'order created', () => call('POST', '/v1/order/create', { orders: [entry] })));
    for (let from = 0; from < KINGDOMS; from += AT_ONCE)
      await ask(service, 'publish', { from, count: AT_ONCE, governors: GOVERNORS });
    all.push(await measured(service, 'list of orders', () => call('GET', '/v1/orders/')));
    await ask(service, 'remember', HISTORY);
  } finally {
    await service.close();
  }
  return all;
}

async function results(state: string): Promise<Measured[]> {
  const service = await open(state, PORT);
  const all: Measured[] = [];
  try {
    const call = await signIn(service);
    const page = (query: string) => () => call('GET', `/v1/order/1/download?type=json&all=true&count=100&${query}`);
    const file = (type: string) => () => call('GET', `/v1/order/1/download?type=${type}&all=true`);
    // The first of a fresh process; the others follow in it.
    all.push(await measured(service, 'first page by power', page('sort=Power')));
    all.push(await measured(service, 'page 1,500 by power', page('sort=Power&page=1499')));
    all.push(await measured(service, 'page 1,500 as stored', page('page=1499')));
    all.push(await measured(service, 'sums by kingdom and in all', () => call('GET', '/v1/order/1/combined')));
    all.push(await measured(service, 'the same again', () => call('GET', '/v1/order/1/combined')));
    all.push(await measured(service, 'json of all rows', file('json')));
  } finally {
    await service.close();
  }
  return all;
}

async function history(state: string): Promise<Measured[]> {
  const service = await open(state, PORT);
  try {
    const call = await signIn(service);
    const { kingdom, governors } = HISTORY;
    const made = await measured(service, 'history of 5,000 × 90 days', async () => {
      await call('POST', '/v1/order/create', { orders: [entryOf('rok-history', [kingdom], governors, 100)] });
      for (;;) {
        const list = await call('GET', '/v1/orders/');
        const { data } = (await list.clone().json()) as { data: { orders: { items: { state: string }[] }[] } };
        if (data.orders[0]?.items[0]?.state === 'done') return list;
        await sleep(100);
      }
    });
    const page = () => call('GET', '/v1/order/2/download?type=json&count=100&page=2000');
    return [made, await measured(service, 'a page of it', page)];
  } finally {
    await service.close();
  }
}

export async function run(): Promise<void> {
  await build(join(import.meta.dirname, '..', 'hand-in'));
  await withFolder(async (folder) => {
    const all = [...(await orders(folder)), ...(await results(folder)), ...(await history(folder))];
    printTable(
      all.map(({ what, ms, processor, bytes, memory }) => ({
        [`${KINGDOMS.toLocaleString('en-US')} kingdoms × ${GOVERNORS}`]: what,
        time: milliseconds(ms),
        processor: milliseconds(processor),
        answer: mebibytes(bytes),
        'above idle': mebibytes(memory),
      })),
    );
    const bar = (what: string, wanted: number): Bar => ({
      what: `milliseconds, ${what}`,
      reached: all.find((each) => each.what === what)?.ms ?? Number.NaN,
      wanted,
      below: true,
    });
    judge([bar('order created', 2000), bar('list of orders', 500), bar('page 1,500 by power', 500)]);
  });
}
