import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { MAX_BOTS } from '../../domain/fleet/contract.ts';
import { putFolderReport } from '../../worker/gateways/folder-reports.ts';
import { bot, db } from './client.ts';
import { cell } from './people.ts';

/** Limits on what one bot token can make the service store. */

const groupOf = () => cell('SELECT id FROM bot_groups ORDER BY created_at DESC, rowid DESC LIMIT 1');

it('at the bot limit of a token, a new bot replaces the one silent longest', async () => {
  const other = await bot('other');
  await other.call('POST', '/v1/fleet/heartbeat', { bot_id: 'other', account_game: 'rok' });
  const worker = await bot();
  const beat = (bot_id: string) => worker.call('POST', '/v1/fleet/heartbeat', { bot_id, account_game: 'rok' });
  const group = await groupOf();
  await db.$client
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       INSERT INTO bots (group_id, bot_id, account_game, last_connected_at) SELECT ?1, 'bot-' || i, 'rok', i FROM n`,
    )
    .bind(group, MAX_BOTS)
    .run();
  const count = () => cell(`SELECT count(*) FROM bots WHERE group_id = '${group}'`);
  const isThere = (id: string) => cell(`SELECT count(*) FROM bots WHERE group_id = '${group}' AND bot_id = '${id}'`);
  expect((await beat('bot-1')).status).toBe(200);
  expect((await beat('new')).status).toBe(200);
  expect(await count()).toBe(MAX_BOTS);
  expect(await Promise.all(['bot-1', 'bot-2', 'bot-3', 'new'].map(isThere))).toEqual([1, 0, 1, 1]);
  expect(await cell(`SELECT count(*) FROM bots WHERE bot_id = 'other'`)).toBe(1);
});

it('at the report limit of a token, a new report replaces the oldest', async () => {
  const keyOf = (index: number) => `folder-reports/full/bot-${index}.json`;
  for (let index = 0; index < MAX_BOTS; index += 50)
    await Promise.all(Array.from({ length: 50 }, (_, more) => env.STORE.put(keyOf(index + more), '{}')));
  await putFolderReport(env.STORE, 'full', 'bot-7', []);
  await putFolderReport(env.STORE, 'full', 'new', []);
  const { objects } = await env.STORE.list({ prefix: 'folder-reports/full/' });
  const left = objects.map(({ key }) => key);
  expect(left).toHaveLength(MAX_BOTS);
  expect(left).toEqual(expect.arrayContaining(['folder-reports/full/new.json', keyOf(7), keyOf(MAX_BOTS - 1)]));
});
