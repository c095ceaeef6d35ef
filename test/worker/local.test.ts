import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { DAY_MS } from '../../domain/days.ts';
import { production, send } from './client.ts';
import { cell } from './people.ts';
import { governor, publishRows } from './scans.ts';

/** The address that a local copy's clock calls to run a cron, which is done when it answers. */

const PRUNING = '/cdn-cgi/local/scheduled?cron=30 3 * * *';
const local = { ...env, ENVIRONMENT: 'local' };
const days = () => cell<number>('SELECT count(*) FROM kingdom_days');

it('runs the cron of a local copy, for calls of that copy only', async () => {
  await publishRows('rok', 1001, Date.now() - 100 * DAY_MS, [governor(1, 9e6)]);
  const refused = [
    await send(PRUNING, {}, production()),
    await send(PRUNING, { headers: { origin: 'https://other.test' } }, local),
    await send(PRUNING, { headers: { 'sec-fetch-site': 'cross-site' } }, local),
    await send('/cdn-cgi/local/scheduled', {}, local),
  ];
  expect(refused.map(({ status }) => status)).toEqual([404, 403, 403, 400]);
  expect(await refused[3]?.text()).toContain('cron: must be a cron expression of wrangler.toml.');
  expect(await days()).toBe(1);
  const done = await send(PRUNING, {}, local);
  expect([done.status, await done.text(), await days()]).toEqual([200, 'ok', 0]);
});
