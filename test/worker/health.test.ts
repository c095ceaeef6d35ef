import { env } from 'cloudflare:workers';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { NEWEST_MIGRATION } from '../../worker/models/service/database.ts';
import { forgetHealth } from '../../worker/services/service/check-health.ts';
import { caller } from './client.ts';

const health = () => caller().call('GET', '/v1/health');
const rename = (from: string, to: string) => env.DB.prepare(`ALTER TABLE ${from} RENAME TO ${to}`).run();

beforeEach(forgetHealth);

it('asks the database once in fifteen seconds, however many call', async () => {
  expect((await health()).status).toBe(200);
  // A call that reaches the database now gets 'The service is starting.'
  await rename('bots', 'bots_to_come');
  expect((await health()).status).toBe(200);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15_000 });
  onTestFinished(() => void vi.useRealTimers());
  expect((await health()).status).toBe(503);
  await rename('bots_to_come', 'bots');
  expect((await health()).status).toBe(200);
});

it('reports that it is starting until the tables exist, without logging an error', async () => {
  const log = vi.spyOn(console, 'error');
  await rename('bots', 'bots_to_come');
  expect(await health()).toEqual({ status: 503, success: 0, msg: 'The service is starting.', code: 'unavailable' });
  expect(log).not.toHaveBeenCalled();
  await rename('bots_to_come', 'bots');
  expect(await health()).toMatchObject({ status: 200, data: { database: 'ready', bots_online: 0 } });
});

it('reports that it is starting while a migration is missing', async () => {
  const note = (sql: string) => env.DB.prepare(sql).bind(NEWEST_MIGRATION).run();
  await note('DELETE FROM d1_migrations WHERE name = ?');
  expect(await health()).toEqual({ status: 503, success: 0, msg: 'The service is starting.', code: 'unavailable' });
  await note('INSERT INTO d1_migrations (name) VALUES (?)');
  expect((await health()).status).toBe(200);
});

it('reports other database failures as errors', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  await env.DB.prepare('ALTER TABLE bots RENAME COLUMN last_connected_at TO seen').run();
  expect(await health()).toMatchObject({ status: 500 });
  expect(log).toHaveBeenCalledOnce();
});

it('shows zero counts before anything is published', async () => {
  const { data } = await caller().call('GET', '/v1/stats/global');
  const nothing = { kingdoms: 0, governors: 0, alliances: 0, captured_at: null, delayed_day: null, since: null };
  expect(data).toMatchObject({ rok: nothing, cod: nothing });
});
