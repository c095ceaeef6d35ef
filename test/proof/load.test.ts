import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { printTable } from '../../bench/report.ts';
import { runAgent } from '../../fleet/run-agent.ts';
import { build } from '../../scripts/build.ts';
import { BALANCE, insertUser, signIn } from './crowd.ts';
import { type Answered, hasFailed, isPutOff, measured, readySource, tableOf } from './measured-calls.ts';
import { type OwnCopy, openCopy } from './own-copy.ts';

/**
 * 200 users and 100 bots use one copy of the service for five minutes (LOAD_SECONDS=60 for one), undisturbed and with
 * workerd killed every fifty seconds. Afterwards every order exists once, is delivered whole, and is paid once.
 */

const SECONDS = Number(process.env.LOAD_SECONDS ?? 300);
const KILL_EVERY_MS = 50_000;
const USERS = 200;
const BOTS = 100;
const KINGDOMS = Array.from({ length: 40 }, (_, index) => 1001 + index);
const GOVERNORS = 500;
/** The average wait of a user between two calls, in ms. */
const THINKING_MS = 3000;
/** How often an order is sent, a second apart, until it is answered. */
const TRIES = 60;
/** A user's actions, each listed as often as its weight. */
const HABITS = [
  ...Array(4).fill('orders'),
  ...Array(3).fill('account'),
  ...Array(2).fill('results'),
  ...['products', 'place', 'place'],
] as const;

let copy: OwnCopy;
beforeAll(build);
afterEach(() => copy?.remove());

class User {
  readonly answered: Answered[] = [];
  /** The orders that the service confirmed, with their prices in cents. */
  readonly bought = new Map<number, number>();
  readonly id: string;
  readonly #address: string;
  readonly #cookie: string;
  #item = '';

  constructor(address: string, id: string, cookie: string) {
    this.#address = address;
    this.id = id;
    this.#cookie = cookie;
  }

  async live(until: number): Promise<void> {
    await sleep(Math.random() * THINKING_MS);
    while (Date.now() < until) {
      await this.#does(HABITS[Math.floor(Math.random() * HABITS.length)] as string);
      await sleep(Math.random() * 2 * THINKING_MS);
    }
  }

  async #does(what: string): Promise<void> {
    if (what === 'place') return this.#place();
    if (what === 'account') return void (await this.#call('account', 'GET', '/v1/account'));
    if (what === 'products') return void (await this.#call('products', 'GET', '/v1/products/list'));
    if (what === 'results' && this.#item !== '')
      return void (await this.#call('results', 'GET', `/v1/order/${this.#item}/download?type=json&count=100`));
    const data = (await this.#call('orders', 'GET', '/v1/orders/')) as
      | { orders: { items: { item_id: string; has_results: boolean }[] }[] }
      | undefined;
    this.#item =
      data?.orders.flatMap(({ items }) => items).find(({ has_results }) => has_results)?.item_id ?? this.#item;
  }

  async #place(): Promise<void> {
    const first = Math.floor(Math.random() * (KINGDOMS.length - 2));
    const kingdoms = KINGDOMS.slice(first, first + 1 + Math.floor(Math.random() * 2));
    const governors = 100 * (1 + Math.floor(Math.random() * 3));
    const price = (governors / 100) * 0.5 * kingdoms.length;
    const params = { kingdoms: kingdoms.map(String), governors, full_profile: true };
    const orders = [{ type: 'rok-kingdom-scan', params, fields: {}, price }];
    const key = crypto.randomUUID();
    const once = () => this.#call('place', 'POST', '/v1/order/create', { orders }, { 'idempotency-key': key });
    // Without an answer, the order is sent again with the same key.
    const place = async () => {
      for (let tries = 1; ; tries++) {
        const data = await once();
        if (data !== undefined || tries === TRIES) return data;
        await sleep(1000);
      }
    };
    // A double click makes one order.
    const twice = Math.random() < 0.1 ? [place(), place()] : [place()];
    for (const data of (await Promise.all(twice)) as ({ order_id: number } | undefined)[])
      if (data) this.bought.set(data.order_id, price * 100);
  }

  async #call(what: string, method: string, path: string, body?: object, headers = {}): Promise<unknown> {
    const begun = performance.now();
    const note = (status: number, told = '') =>
      this.answered.push({ what, ms: performance.now() - begun, status, told });
    try {
      const answer = await fetch(this.#address + path, {
        method,
        headers: { cookie: this.#cookie, accept: 'application/json', 'content-type': 'application/json', ...headers },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await answer.text();
      note(answer.status, answer.ok ? '' : text.slice(0, 200));
      return answer.ok ? JSON.parse(text).data : undefined;
    } catch (error) {
      note(0, String(error));
      return undefined;
    }
  }
}

/** Kills workerd every fifty seconds until then. Returns the number of kills. */
async function killUntil(until: number): Promise<number> {
  let kills = 0;
  for (; Date.now() + KILL_EVERY_MS < until; kills++) {
    await sleep(KILL_EVERY_MS);
    await copy.kill();
  }
  return kills;
}

test.each([
  { how: 'undisturbed', isKilled: false },
  { how: 'with kill -9 of workerd', isKilled: true },
])(
  `${USERS} users and ${BOTS} bots for ${SECONDS} s, $how: nothing is lost, or paid twice`,
  async ({ isKilled }) => {
    // A lease whose answer was lost runs out before its subtask is read.
    copy = await openCopy(isKilled ? 60 : 300);
    const { runtime, figure } = copy;
    const users: User[] = [];
    for (let index = 0; index < USERS; index++) {
      const name = `load${index}`;
      const id = await insertUser(runtime, name);
      users.push(new User(runtime.address, id, await signIn(runtime.address, name)));
    }
    const stop = new AbortController();
    const ofBots: Answered[] = [];
    const troubles = new Set<string>();
    const agent = runAgent(
      {
        url: runtime.address,
        token: await copy.group('load'),
        source: readySource(KINGDOMS, GOVERNORS),
        bots: BOTS,
        paceMs: 400,
        pollMs: 5000,
        fetch: measured(ofBots, stop.signal) as never,
        trouble: { tell: (text) => troubles.add(text), over: () => undefined },
      },
      stop.signal,
    );
    const begun = Date.now();
    const until = begun + SECONDS * 1000;
    const [kills] = await Promise.all([isKilled ? killUntil(until) : 0, ...users.map((user) => user.live(until))]);
    const seconds = (Date.now() - begun) / 1000;
    const settling = Date.now();
    await copy.untilSettled(isKilled ? 400_000 : 180_000);
    const settled = (Date.now() - settling) / 1000;
    stop.abort();
    await agent;

    const answered = [...users.flatMap((user) => user.answered), ...ofBots];
    const bought = new Map(users.flatMap((user) => [...user.bought]));
    const returned = await figure(`SELECT coalesce(sum(returned_cents), 0) AS n FROM items`);
    const subtasks = await figure('SELECT count(*) AS n FROM subtasks');
    const again = await figure('SELECT count(*) AS n FROM subtasks WHERE attempts > 1');
    const reconciliation = [
      ['kills', kills],
      ['orders that users were told of', bought.size],
      ['orders in the database', await figure('SELECT count(*) AS n FROM orders')],
      ['items', await figure('SELECT count(*) AS n FROM items')],
      ['items delivered', await figure(`SELECT count(*) AS n FROM items WHERE state = 'done' AND failed_count = 0`)],
      ['items with fewer rows than bought', await figure(SHORT)],
      ['subtasks', subtasks],
      ['subtasks read more than once', again],
      ['leases put off while rows came in', answered.filter(isPutOff).length],
      [
        'charged by the ledger, cents',
        -(await figure(`SELECT coalesce(sum(amount_cents), 0) AS n FROM ledger_entries WHERE kind = 'charge'`)),
      ],
      ['bought, cents', [...bought.values()].reduce((sum, cents) => sum + cents, 0)],
      ['returned, cents', returned],
      ['balances, cents', await figure('SELECT sum(balance_cents) AS n FROM users')],
    ] as const;
    const write = (line: string) => process.stdout.write(`${line}\n`);
    printTable(tableOf(answered, seconds), write);
    printTable(
      reconciliation.map(([what, count]) => ({ what, count: String(count) })),
      write,
    );
    write(`  settled ${settled.toFixed(1)} s after the last call`);

    const failed = answered.filter(hasFailed);
    const cutOff = failed.filter(({ status }) => isKilled && status === 0);
    expect(failed.filter((answer) => !cutOff.includes(answer)).slice(0, 5)).toEqual([]);
    expect(kills > 0).toBe(isKilled);
    if (!isKilled) expect([...troubles]).toEqual([]);
    const counted = Object.fromEntries(reconciliation);
    expect(counted['orders in the database']).toBe(bought.size);
    expect(counted['items delivered']).toBe(counted.items);
    expect(counted['items with fewer rows than bought']).toBe(0);
    expect(counted['charged by the ledger, cents']).toBe(counted['bought, cents']);
    expect(counted['balances, cents']).toBe(USERS * BALANCE - (counted['bought, cents'] ?? 0) + returned);
    expect(again / subtasks).toBeLessThanOrEqual(0.05);
    expect(await copy.verify()).toEqual([]);
  },
  (SECONDS + 600) * 1000,
);

const SHORT = `SELECT count(*) AS n FROM items JOIN snapshots ON snapshots.id = items.snapshot_id
  WHERE snapshots.rows <> items.governors`;
