import { env, exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { columnOf } from '../../domain/games/games.ts';
import { runAgent, TokenRefused } from '../../fleet/run-agent.ts';
import type { Source } from '../../fleet/sources/source.ts';
import { simulatedWorld } from '../../fleet/sources/world.ts';
import { createGroup } from '../../worker/models/fleet/bots.ts';
import { eventually } from '../support/eventually.ts';
import { type Caller, db, scanOf, signedInUser } from './client.ts';

/** The reference agent's own bots against the real Worker. */

const AT = Date.UTC(2026, 0, 5);
const world = simulatedWorld();
/** The simulated world at a fixed time, so that its rows can be compared. */
const stopped: Source = { ...world, scan: (game, kingdom) => world.scan(game, kingdom, AT) };

/** Runs bots until `done` passes; returns the troubles that they reported. */
async function agentUntil(done: () => Promise<void>, fetch = through): Promise<string[]> {
  const token = `token-${crypto.randomUUID()}`;
  await createGroup(db, crypto.randomUUID(), 'agent group', token);
  const troubles: string[] = [];
  const stop = new AbortController();
  const trouble = { tell: (text: string) => troubles.push(text), over: () => undefined };
  const options = {
    url: 'http://muster.test/',
    token,
    fetch,
    source: stopped,
    bots: 2,
    paceMs: 0,
    pollMs: 20,
    trouble,
  };
  const running = runAgent(options, stop.signal);
  try {
    await eventually(done);
  } finally {
    stop.abort();
    await running;
  }
  return troubles;
}

const through = (url: string, init: RequestInit): Promise<Response> => exports.default.fetch(url, init as object);

async function ordered(user: Caller, ...scan: Parameters<typeof scanOf>): Promise<() => Promise<Item>> {
  const { data } = await user.call('POST', '/v1/order/create', { orders: [scanOf(...scan)] });
  return async () => {
    const orders = (await user.call('GET', '/v1/orders/')).data.orders as { order_id: number; items: Item[] }[];
    return orders.find(({ order_id }) => order_id === data.order_id)?.items[0] as Item;
  };
}

interface Item {
  item_id: string;
  has_results: boolean;
  error: string | null;
}

const results = async (user: Caller, { item_id }: Item) => {
  const { data } = await user.call('GET', `/v1/order/${item_id}/download?type=json`);
  return (data.rows ?? data) as Record<string, unknown>[];
};

test('bots fill an order with the exact rows of their source', async () => {
  const user = await signedInUser();
  const item = await ordered(user, [1003], 700);
  const troubles = await agentUntil(async () => expect(await item()).toMatchObject({ has_results: true }));
  const rows = await results(user, await item());
  const truth = world.rows('rok', 1003, AT, 700);
  expect(rows.map(({ governor_id }) => governor_id)).toEqual(truth.map(({ governor_id }) => governor_id));
  for (const [rank, row] of rows.entries()) expect(truth[rank]).toMatchObject(row);
  expect(troubles).toEqual([]);
  const bots = await env.DB.prepare("SELECT * FROM bots WHERE bot_id LIKE 'agent-%'").all();
  expect(bots.results).toHaveLength(2);
});

test('without the full profile, profile columns are empty', async () => {
  const user = await signedInUser();
  const item = await ordered(user, [1004], 100, false);
  await agentUntil(async () => expect(await item()).toMatchObject({ has_results: true }));
  for (const row of await results(user, await item()))
    for (const [key, value] of Object.entries(row)) if (columnOf('rok', key)?.profile) expect(value).toBeNull();
});

test('a kingdom missing from every source fails at once with a reason', async () => {
  // Removes the bots of earlier tests.
  await env.DB.prepare('DELETE FROM bots').run();
  const user = await signedInUser();
  const item = await ordered(user, [9999]);
  await agentUntil(async () => expect((await item()).error).toContain('Kingdom 9999 is not in the simulated world'));
});

test('failed calls are repeated without duplicates', async () => {
  const user = await signedInUser();
  const item = await ordered(user, [1005], 300);
  let calls = 0;
  let lost = 0;
  // Every fourth call never reaches the service; the answers to the first two hand-ins are lost on their way.
  const shaky: typeof through = async (url, init) => {
    if (++calls % 4 === 0) throw new TypeError('fetch failed');
    const response = await through(url, init);
    if (!url.endsWith('/rows') || lost === 2) return response;
    lost++;
    await response.body?.cancel();
    return new Response('bad gateway', { status: 502 });
  };
  await agentUntil(async () => expect(await item()).toMatchObject({ has_results: true }), shaky);
  expect(lost).toBe(2);
  const rows = await results(user, await item());
  expect(rows.map(({ governor_id }) => governor_id)).toEqual(
    world.rows('rok', 1005, AT, 300).map(({ governor_id }) => governor_id),
  );
});

test('an unknown token stops the agent with a message', async () => {
  const token = `token-${crypto.randomUUID()}`;
  const options = { url: 'http://muster.test', token, fetch: through, source: stopped, bots: 2, pollMs: 20 };
  const trouble = { tell: () => undefined, over: () => undefined };
  const running = runAgent({ ...options, trouble }, new AbortController().signal);
  await expect(running).rejects.toThrow(TokenRefused);
  await expect(running).rejects.toThrow('http://muster.test knows no bot group with this token');
});
