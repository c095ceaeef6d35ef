import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { DAY_MS, dayOf, dayStart } from '../../domain/days.ts';
import { fireCron, scanOf, signedInUser } from './client.ts';
import { governor, publishRows } from './scans.ts';

/** Reads of a kingdom's or a governor's past use an index by kingdom or governor. */

/** A scan, or a search by game alone: it reads every row of the game, which may be millions. */
const WHOLE_GAME = /^(SCAN|SEARCH) (known|now|before|seen|moved|change|governors|governor_changes)\b/;
const readsAll = (step: string): boolean =>
  WHOLE_GAME.test(step) && (step.startsWith('SCAN') || step.endsWith('(game=?)'));
/** Also true for all governors of a game by id. Pages of neighbours may do that, because they stop after three. */
const readsAllById = (step: string): boolean => readsAll(step) || step.endsWith('(game=? AND governor_id>?)');

interface Statement {
  statement: string;
  bind: (...values: unknown[]) => unknown;
}

/** Runs an action and returns the statements that it bound, with their values. */
async function boundBy(action: () => Promise<unknown>): Promise<Map<string, unknown[]>> {
  const bound = new Map<string, unknown[]>();
  const prototype = Object.getPrototypeOf(env.DB.prepare('SELECT 1')) as Statement;
  const { bind } = prototype;
  prototype.bind = function (...values) {
    bound.set(this.statement, values);
    return bind.apply(this, values);
  };
  await action().finally(() => {
    prototype.bind = bind;
  });
  return bound;
}

/** Returns the steps of the statements' plans that read a whole game. */
async function wholeGames(statements: Map<string, unknown[]>, reads = readsAll): Promise<string[]> {
  const found: string[] = [];
  for (const [sql, values] of statements) {
    if (!sql.includes('governor')) continue;
    const plan = env.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...values);
    const { results } = await plan.all<{ detail: string }>();
    found.push(...results.flatMap(({ detail }) => (reads(detail) ? `${detail} in ${sql}` : [])));
  }
  return found;
}

it('no page of a kingdom, an alliance or a governor reads a whole game', async () => {
  const kingdom = 2301;
  const first = kingdom * 1000;
  const today = dayStart(dayOf(Date.now()));
  const people = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => governor(first + from + index, 90e6 - index * 1e5));
  await publishRows('rok', kingdom, today - 8 * DAY_MS, people(110));
  await publishRows('rok', kingdom, today - DAY_MS, people(130, 5));
  const user = await signedInUser();
  const start = new Date(Date.now() + DAY_MS).toISOString();
  const schedule = { orders: [scanOf([kingdom])], scheduleInfo: { start, interval: 1, period: 'week' } };
  expect((await user.call('POST', '/v1/order/create', schedule)).status).toBe(200);
  const pages = [
    '/v1/monitored/kingdoms',
    '/v1/monitored/moves',
    `/v1/kingdoms/${kingdom}`,
    `/v1/kingdoms/${kingdom}/nearby`,
    `/v1/governors/${first + 20}`,
    `/v1/governors/${first + 20}/nearby`,
    `/v1/alliances/${kingdom}/A1`,
    '/v1/search?q=Governor',
    `/v1/products/rok-kingdom-scan/kingdoms?kingdoms=${kingdom}`,
  ];
  await fireCron('* * * * *');
  for (const page of pages) {
    const statements = await boundBy(async () => expect((await user.call('GET', page)).status).toBe(200));
    expect(await wholeGames(statements), page).toEqual([]);
    expect(statements.size, page).toBeGreaterThan(0);
  }
});

it('a scan of a kingdom, its first or a later one, reads no whole game', async () => {
  const day = dayStart(dayOf(Date.now())) - DAY_MS;
  for (const captured_at of [day, day + 1]) {
    const statements = await boundBy(() => publishRows('rok', 2302, captured_at, [governor(2_302_000, 9e6)]));
    expect(await wholeGames(statements, readsAllById)).toEqual([]);
    expect(statements.size).toBeGreaterThan(0);
  }
});
