import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Task } from '../../domain/fleet/contract.ts';
import type { Row } from '../../domain/scans/rows.ts';
import { runBot } from '../../fleet/bot.ts';
import { fleetClient } from '../../fleet/client.ts';
import { COLUMNS, makeTable } from '../files/table.ts';
import { sized } from '../quick.ts';
import { milliseconds, printTable } from '../report.ts';
import { ask, open, TOKEN } from './service.ts';

/** Gives the service more work than it can finish within a lease, and measures how much is read twice. */

const BOTS = sized(100, 10);
const ORDERS = sized(65, 1);
const ITEMS = 100;
const GOVERNORS = 100;
/** As in a local copy: a tenth of the time that the fleet has in production. */
const LEASE_SECONDS = '15';
const READING_MS = 400;

const TABLE = makeTable(GOVERNORS);
const ROWS = Array.from({ length: GOVERNORS }, (_, row): Row => {
  const cells = COLUMNS.map((key) => [key, TABLE.texts[key]?.[row] ?? TABLE.numbers[key]?.[row] ?? null]);
  return Object.fromEntries(cells);
});
const rowsOf = ({ kingdom_id }: Pick<Task, 'kingdom_id'>): Row[] =>
  ROWS.map((row, rank) => ({ ...row, governor_id: kingdom_id * 1000 + rank, home_kingdom: kingdom_id }));

/** Returns the share of subtasks read twice while the reference agent's bots work on all items. */
export async function overload(folder: string): Promise<number> {
  const service = await open(join(folder, 'overload'), undefined, undefined, undefined, { LEASE_SECONDS });
  const stop = new AbortController();
  try {
    const user = await ask(service, 'prepare', { token: TOKEN });
    for (let order = 0; order < ORDERS; order++)
      await ask(service, 'place', { user, from: 1 + order * ITEMS, count: ITEMS, governors: GOVERNORS });
    const told = new Map<string, number>();
    const trouble = {
      tell: (text: string) => void told.set(text, (told.get(text) ?? 0) + 1),
      over: () => undefined,
    };
    const start = performance.now();
    const bots = Array.from({ length: BOTS }, (_, index) =>
      runBot(
        {
          ...{ number: index + 1, name: 'bench', paceMs: READING_MS, pollMs: 1000, trouble },
          client: fleetClient({ url: service.url, token: TOKEN, signal: stop.signal }),
          scans: async (task) => ({ captured_at: Date.now(), source: 'bench', rows: rowsOf(task) }),
          canScan: async () => ({ rok: 'all' }),
          onClock: () => undefined,
          refused: () => stop.abort(),
        },
        stop.signal,
      ),
    );
    let state = { waiting: 1, again: 0 };
    while (state.waiting > 0) {
      await sleep(1000);
      state = (await ask(service, 'work')) as typeof state;
    }
    const took = performance.now() - start;
    stop.abort();
    await Promise.all(bots);
    const share = state.again / (ORDERS * ITEMS);
    printTable([
      {
        [`${BOTS} bots, ${(ORDERS * ITEMS).toLocaleString('en-US')} open items, leases of ${LEASE_SECONDS} s`]: '',
        took: milliseconds(took),
        'read twice': `${state.again} (${(100 * share).toFixed(1)} %)`,
      },
    ]);
    for (const [text, times] of told) console.log(`  told ${times} times: ${text}`);
    return share;
  } finally {
    stop.abort();
    await service.close();
  }
}
