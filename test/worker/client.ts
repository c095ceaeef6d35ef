import { createExecutionContext, createScheduledController, waitOnExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { expect } from 'vitest';
import { FIRST_LICENCE_VERSION } from '../../domain/accounts/eula.ts';
import type { Task } from '../../domain/fleet/contract.ts';
import { GAMES, type GameId } from '../../domain/games/games.ts';
import type { WireColumns } from '../../domain/scans/rows.ts';
import { app } from '../../worker/app.ts';
import { openDb } from '../../worker/db/open.ts';
import { users } from '../../worker/db/schema.ts';
import type { Env } from '../../worker/env.ts';
import worker from '../../worker/index.ts';
import { createGroup } from '../../worker/models/fleet/bots.ts';
import { post } from '../../worker/models/money/ledger.ts';
import { eventually } from '../support/eventually.ts';

/** Callers of the Worker's fetch handler: a browser with cookies, a bot with a token. */

export const db = openDb(env);

/** A call's answer: the status and the envelope. */
export interface Answer {
  status: number;
  success: 0 | 1;
  msg: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of the answer that it asked for.
  data: any;
}

export interface Caller {
  fetch(path: string, init?: RequestInit): Promise<Response>;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

/** Returns a caller that keeps cookies as a browser does and sends these headers with every call. */
export function caller(headers: Record<string, string> = {}): Caller {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const all = new Headers({ ...headers, ...(init.headers as Record<string, string>) });
    if (cookies.size) all.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await exports.default.fetch(`http://muster.test${path}`, { ...init, headers: all });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  return {
    fetch: send,
    async call(method, path, body, extra = {}) {
      const response = await send(path, {
        method,
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...extra,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      // Differs each time; test/worker/traces.test.ts checks it.
      const { request_id: _, ...envelope } = (await response.json()) as Omit<Answer, 'status'> & {
        request_id?: string;
      };
      return { ...envelope, status: response.status };
    },
  };
}

/** Returns the bindings of a deployment: configured, over TLS, not local. */
export const production = (changes: Partial<Env> = {}): Env => ({
  ...env,
  ENVIRONMENT: 'production',
  SITE_ORIGIN: 'https://muster.test',
  MAIL_FROM: 'no-reply@muster.test',
  SUPPORT_EMAIL: 'support@muster.test',
  CHAT_INVITE: 'https://chat.test/join',
  IMPRINT: 'War Ltd, support@muster.test',
  STRIPE_API_BASE: '',
  DISCORD_API_BASE: '',
  STRIPE_SECRET_KEY: 'sk_live_only',
  ...changes,
});

/** Calls the app with other bindings. */
export async function send(
  path: string,
  init: RequestInit,
  bindings: Env,
  origin = 'https://muster.test',
): Promise<Response> {
  const context = createExecutionContext();
  const response = await app.fetch(new Request(origin + path, init), bindings, context);
  await waitOnExecutionContext(context);
  return response;
}

/** Returns the options of a POST request with a JSON body. */
export const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

/** The password of all test users. */
export const PASSWORD = 'four unrelated words here';
// A real hash takes a quarter of a second to make and to check. This one has low parameters, which are part of it.
const PASSWORD_HASH = 'scrypt$2$1$1$AAAAAAAAAAAAAAAAAAAAAA$uZ9H5frjwpqPApnACTmznjI21FlczNFHY76EZyKB1jA';

/** Inserts a user with PASSWORD, an accepted licence and a verified address; `about` overrides fields. */
export async function insertUser(about: Partial<typeof users.$inferInsert> = {}) {
  const id = crypto.randomUUID();
  const username = about.username ?? `user-${id.slice(0, 8)}`;
  const email = about.email ?? `${username}@example.com`;
  const now = Date.now();
  await db.insert(users).values({
    id,
    username,
    username_key: username.toLowerCase(),
    email,
    email_key: email.toLowerCase(),
    password_hash: PASSWORD_HASH,
    eula_version: FIRST_LICENCE_VERSION,
    verified_at: now,
    created_at: now,
    ...about,
  });
  return { id, username, email };
}

export interface Person extends Caller {
  id: string;
  username: string;
  email: string;
  /** Signs in (again). `extra` adds fields, such as a code of the second factor. */
  signIn(extra?: object): Promise<Answer>;
}

/** Returns such a user, signed in with a browser of their own. */
export async function person(about: Partial<typeof users.$inferInsert> = {}): Promise<Person> {
  const user = await insertUser(about);
  const browser = caller();
  const signIn = (extra = {}) =>
    browser.call('POST', '/v1/login', { username: user.username, password: PASSWORD, ...extra });
  const { status, msg } = await signIn();
  if (status !== 200) throw new Error(`sign-in failed: ${msg}`);
  return { ...browser, ...user, signIn };
}

/** Returns a new signed-in user with this balance. Each test makes its own, because tests of a file share storage. */
export async function signedInUser(balance = 10_000): Promise<Person> {
  const user = await person();
  if (balance > 0) await post(db, { userId: user.id, amount: balance, kind: 'top_up', reference: `test:${user.id}` });
  return user;
}

/** Makes an API key through the API, as the pages do. */
export const makeKey = (user: Person, scopes: readonly string[] = ['read', 'order'], about: object = {}) =>
  user.call('POST', '/v1/account/keys', { name: 'test', scopes, current_password: PASSWORD, ...about });

/** Returns a new admin, signed in. */
export const signedInAdmin = (): Promise<Person> => person({ role: 'admin' });

export type Bot = Caller & { name: string };

/** Returns a bot of a new group. */
export async function bot(name = 'bot-1'): Promise<Bot> {
  const token = `token-${crypto.randomUUID()}`;
  await createGroup(db, crypto.randomUUID(), 'test group', token);
  return { ...caller({ authorization: `Bearer ${token}` }), name };
}

/** Leases work for a bot. */
export const lease = async (worker: Bot, count = 1, games = ['rok', 'cod']): Promise<Task[]> =>
  (await worker.call('POST', '/v1/fleet/lease', { bot_id: worker.name, games, count })).data.tasks;

/** Returns the user's newest order, as their list has it. */
export const newestOrder = async (user: Caller) => (await user.call('GET', '/v1/orders/')).data.orders[0];

/** Returns the user's balance in dollars. */
export const balanceOf = async (user: Caller): Promise<number> => (await user.call('GET', '/v1/account')).data.balance;

/** Returns an order entry for a kingdom scan, with the right price. */
export function scanOf(kingdoms: (string | number)[], governors = 100, full_profile = true) {
  return {
    type: 'rok-kingdom-scan',
    group_name: 'Rise of Kingdoms',
    product_name: 'Kingdom scan',
    params: { kingdoms: kingdoms.map(String), governors, full_profile },
    fields: { Kingdoms: kingdoms.join(', '), Governors: String(governors) },
    price: 0.5 * Math.ceil(governors / 100) * kingdoms.length,
  };
}

/**
 * Returns columns of made-up governors for the ranks of a task. Kingdom and rank determine the ids, tiers the kill
 * points.
 */
export function columnsFor(
  task: Pick<Task, 'game' | 'kingdom_id' | 'from_rank' | 'to_rank'>,
  most = Infinity,
): WireColumns {
  const { roles } = GAMES[task.game as GameId];
  const ranks: number[] = [];
  for (let rank = task.from_rank; rank <= Math.min(task.to_rank, most); rank++) ranks.push(rank);
  const of = (value: (rank: number) => string | number) => ranks.map(value);
  const tier = (rank: number, level: number) => 1_000_000 * level - rank * 7 * level;
  const columns: WireColumns = {
    [roles.id]: of((rank) => task.kingdom_id * 100_000 + rank),
    [roles.name]: of((rank) => `Governor ${rank} of ${task.kingdom_id}`),
    [roles.tag]: of((rank) => `T${rank % 5}`),
    [roles.kingdom]: of(() => task.kingdom_id),
    [roles.power]: of((rank) => 100_000_000 - rank * 1000),
    [roles.highestPower]: of((rank) => 110_000_000 - rank * 1000),
    [roles.deads]: of((rank) => 5_000_000 - rank),
    [roles.hall]: of(() => 25),
    [roles.score]: of(
      (rank) =>
        Math.floor(tier(rank, 1) / 5) + 2 * tier(rank, 2) + 4 * tier(rank, 3) + 10 * tier(rank, 4) + 20 * tier(rank, 5),
    ),
  };
  roles.tiers.forEach((key, index) => {
    columns[key] = of((rank) => tier(rank, index + 1));
  });
  return columns;
}

/** Leases subtasks and hands in made-up rows until none is waiting. Returns the number of subtasks. */
export async function work(worker: Bot, most = Infinity): Promise<number> {
  for (let done = 0; ; ) {
    const { data } = await worker.call('POST', '/v1/fleet/lease', {
      bot_id: worker.name,
      games: ['rok', 'cod'],
      count: 5,
    });
    const tasks = data.tasks as Task[];
    if (tasks.length === 0) return done;
    const results = tasks.map((task) => ({
      subtask_id: task.subtask_id,
      lease: task.lease,
      captured_at: Date.now(),
      source: 'made up',
      columns: columnsFor(task, most),
    }));
    const { status, msg } = await worker.call('POST', '/v1/fleet/rows', { bot_id: worker.name, results });
    if (status !== 200) throw new Error(msg);
    done += tasks.length;
  }
}

/** Fires a cron as the platform does, for that time (epoch milliseconds), and waits for its work. */
export const fireCron = (cron: string, at = Date.now()): Promise<void> =>
  worker.scheduled(createScheduledController({ cron, scheduledTime: new Date(at) }), env);

/** Waits until none of a user's orders is in progress, and returns the newest one. */
export const settled = (user: Caller) =>
  eventually(async () => {
    const { data } = await user.call('GET', '/v1/orders/');
    expect(data.live).toBe(false);
    return data.orders[0];
  });
