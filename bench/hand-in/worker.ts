import { setTimeout as sleep } from 'node:timers/promises';
import { FIRST_LICENCE_VERSION } from '../../domain/accounts/eula.ts';
import { handIn } from '../../domain/fleet/contract.ts';
import { say } from '../../domain/language/text.ts';
import { priceEntry } from '../../domain/orders/entry.ts';
import { configuredSale } from '../../domain/orders/sale.ts';
import { checkColumns } from '../../domain/scans/rows.ts';
import { packColumns } from '../../domain/scans/staged.ts';
import { OrderProgress as ServiceOrderProgress } from '../../durable-objects/order-progress.ts';
import { intercepted } from '../../stand-ins/database.ts';
import { runCron } from '../../worker/cron.ts';
import { openDb } from '../../worker/db/open.ts';
import type { Env } from '../../worker/env.ts';
import {
  arrived,
  type Body,
  dropArrived,
  dropUpload,
  keepArrived,
  putArriving,
} from '../../worker/gateways/own-files.ts';
import service from '../../worker/index.ts';
import { createUser } from '../../worker/models/accounts/accounts.ts';
import { createGroup } from '../../worker/models/fleet/bots.ts';
import { post } from '../../worker/models/money/ledger.ts';
import { writeOrder } from '../../worker/models/orders/placing.ts';
import { publishItems, rememberKingdom } from '../large-orders/scans.ts';
import { distant } from '../trips/distant.ts';

export { DashboardCache } from '../../durable-objects/dashboard-cache.ts';
export { UserSockets } from '../../durable-objects/user-sockets.ts';

/** Returns bindings that are a trip away if the benchmark asks for it. */
const placed = (env: Env): Env => ((env as Env & { DISTANT?: string }).DISTANT === '1' ? distant(env) : env);

export class OrderProgress extends ServiceOrderProgress {
  constructor(state: ConstructorParameters<typeof ServiceOrderProgress>[0], env: Env) {
    super(state, placed(env));
  }
}

/** Creates a user who can pay for everything, one with nothing, and the bots' group. */
async function prepare(env: Env, token: string): Promise<string> {
  const db = openDb(env);
  const password = 'a password of some length';
  const [userId] = await Promise.all(
    ['bench', 'poor'].map((username) =>
      createUser(db, { username, email: `${username}@example.com`, password, eula_version: FIRST_LICENCE_VERSION }),
    ),
  );
  if (!userId) throw new Error('no user was made');
  await post(db, { userId, amount: 100_000_000, kind: 'top_up', reference: 'bench' });
  await createGroup(db, 'bench', 'bench', token);
  return userId;
}

/** Places an order of `count` kingdoms starting at `from`, with `governors` each. */
async function place(env: Env, userId: string, from: number, count: number, governors: number): Promise<void> {
  const kingdoms = Array.from({ length: count }, (_, index) => String(from + index));
  const params = { kingdoms, governors, full_profile: true };
  const priced = priceEntry(
    { type: 'rok-kingdom-scan', params, price: 0 },
    configuredSale(env.READY_PRODUCTS),
    Date.now(),
  );
  if ('flaw' in priced) throw new Error(say(priced.flaw));
  const order = { userId, entries: [priced], idempotencyKey: null, requestHash: '' };
  const { outcome } = await writeOrder(openDb(env), order);
  if (outcome !== 'placed') throw new Error(outcome);
}

/** Reads and checks a hand-in like the route, without storing it. Returns its number of rows. */
function check(text: string, kingdoms: readonly number[]): number {
  let rows = 0;
  for (const [index, { columns }] of handIn.parse(JSON.parse(text)).results.entries()) {
    const flaw = checkColumns('rok', columns, { kingdom: kingdoms[index] ?? 0, ranks: 100 });
    if (flaw) throw new Error(flaw);
    rows += packColumns('rok', columns).length > 0 ? (columns.governor_id?.length ?? 0) : 0;
  }
  return rows;
}

/** Stores a file as an upload is stored, with the same transfers, and does nothing else. */
async function store({ STORE }: Env, body: Request['body']): Promise<void> {
  const [user, file] = ['bench', crypto.randomUUID()];
  const key = await putArriving(STORE, user, body as Body);
  await arrived(STORE, key);
  await keepArrived(STORE, key, user, file);
  await dropArrived(STORE, key);
  await dropUpload(STORE, user, file);
}

/** Returns bindings whose database is a trip of `ms` away. */
const far = (env: Env, ms: number): Env => ({ ...env, DB: intercepted(env.DB, () => sleep(ms)) });

/** Creates schedules of one small order each, due now. */
async function schedule({ DB }: Env, user: string, count: number): Promise<void> {
  const params = { kingdoms: ['1'], governors: 100, full_profile: true };
  const entries = JSON.stringify([{ type: 'rok-kingdom-scan', params, price: 0.5 }]);
  await DB.prepare(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?4)
     INSERT INTO schedules (user_id, created_at, entries, start_at, period, "interval", next_at)
     SELECT ?1, ?2, ?3, ?2, 'day', 1, ?2 FROM numbers`,
  )
    .bind(user, Date.now() - 60_000, entries, count)
    .run();
}

async function work(request: Request, env: Env, url: URL): Promise<unknown> {
  const parameter = (name: string) => url.searchParams.get(name) ?? '';
  const number = (name: string) => Number(parameter(name));
  switch (url.pathname) {
    case '/bench/prepare':
      return prepare(env, parameter('token'));
    case '/bench/place':
      return place(env, parameter('user'), number('from'), number('count'), number('governors'));
    case '/bench/check':
      return check(await request.text(), parameter('kingdoms').split(',').map(Number));
    case '/bench/store':
      return store(env, request.body);
    case '/bench/publish':
      return publishItems(env, number('from'), number('count'), number('governors'));
    case '/bench/remember':
      return rememberKingdom(env, number('kingdom'), number('governors'), number('days'));
    case '/bench/minute':
      await runCron('* * * * *', far(env, number('trip')), Date.now() + number('minute') * 60_000);
      return env.DB.prepare('SELECT count(*) AS undigested FROM kingdoms WHERE digested_at < captured_at').first();
    case '/bench/schedules':
      await schedule(env, parameter('user'), number('count'));
      return null;
    case '/bench/runs':
      return env.DB.prepare(
        `SELECT coalesce(sum(outcome = 'placed'), 0) AS placed, coalesce(sum(outcome <> 'placed'), 0) AS missed FROM runs`,
      ).first();
    case '/bench/work':
      return env.DB.prepare(
        `SELECT coalesce(sum(state IN ('waiting', 'leased')), 0) AS waiting, coalesce(sum(attempts > 1), 0) AS again
         FROM subtasks`,
      ).first();
    default:
      return env.DB.prepare(
        `SELECT coalesce(sum(state IN ('open', 'finishing')), 0) AS left, coalesce(sum(state = 'failed'), 0) AS failed,
           (SELECT coalesce(sum(rows), 0) FROM snapshots) AS rows
         FROM items`,
      ).first();
  }
}

type Call = Parameters<typeof service.fetch>;

export default {
  async fetch(request: Request, env: Env, context: Call[2]): Promise<Response> {
    const url = new URL(request.url);
    if (url.pathname.startsWith('/bench/')) return Response.json((await work(request, env, url)) ?? null);
    return service.fetch(request as Call[0], placed(env), context);
  },
};
