import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { ended, order, signedIn, waitFor } from '../support/client.ts';
import { isAlive, startService } from '../support/service.ts';

const ROOT = resolve(import.meta.dirname, '../..');

test('two copies run side by side, each with its own accounts, orders and bots; ending one leaves nothing of it', async () => {
  const other = await startService();
  try {
    const here = await signedIn(inject('address'));
    const there = await signedIn(other.address);
    const orders = await Promise.all([order(here, 'rok', [1031], 100), order(there, 'rok', [1032], 100)]);
    const [first, second] = await Promise.all([waitFor(here, orders[0], ended), waitFor(there, orders[1], ended)]);
    expect(first.items).toMatchObject([{ kingdom_id: 1031, state: 'done' }]);
    expect(second.items).toMatchObject([{ kingdom_id: 1032, state: 'done' }]);
    expect((await there.call<{ orders: unknown[] }>('GET', '/v1/orders/')).orders).toHaveLength(1);

    const { start, workerd, agent } = other.processes();
    expect([workerd.length, agent.length]).toEqual([1, 1]);
    expect(await other.stop()).toBe(0);
    await sleep(200);
    expect([start, ...workerd, ...agent].filter(isAlive)).toEqual([]);
  } finally {
    await other.remove();
  }
});

test('a taken port is said in one sentence', () => {
  const port = new URL(inject('address')).port;
  const { status, stderr } = spawnSync(process.execPath, ['scripts/start.ts'], {
    cwd: ROOT,
    env: { ...process.env, PORT: port },
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr.trim()).toBe(`Muster: Port ${port} is taken. Choose another: PORT=8788 npm start`);
});

test('an agent that dies takes the service with it, and is named', async () => {
  const service = await startService();
  try {
    const [agent] = service.processes().agent;
    if (!agent) throw new Error('the agent is not running');
    process.kill(agent, 'SIGKILL');
    const { start, workerd } = service.processes();
    for (let tries = 0; tries < 300 && isAlive(start); tries++) await sleep(100);
    expect([start, ...workerd].filter(isAlive)).toEqual([]);
    expect(service.output()).toContain('Muster: The agent ended (SIGKILL).');
  } finally {
    await service.remove();
  }
});
