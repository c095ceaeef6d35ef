import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Task } from '../../domain/fleet/contract.ts';
import type { Row } from '../../domain/scans/rows.ts';
import { runBot } from '../../fleet/bot.ts';
import { fleetClient } from '../../fleet/client.ts';
import { COLUMNS, makeTable } from '../files/table.ts';
import { withFolder } from '../folder.ts';
import { sized } from '../quick.ts';
import { judge, median, milliseconds, printTable } from '../report.ts';
import { build } from '../serve.ts';
import { DELAY_MS } from '../trips/distant.ts';
import { ask, open, TOKEN } from './service.ts';

/** Many bots of the reference agent that work off a queue. */

interface Load {
  bots: number;
  /** Orders of a hundred subtasks each. */
  orders: number;
  /** Settings of the service that differ from the configured ones. */
  settings: Record<string, string>;
}

const ITEMS = 100;
const GOVERNORS = 100;
const READING_MS = 400;

const TABLE = makeTable(GOVERNORS);
const ROWS = Array.from({ length: GOVERNORS }, (_, row): Row => {
  const cells = COLUMNS.map((key) => [key, TABLE.texts[key]?.[row] ?? TABLE.numbers[key]?.[row] ?? null]);
  return Object.fromEntries(cells);
});
const rowsOf = ({ kingdom_id }: Pick<Task, 'kingdom_id'>): Row[] =>
  ROWS.map((row, rank) => ({ ...row, governor_id: kingdom_id * 1000 + rank, home_kingdom: kingdom_id }));

interface WorkedOff {
  ms: number;
  subtasks: number;
  /** Subtasks that were leased more than once. */
  again: number;
  /** How long each call of a bot took, in ms. */
  calls: number[];
}

/** Places orders, works them off, and returns how that went. */
async function workOff(state: string, { bots, orders, settings }: Load): Promise<WorkedOff> {
  const service = await open(state, undefined, undefined, undefined, settings);
  const stop = new AbortController();
  try {
    const user = await ask(service, 'prepare', { token: TOKEN });
    for (let order = 0; order < orders; order++)
      await ask(service, 'place', { user, from: 1 + order * ITEMS, count: ITEMS, governors: GOVERNORS });
    const told = new Map<string, number>();
    const trouble = {
      tell: (text: string) => void told.set(text, (told.get(text) ?? 0) + 1),
      over: () => undefined,
    };
    const calls: number[] = [];
    const timed: typeof fetch = async (input, init) => {
      const begun = performance.now();
      const answer = await fetch(input, init);
      calls.push(performance.now() - begun);
      return answer;
    };
    const start = performance.now();
    const running = Array.from({ length: bots }, (_, index) =>
      runBot(
        {
          ...{ number: index + 1, name: 'bench', paceMs: READING_MS, pollMs: 1000, trouble },
          client: fleetClient({ url: service.url, token: TOKEN, signal: stop.signal, fetch: timed }),
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
    const ms = performance.now() - start;
    stop.abort();
    await Promise.all(running);
    for (const [text, times] of told) console.log(`  told ${times} times: ${text}`);
    return { ms, subtasks: orders * ITEMS, again: state.again, calls };
  } finally {
    stop.abort();
    await service.close();
  }
}

/** As in a local copy: a tenth of the time that the fleet has in production. */
const SHORT_LEASES = { LEASE_SECONDS: '15' };

/** Gives bots more work than they can finish within a lease. Returns the share of subtasks read twice. */
export async function overload(folder: string): Promise<number> {
  const load = { bots: sized(100, 10), orders: sized(65, 1), settings: SHORT_LEASES };
  const { ms, subtasks, again } = await workOff(join(folder, 'overload'), load);
  const share = again / subtasks;
  printTable([
    {
      [`${load.bots} bots, ${subtasks.toLocaleString('en-US')} open items, leases of ${SHORT_LEASES.LEASE_SECONDS} s`]:
        '',
      took: milliseconds(ms),
      'read twice': `${again} (${(100 * share).toFixed(1)} %)`,
    },
  ]);
  return share;
}

/** Half of the capacity stays free at 10,000 subtasks an hour. */
const LEAST_AN_HOUR = 20_000;

/** Measures what a fleet of 500 bots gets through if the database, objects and buckets are a trip away. */
export async function fleet(): Promise<void> {
  await build(import.meta.dirname);
  await withFolder(async (folder) => {
    const load = { bots: sized(500, 10), orders: sized(100, 1), settings: { DISTANT: '1' } };
    const { ms, subtasks, again, calls } = await workOff(join(folder, 'fleet'), load);
    const hourly = (subtasks / ms) * 3_600_000;
    printTable([
      {
        [`${load.bots} bots, ${subtasks.toLocaleString('en-US')} subtasks, trips of ${DELAY_MS} ms`]: '',
        took: milliseconds(ms),
        'subtasks an hour': Math.round(hourly).toLocaleString('en-US'),
        'calls a second': ((calls.length / ms) * 1000).toFixed(1),
        'a call': milliseconds(median(calls)),
        'longest call': milliseconds(calls.reduce((most, each) => Math.max(most, each), 0)),
        'read twice': String(again),
      },
    ]);
    judge([
      { what: 'subtasks an hour', reached: hourly, wanted: LEAST_AN_HOUR },
      { what: '% of subtasks read twice', reached: (100 * again) / subtasks, wanted: 5, below: true },
    ]);
  });
}
