import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { ended, order, signedIn, waitFor } from '../support/client.ts';
import { KINGDOM, writeScan } from '../support/misread-scans.ts';
import { flawsOf, isAlive, type Service, startService } from '../support/service.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** A copy of this file's own, whose bots read a folder with scans of kingdom 4242. The tests share its state. */
let other: Service;
let scans: string;
beforeAll(async () => {
  scans = mkdtempSync(join(tmpdir(), 'muster-scans-'));
  writeScan(scans, '2026-11-10', false);
  other = await startService({ SCANS_DIR: scans });
});
afterAll(async () => {
  await other?.remove();
  rmSync(scans, { recursive: true, force: true });
});

test('two copies run side by side, each with its own accounts, orders and bots', async () => {
  const here = await signedIn(inject('address'));
  const there = await signedIn(other.address);
  const orders = await Promise.all([order(here, 'rok', [1031], 100), order(there, 'rok', [KINGDOM], 100)]);
  const [first, second] = await Promise.all([waitFor(here, orders[0], ended), waitFor(there, orders[1], ended)]);
  expect(first.items).toMatchObject([{ kingdom_id: 1031, state: 'done' }]);
  expect(second.items).toMatchObject([{ kingdom_id: KINGDOM, state: 'done' }]);
  expect((await there.call<{ orders: unknown[] }>('GET', '/v1/orders/')).orders).toHaveLength(1);
});

/** Orders that the copy confirmed before it was ended. */
const confirmed: number[] = [];

test('SIGTERM during orders and uploads stops a copy at once, without leftover processes or partial writes', async () => {
  const there = await signedIn(other.address);
  const upload = (at: number) =>
    fetch(`${other.address}/v1/scans/import?name=${at}.csv`, {
      method: 'POST',
      headers: { cookie: there.cookie() },
      body: `Governor ID,Name,Power\n1,a,${1000 + at}`,
    });
  const calls = Array.from({ length: 30 }, async (_, at) => {
    if (at % 2 === 0) confirmed.push(await order(there, 'rok', [KINGDOM], 100));
    else await upload(at);
  });
  const settled = Promise.allSettled(calls);
  await expect.poll(() => confirmed.length, { interval: 5 }).toBeGreaterThan(0);
  const { start, workerd, agent } = other.processes();
  expect([workerd.length, agent.length]).toEqual([1, 1]);
  expect(await other.stop('SIGTERM')).toBe(0);
  const outcomes = await settled;
  expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true);
  await sleep(200);
  expect([start, ...workerd, ...agent].filter(isAlive)).toEqual([]);
  expect(flawsOf(other.stateDir)).toEqual([]);
});

test('a taken port is reported in one sentence', () => {
  const port = new URL(inject('address')).port;
  const { status, stderr } = spawnSync(process.execPath, ['scripts/start.ts'], {
    cwd: ROOT,
    env: { ...process.env, PORT: port },
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr.trim()).toBe(`Muster: Port ${port} is taken. Choose another: PORT=8788 npm start`);
});

test('a copy with a truncated database reports it, and starts once the file is restored', async () => {
  await other.stop();
  const folder = join(other.stateDir, 'v3', 'd1');
  const [name = ''] = globSync('*/*.sqlite', { cwd: folder }).filter((file) => !file.includes('metadata'));
  // Moves the log into the file, because the log would repair what is broken here.
  const database = new DatabaseSync(join(folder, name));
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const whole = readFileSync(join(folder, name));
  // A hole in the middle: the header and the length are right, and only SQLite sees it.
  const torn = Buffer.from(whole);
  torn.fill(0, 8192, torn.length - 4096);
  const start = (state: Buffer) => {
    writeFileSync(join(folder, name), state);
    return spawnSync(process.execPath, ['scripts/start.ts'], {
      cwd: ROOT,
      env: { ...process.env, PORT: new URL(other.address).port, STATE_DIR: other.stateDir },
      encoding: 'utf8',
      timeout: 60_000,
    });
  };
  for (const state of [Buffer.alloc(0), whole.subarray(0, whole.length / 2), torn]) {
    const { status, stderr } = start(state);
    // With a torn file, workerd prints its own lines first.
    const last = stderr.trim().split('\n').at(-1);
    expect({ status, last }).toEqual({
      status: 1,
      last: expect.stringMatching(
        /^Muster: \S+ is (empty or cut|damaged): accounts, balances and orders of this copy are lost\. .*$/,
      ),
    });
  }
  writeFileSync(join(folder, name), whole);
  await other.start();
  const there = await signedIn(other.address);
  const { orders } = await there.call<{ orders: { order_id: number }[] }>('GET', '/v1/orders/');
  expect(orders.map(({ order_id }) => order_id)).toEqual(expect.arrayContaining(confirmed));
});

test('the service exits when its agent dies, and names the cause', async () => {
  const [agent] = other.processes().agent;
  if (!agent) throw new Error('the agent is not running');
  process.kill(agent, 'SIGKILL');
  const { start, workerd } = other.processes();
  await expect.poll(() => [start, ...workerd].filter(isAlive), { timeout: 30_000 }).toEqual([]);
  await expect.poll(() => other.output()).toContain('Muster: The agent ended (SIGKILL).');
});

test('the clock’s address accepts the copy and local calls, but no call from another site’s page', async () => {
  const fire = (headers: Record<string, string>, path = '/cdn-cgi/local/scheduled?cron=30+3+*+*+*') =>
    fetch(inject('address') + path, { headers }).then(({ status }) => status);
  expect(await fire({})).toBe(200);
  expect(await fire({ origin: inject('address'), 'sec-fetch-site': 'same-origin' })).toBe(200);
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'http://localhost:1' },
    { origin: 'null' },
  ];
  for (const headers of foreign) expect(await fire(headers)).toBe(403);
  expect(await fire({}, '/cdn-cgi/local/scheduled')).toBe(400);
  expect(await fire({}, '/cdn-cgi/local/email')).not.toBe(200);
});
