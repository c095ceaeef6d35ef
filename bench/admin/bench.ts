import { join } from 'node:path';
import { migrate } from '../../scripts/migrate.ts';
import { withFolder } from '../folder.ts';
import { ask } from '../hand-in/service.ts';
import { type Call, signIn } from '../heavy.ts';
import { processorTime } from '../memory.ts';
import { sized } from '../quick.ts';
import { judge, milliseconds, printTable } from '../report.ts';
import { build, inWorkerd } from '../serve.ts';
import { serviceWorker } from '../service.ts';
import { fill, SIZES } from './fill.ts';

/**
 * Measures the lists of the admin console with a large service's data: processor time of a page, including the
 * simulated database. Prints the slowest filters of each.
 */

const PORT = 9350;
const WARM = sized(3, 1);
/** Processor time is counted in steps of 10 ms, so a page is read this often. */
const ROUNDS = sized(20, 1);
const MOST_MS = 50;

const DAY = new Date().toISOString().slice(0, 10);
const LATE = { orders: Math.round(SIZES.orders / 2), entries: Math.round(SIZES.entries / 2) };

/** Each list with its filters, and pages of single rows. */
const PATHS: readonly string[] = [
  'orders',
  `orders?before=${LATE.orders}`,
  'orders?search=player.00042',
  'orders?search=nobody-has-this-name',
  'orders?search=1204',
  'orders?user=Player 00042',
  'orders?kingdom=1204',
  'orders?game=cod',
  'orders?state=moving',
  'orders?state=results',
  'orders?state=failed',
  'orders?state=cancelled',
  `orders?from=${DAY}`,
  'orders?to=2020-01-01',
  `orders/${LATE.orders}`,
  'accounts',
  'accounts?search=0042',
  'accounts?search=nobody-has-this-name',
  'accounts?role=support',
  'accounts?state=locked',
  'accounts?state=unverified',
  'accounts?state=owing',
  'accounts?before=user-00100',
  'accounts/user-00042',
  'payments',
  'payments?search=player 00042',
  'payments?search=nobody-has-this-name',
  'payments?search=pi_42',
  'payments?state=open',
  'payments?state=taken_back',
  'payments?before=pay-42',
  'reconciliations',
  'reports',
  'reports?state=open',
  'reports?state=closed',
  'reports?order=30',
  'bots',
  'bots/bot-00042',
  'bots/bot-00042/work',
  'fleet',
  'groups',
  'activity',
  'activity?who=all',
  'activity?who=users',
  'activity?who=system',
  'activity?who=all&user=Player 00042',
  'activity?who=all&action=order.',
  'activity?who=all&action=nothing.starts.so',
  `activity?who=all&from=${DAY}`,
  'activity?who=all&to=2020-01-01',
  `activity?who=all&before=${LATE.entries}`,
  'outbox',
  'outbox?search=00042',
  'outbox?search=nobody-has-this-name',
  'outbox?state=given_up',
  'outbox?state=waiting',
  'events',
  'events?state=late',
  'access-codes',
  'access-codes/1/users',
  'news',
  'removals',
  'removals?open=true',
  'setbacks',
  'alerts',
  'figures',
  'trends',
  'metrics',
];

const EVENT = {
  game: 'rok',
  refresh_rate: 60,
  publication_delay: 0,
  kvk_id: 'C1',
  name: 'Event',
  camps: [{ name: 'Fire', kingdoms: ['1001', '1002'] }],
  start: Date.now() + 86_400_000,
  end: Date.now() + 30 * 86_400_000,
  dates: {},
  weights: {},
  gather: false,
};

interface Page {
  path: string;
  /** Of one reading, in ms. */
  processor: number;
  bytes: number;
}

async function page(call: Call, pid: number, path: string): Promise<Page> {
  const read = async () => (await (await call('GET', `/v1/admin/${path}`)).arrayBuffer()).byteLength;
  for (let round = 0; round < WARM; round++) await read();
  const before = processorTime(pid);
  let bytes = 0;
  for (let round = 0; round < ROUNDS; round++) bytes = await read();
  return { path, processor: (processorTime(pid) - before) / ROUNDS, bytes };
}

export async function run(): Promise<void> {
  await build(join(import.meta.dirname, '..', 'hand-in'));
  await withFolder(async (folder) => {
    const worker = serviceWorker(join('bench', 'hand-in'), 'worker.js', PORT + 1);
    const { miniflare, pid } = await inWorkerd(join(folder, 'admin'), PORT, [worker]);
    try {
      const service = { url: `http://127.0.0.1:${PORT + 1}`, pid, name: '', close: () => miniflare.dispose() };
      const db = await miniflare.getD1Database('DB');
      await migrate(db);
      await ask(service, 'prepare', { token: 'bench' });
      await db.prepare(`UPDATE users SET role = 'admin' WHERE username = 'bench'`).run();
      const call = await signIn(service);
      await call('POST', '/v1/admin/events', EVENT);
      await fill(db);
      const pages: Page[] = [];
      for (const path of PATHS) pages.push(await page(call, pid, path));
      printTable(
        pages.map(({ path, processor, bytes }) => ({
          [`/v1/admin with ${SIZES.orders.toLocaleString('en-US')} orders`]: path,
          processor: `${processor.toFixed(1)} ms`,
          answer: `${(bytes / 1024).toFixed(1)} kB`,
        })),
      );
      const slow = pages.toSorted((one, other) => other.processor - one.processor);
      console.log(
        `\n  slowest: ${slow
          .slice(0, 3)
          .map((each) => `${each.path} ${milliseconds(each.processor)}`)
          .join(', ')}`,
      );
      judge(
        pages.map(({ path, processor }) => ({
          what: `ms of processor, ${path}`,
          reached: processor,
          wanted: MOST_MS,
          below: true,
        })),
      );
    } finally {
      await miniflare.dispose();
    }
  });
}
