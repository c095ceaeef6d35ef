import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { balanceOf, type Client, signedIn } from '../support/client.ts';
import { isAlive, type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.remove());

interface Checkout {
  url: string;
  session_id: string;
}

const opens = (client: Client): Promise<Checkout> =>
  client.call('POST', '/v1/payment/checkout', { amount: 20 }, { 'idempotency-key': crypto.randomUUID() });

const pays = ({ url }: Checkout) => fetch(`${url}/pay`, { method: 'POST', redirect: 'manual' });

const settle = (client: Client, { session_id }: Checkout) =>
  client.call<{ state: string; balance: number }>('POST', '/v1/payment/status', { session_id });

test('a payment reported to a killed workerd is reported again, and credited once', async () => {
  const client = await signedIn(service.address);
  const before = await balanceOf(client);
  const checkout = await opens(client);
  const [workerd] = service.processes().workerd;
  if (!workerd) throw new Error('workerd is not running');
  process.kill(workerd, 'SIGKILL');
  while (isAlive(workerd)) await sleep(20);
  await pays(checkout);

  const until = Date.now() + 40_000;
  while ((await balanceOf(client).catch(() => before)) === before && Date.now() < until) await sleep(250);
  expect(await balanceOf(client)).toBe(before + 20);
  expect(await settle(client, checkout)).toMatchObject({ state: 'paid', balance: before + 20 });
});

test('a payment that was not reported before a power cut is credited once when the payer asks', async () => {
  const before = await balanceOf(await signedIn(service.address));
  const checkout = await opens(await signedIn(service.address));
  const [workerd] = service.processes().workerd;
  if (workerd) process.kill(workerd, 'SIGKILL');
  await pays(checkout);
  await service.kill();
  await service.start();

  const client = await signedIn(service.address);
  const answers = await Promise.all([settle(client, checkout), settle(client, checkout), settle(client, checkout)]);
  expect(answers.map(({ state }) => state)).toEqual(['paid', 'paid', 'paid']);
  expect(await balanceOf(client)).toBe(before + 20);
});

test('the state is consistent', async () => {
  expect((await service.verify()).join('\n')).toBe('');
});
