import { env } from 'cloudflare:workers';
import { beforeEach, expect, it, vi } from 'vitest';
import { historyBytes } from '../../domain/history/file.ts';
import { addScan, emptyHistory } from '../../domain/history/history.ts';
import { historyKey } from '../../worker/gateways/history-store.ts';
import { forgetBots } from '../../worker/models/fleet/bots.ts';
import { dropUnseenGovernors } from '../../worker/models/kingdoms/unseen.ts';
import { dropOldRuns } from '../../worker/models/orders/schedule-runs.ts';
import { dropEndedLinks } from '../../worker/models/orders/shares.ts';
import { dropOldEntries } from '../../worker/models/service/audit.ts';
import { flawsOfDatabase } from '../../worker/models/service/state-check.ts';
import { digestKingdoms } from '../../worker/services/scans/digest-kingdoms.ts';
import { bot, caller, db, fireCron } from './client.ts';

/** How long each growing table keeps its rows (docs/operating.md, 'What grows'), and that none goes sooner. */

const NOW = Date.now();
const DAY = 86_400_000;

const all = async <Row>(sql: string): Promise<Row[]> => (await env.DB.prepare(sql).all<Row>()).results;
const insert = (table: string, rows: readonly Record<string, unknown>[]) =>
  env.DB.batch(
    rows.map((row) =>
      env.DB.prepare(
        `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row).map(() => '?')})`,
      ).bind(...Object.values(row)),
    ),
  );

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

it('security entries are kept for a year, and no longer', async () => {
  const entry = (subject: string, days: number) => ({ at: NOW - days * DAY, actor: 'user', action: 'a.b', subject });
  await insert('audit_entries', [entry('900', 900), entry('367', 367), entry('365', 365), entry('new', 0)]);
  await dropOldEntries(db, NOW);
  const left = `SELECT subject FROM audit_entries WHERE action = 'a.b' ORDER BY id`;
  expect(await all(left)).toEqual([{ subject: '365' }, { subject: 'new' }]);
  await insert('audit_entries', [entry('900', 900)]);
  await fireCron('10 0 * * *', NOW);
  expect(await all(left)).toEqual([{ subject: '365' }, { subject: 'new' }]);
});

it('runs of an active schedule are kept for a month, the newest hundred longer', async () => {
  await insert('users', [
    { id: 'u', username: 'u', username_key: 'u', email: 'u', email_key: 'u', password_hash: 'x', created_at: 1 },
  ]);
  const schedule = (id: number) => ({
    ...{ id, user_id: 'u', created_at: 1, entries: '[]', start_at: 1, period: 'minute', interval: 1 },
  });
  await insert('schedules', [schedule(1), schedule(2)]);
  const run = (schedule_id: number, due_at: number) => ({ schedule_id, due_at, outcome: 'placed', created_at: 1 });
  await insert(
    'runs',
    Array.from({ length: 150 }, (_, index) => run(1, NOW - 40 * DAY - index)),
  );
  await insert(
    'runs',
    Array.from({ length: 50 }, (_, index) => run(1, NOW - 10 * DAY - index)),
  );
  await insert(
    'runs',
    Array.from({ length: 90 }, (_, index) => run(2, NOW - 800 * DAY - index)),
  );
  await dropOldRuns(db, NOW);
  expect(await all(`SELECT schedule_id AS id, count(*) AS runs, min(due_at) AS oldest FROM runs GROUP BY 1`)).toEqual([
    { id: 1, runs: 100, oldest: NOW - 40 * DAY - 49 },
    { id: 2, runs: 90, oldest: NOW - 800 * DAY - 89 },
  ]);
});

it('links are kept for a month after they expire or are revoked', async () => {
  const link = (id: string, expires_at: number, revoked_at: number | null = null) => ({
    ...{ id, user_id: 'u', created_at: 1, expires_at, revoked_at },
  });
  const links = [
    link('open', NOW + DAY),
    link('just out', NOW - 30 * DAY),
    link('long out', NOW - 30 * DAY - 1),
    link('just closed', NOW + 90 * DAY, NOW - 30 * DAY),
    link('long closed', NOW + 90 * DAY, NOW - 31 * DAY),
    link('out before it was closed', NOW - 40 * DAY, NOW),
  ];
  await insert(
    'share_links',
    links.map((one) => ({ ...one, item_id: 'i' })),
  );
  await insert(
    'report_links',
    links.map((one) => ({ ...one, report_id: 'r' })),
  );
  await dropEndedLinks(db, NOW);
  const left = [{ id: 'just closed' }, { id: 'just out' }, { id: 'open' }];
  expect(await all('SELECT id FROM share_links ORDER BY id')).toEqual(left);
  expect(await all('SELECT id FROM report_links ORDER BY id')).toEqual(left);
});

it('bots are kept for 90 days after their last call', async () => {
  for (const name of ['gone', 'here']) {
    const one = await bot(name);
    await one.call('POST', '/v1/fleet/heartbeat', { bot_id: name, account_game: 'rok' });
  }
  await env.DB.prepare(`UPDATE bots SET last_connected_at = ? - (bot_id = 'gone')`)
    .bind(NOW - 90 * DAY)
    .run();
  await forgetBots(db, NOW);
  expect(await all('SELECT bot_id FROM bots')).toEqual([{ bot_id: 'here' }]);
});

it('governors missing from scans for a year are deleted with their search entries', async () => {
  const governor = (governor_id: number, captured_at: number, game = 'rok') => ({
    ...{ game, governor_id, kingdom_id: 1, name: `Wanderer ${governor_id}`, alliance_tag: '', power: 1 },
    ...{ profile: '{}', captured_at },
  });
  const gone = Array.from({ length: 1500 }, (_, index) => governor(10_000 + index, NOW - 365 * DAY - 1));
  await insert('governors', [...gone, governor(7, NOW - 365 * DAY), governor(7, NOW - 400 * DAY, 'cod')]);
  await insert('kingdoms', [
    { game: 'rok', kingdom_id: 1, captured_at: 2 },
    { game: 'cod', kingdom_id: 1, captured_at: 2 },
  ]);
  // The directory's entry of governor 8 did not change for a year, but a scan has shown them.
  await insert('governors', [governor(8, NOW - 365 * DAY - 1)]);
  const history = emptyHistory();
  const seenAgo = (days: number) => ({ kingdom_id: 1, captured_at: NOW - days * DAY, by_file: false });
  addScan(history, seenAgo(365), [{ governor_id: 7, values: [1, 1, 1, 1, 1, 1] }]);
  addScan(history, seenAgo(9), [{ governor_id: 8, values: [1, 1, 1, 1, 1, 1] }]);
  await env.STORE.put(historyKey({ game: 'rok', kingdom_id: 1 }), historyBytes(history));
  await env.STORE.put(historyKey({ game: 'cod', kingdom_id: 1 }), historyBytes(emptyHistory()));
  while ((await digestKingdoms(db, env.STORE, NOW)) > 0);
  const found = async (text: string, game = 'rok') =>
    (await caller().call('GET', `/v1/search?game=${game}&q=${encodeURIComponent(text)}`)).data;
  expect(JSON.stringify(await found('Wanderer 10001'))).toContain('10001');
  await dropUnseenGovernors(db, env.STORE, NOW);
  expect(await all('SELECT game, governor_id, captured_at FROM governors')).toEqual([
    { game: 'rok', governor_id: 7, captured_at: NOW - 365 * DAY },
    { game: 'rok', governor_id: 8, captured_at: NOW - 9 * DAY },
  ]);
  expect(await all(`SELECT game, ref FROM search_entries ORDER BY ref`)).toEqual([
    { game: 'rok', ref: '7' },
    { game: 'rok', ref: '8' },
  ]);
  const inIndex = `SELECT count(*) AS count FROM search_index WHERE search_index MATCH '"wanderer"'`;
  expect(await all(inIndex)).toEqual([{ count: 2 }]);
});

it('the nightly cron merges the search index segments without changing results', async () => {
  const entry = (id: number) => ({
    id,
    game: 'rok',
    kind: 'governor',
    ref: `${id}`,
    name: `Fern ${id}`,
    key: `fern${id}`,
  });
  const entered = Array.from({ length: 3 }, (_, batch) =>
    Array.from({ length: 50 }, (_, index) => ({ ...entry(900_000 + batch * 50 + index), pairs: '' })),
  );
  for (const batch of entered) await insert('search_entries', batch);
  const segments = async () => (await all('SELECT DISTINCT segid FROM search_index_idx')).length;
  const found = () => all(`SELECT rowid FROM search_index WHERE search_index MATCH '"ern9001"' ORDER BY rowid`);
  const before = await found();
  expect(before).toHaveLength(50);
  expect(await segments()).toBeGreaterThan(1);
  await fireCron('30 3 * * *');
  expect(await segments()).toBe(1);
  expect(await found()).toEqual(before);
  await fireCron('30 3 * * *');
  expect(await found()).toEqual(before);
});

it('one run of the minute cron digests 200 kingdoms', async () => {
  await insert(
    'kingdoms',
    Array.from({ length: 200 }, (_, id) => ({ game: 'cod', kingdom_id: id + 100, captured_at: 5, packed_at: 5 })),
  );
  await fireCron('* * * * *');
  const left = `SELECT count(*) AS count FROM kingdoms WHERE digested_at < captured_at`;
  expect(await all(left)).toEqual([{ count: 0 }]);
});

it('subtasks of fully delivered and cancelled items are kept for 90 days, others longer', async () => {
  await insert('users', [
    { id: 's', username: 's', username_key: 's', email: 's', email_key: 's', password_hash: 'x', created_at: 1 },
  ]);
  await insert('orders', [
    { id: 900, uuid: 'o', user_id: 's', placed_at: 1, total_cents: 0, request_hash: '', entries: '[]' },
  ]);
  const item = (id: string, days: number, state = 'done', failed_count = 0) => ({
    ...{
      id,
      state,
      failed_count,
      order_id: 900,
      position: 0,
      product_id: 'rok-kingdom-scan',
      game: 'rok',
      kingdom_id: 1,
    },
    ...{ governors: 200, full_profile: 0, price_cents: 0, details: '{}', subtask_count: 2, incomplete_count: 0 },
    finished_at: NOW - days * DAY,
  });
  const items = [
    ...[item('old', 91), item('recent', 89), item('unread', 400, 'done', 1), item('failed', 400, 'failed', 2)],
    ...[item('cancelled', 91, 'cancelled'), item('unavailable', 91, 'cancelled', 2), item('stopped', 89, 'cancelled')],
  ];
  await insert(
    'items',
    items.map((one, position) => ({ ...one, position })),
  );
  await insert(
    'subtasks',
    items.flatMap(({ id, finished_at }) =>
      [0, 1].map((number) => ({
        ...{ item_id: id, number, order_id: 900, game: 'rok', kingdom_id: 1, due: 1, state: 'done' },
        ended_at: finished_at - 1,
      })),
    ),
  );
  // A cancellation stops subtasks that nobody worked on.
  await env.DB.prepare(
    `UPDATE subtasks SET state = 'cancelled', ended_at = NULL WHERE item_id IN ('cancelled', 'stopped')`,
  ).run();
  await fireCron('10 0 * * *', NOW);
  expect(await all(`SELECT DISTINCT item_id AS id FROM subtasks ORDER BY 1`)).toEqual(
    ['failed', 'recent', 'stopped', 'unread'].map((id) => ({ id })),
  );
  // The check of the database expects no subtasks of the others.
  expect((await flawsOfDatabase(db, NOW)).filter((flaw) => flaw.startsWith('An item does not have'))).toEqual([]);
});
