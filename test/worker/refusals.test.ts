import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { MAX_ROSTER } from '../../domain/compare/roster-rules.ts';
import type { Task } from '../../domain/fleet/contract.ts';
import { UNEXPECTED } from '../../worker/errors.ts';
import { MAX_ROSTERS } from '../../worker/models/compare/rosters.ts';
import { mappingFor, rememberStatements } from '../../worker/models/library/imports.ts';
import { bot, caller, columnsFor, db, makeKey, person, scanOf, signedInAdmin, signedInUser } from './client.ts';
import { madeEvent } from './events/war.ts';
import { bring, fileOf, keep, SETTINGS } from './own-scans.ts';
import { happens, opens, tell } from './payments-client.ts';
import { newcomer, tokenFor } from './people.ts';

/** Refusals just at their limits: one less is accepted, and a refused call writes nothing. */

const count = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .first<number>('count');

describe('an account keeps no more than', () => {
  it('two hundred reports of its own', async () => {
    const [user, other] = [await signedInUser(0), await signedInUser(0)];
    const payloads = await Promise.all(
      [user, other].map(async (who) => {
        const [from] = await keep(who, '2026-01-05.csv', fileOf([{ id: 1 }]));
        const [to] = await keep(who, '2026-01-19.csv', fileOf([{ id: 1, t4: 1 }]));
        return { name: 'War', ranges: [{ from: [from], to: [to] }], settings: SETTINGS };
      }),
    );
    const insert = (id: string, at: number) =>
      env.DB.prepare(
        `INSERT INTO reports (id, user_id, name, game, ranges, settings, created_at, updated_at)
         VALUES (?, ?, '', 'rok', '[]', '{}', 1, 1)`,
      ).bind(`${id}-${at}`, id);
    await env.DB.batch(Array.from({ length: 199 }, (_, at) => insert(user.id, at)));
    expect((await user.call('POST', '/v1/reports', payloads[0])).status).toBe(200);
    expect(await user.call('POST', '/v1/reports', payloads[0])).toMatchObject({
      status: 413,
      msg: 'An account keeps 200 reports at most: delete some first.',
    });
    expect(await count('SELECT count(*) AS count FROM reports WHERE user_id = ?', user.id)).toBe(200);
    expect((await other.call('POST', '/v1/reports', payloads[1])).status).toBe(200);
  });

  it('the allowed number of governors in a roster', async () => {
    const user = await signedInUser(0);
    const csv = (rows: number) => Array.from({ length: rows }, (_, at) => `${at + 1},main`).join('\n');
    const send = (body: string) =>
      user.call('POST', '/v1/rosters/rok/4002/import', body, { 'content-type': 'text/csv' });
    expect((await send(csv(MAX_ROSTER))).data.entries).toHaveLength(MAX_ROSTER);
    for (const rows of [MAX_ROSTER + 1, MAX_ROSTER + 2]) expect((await send(csv(rows))).status).toBe(400);
    expect((await send('ID,Role\n,main\n')).msg).toBe('Line 2: no governor id.');
    for (const id of ['many', '1.2M'])
      expect((await send(`ID,Role\n${id},main\n`)).msg).toMatch(/^Line 2: governor_id /);
    expect((await user.call('GET', '/v1/rosters/rok/4002')).data.entries).toHaveLength(MAX_ROSTER);
  });

  it('rosters of the allowed number of kingdoms, not counting empty ones', async () => {
    const user = await signedInUser(0);
    const entry = [{ governor_id: 1, role: 'main', main_id: null, note: '' }];
    const put = (kingdom: number, entries: object[] = entry) => user.call('PUT', `/v1/rosters/rok/${kingdom}`, entries);
    await env.DB.prepare(
      `WITH RECURSIVE kingdoms(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM kingdoms WHERE id < ?2)
       INSERT INTO rosters (user_id, game, kingdom_id, entries, updated_at) SELECT ?1, 'rok', id, '[]', 1 FROM kingdoms`,
    )
      .bind(user.id, MAX_ROSTERS)
      .run();
    const full = { status: 413, msg: 'An account keeps tables of 200 kingdoms at most: empty some first.' };
    expect(await put(4001)).toMatchObject(full);
    expect(
      await user.call('POST', '/v1/rosters/rok/4001/import', '1,main', { 'content-type': 'text/csv' }),
    ).toMatchObject(full);
    // The limit covers both games.
    expect(await user.call('PUT', `/v1/rosters/cod/${MAX_ROSTERS}`, entry)).toMatchObject(full);
    // An existing roster can be replaced.
    expect((await put(MAX_ROSTERS)).status).toBe(200);
    expect((await put(7, [])).data).toEqual({ entries: [], updated_at: null });
    expect((await put(4001)).status).toBe(200);
    expect(await put(4002)).toMatchObject(full);
    expect((await user.call('GET', `/v1/rosters/rok/${MAX_ROSTERS}`)).data.entries).toEqual(entry);
  });

  it('the allowed number of remembered column mappings, the last used ones', async () => {
    const [{ id }, other] = [await signedInUser(0), await signedInUser(0)];
    for (const day of [0, 9999]) await env.DB.batch(rememberStatements(db, other.id, `of ${day}`, {}, day));
    for (let day = 1; day <= 202; day++) await env.DB.batch(rememberStatements(db, id, `of ${day}`, {}, day));
    expect([await mappingFor(db, id, 'of 2'), await mappingFor(db, id, 'of 3')]).toEqual([null, {}]);
    await env.DB.batch(rememberStatements(db, id, 'of 3', { x: null }, 203));
    await env.DB.batch(rememberStatements(db, id, 'of 204', {}, 204));
    expect([await mappingFor(db, id, 'of 3'), await mappingFor(db, id, 'of 4')]).toEqual([{ x: null }, null]);
    // Another user's mappings stay, and take no room here.
    expect([await mappingFor(db, other.id, 'of 0'), await mappingFor(db, id, 'of 5')]).toEqual([{}, {}]);
  });
});

it('a top-up that is paid is not paid again under its Idempotency-Key', async () => {
  const user = await signedInUser(0);
  const ask = () => user.call('POST', '/v1/payment/checkout', { amount: 10 }, { 'idempotency-key': 'once' });
  const { session_id } = (await ask()).data;
  for (const event of await happens(`sessions/${session_id}/pay`)) await tell(event);
  expect(await ask()).toMatchObject({ status: 409, msg: 'Idempotency-Key: this payment has ended already.' });
});

it('a payment is shown to its owner alone, also by the id of its session', async () => {
  const [owner, stranger] = [await signedInUser(0), await signedInUser(0)];
  const session_id = await opens(owner, 5);
  // Simulates an answer that was lost after the page was opened: only Stripe knows the owner.
  await env.DB.prepare('UPDATE payments SET session_id = NULL WHERE user_id = ?').bind(owner.id).run();
  await happens(`sessions/${session_id}/pay`);
  expect((await stranger.call('POST', '/v1/payment/status', { session_id })).status).toBe(404);
  expect(await count(`SELECT count(*) AS count FROM payments WHERE state = 'paid' AND user_id = ?`, owner.id)).toBe(0);
  expect((await owner.call('POST', '/v1/payment/status', { session_id })).data).toMatchObject({ state: 'paid' });
  expect((await stranger.call('POST', '/v1/payment/status', { session_id })).status).toBe(404);
});

it('refuses rows from the future and a subtask named twice', async () => {
  const user = await signedInUser();
  await user.call('POST', '/v1/order/create', { orders: [scanOf([4901])] });
  const worker = await bot();
  const { data } = await worker.call('POST', '/v1/fleet/lease', { bot_id: worker.name, games: ['rok'], count: 1 });
  const [task] = data.tasks as [Task];
  const brought = (captured_at: number) => ({
    subtask_id: task.subtask_id,
    lease: task.lease,
    captured_at,
    source: 'made up',
    columns: columnsFor(task),
  });
  const send = (...results: unknown[]) => worker.call('POST', '/v1/fleet/rows', { bot_id: worker.name, results });
  const now = Date.now();
  expect((await send(brought(now + 6 * 60_000))).msg).toBe('results[0]: captured_at: is in the future.');
  expect((await send(brought(now), brought(now))).msg).toBe('results: a subtask appears twice.');
  // Clocks of bots may be some minutes ahead.
  expect((await send(brought(now + 4 * 60_000))).data.results[0].outcome).toBe('accepted');
});

it('orders are watched by sockets only', async () => {
  const user = await signedInUser();
  const { order_id } = (await user.call('POST', '/v1/order/create', { orders: [scanOf([4902])] })).data;
  expect(await user.call('GET', `/v1/orders/live?orders=${order_id}`)).toMatchObject({
    status: 400,
    msg: 'This address speaks WebSocket only.',
  });
});

it('an address that another user took meanwhile is not confirmed', async () => {
  const [me, other] = [await person(), await person()];
  const email = `${crypto.randomUUID()}@mail.example`;
  const change = { current_password: 'four unrelated words here', email };
  expect((await me.call('POST', '/v1/account/email', change)).status).toBe(200);
  const token = await tokenFor(email, 'change_email');
  await env.DB.prepare('UPDATE users SET email = ?1, email_key = ?1 WHERE id = ?2').bind(email, other.id).run();
  expect(await me.call('POST', '/v1/verify-email', { token })).toMatchObject({
    status: 409,
    msg: 'Another account is using this address now.',
  });
  expect((await me.call('GET', '/v1/account')).data.email).toBe(me.email);
});

it('a file missing from the store has to be uploaded again', async () => {
  const user = await signedInUser(0);
  const { data } = await bring(user, '2026-01-05.csv', fileOf([{ id: 1 }]));
  const { objects } = await env.STORE.list({ prefix: `imports/${user.id}/` });
  expect(objects).toHaveLength(1);
  await env.STORE.delete(objects.map(({ key }) => key));
  expect(await user.call('POST', `/v1/scans/import/${data.import_id}/save`, {})).toMatchObject({
    status: 409,
    msg: 'The file is no longer there. Please upload it again.',
  });
});

it('a closed event is not gathered', async () => {
  const { admin, id } = await madeEvent();
  await admin.call('POST', `/v1/admin/events/${id}/close`);
  expect(await admin.call('POST', `/v1/admin/events/${id}/refresh`)).toMatchObject({
    status: 409,
    msg: 'This event is closed: reopen it to gather again.',
  });
});

it('a failure in the database is reported as ours, never as a broken rule', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const [user, admin] = [await signedInUser(), await signedInAdmin()];
  const form = await newcomer();
  const placed = await user.call('POST', '/v1/order/create', { orders: [scanOf([4902])] });
  const gift = { username: user.username, amount: 2, reason: 'A gift.' };
  const calls: [table: string, call: () => Promise<unknown>][] = [
    ['orders', () => user.call('POST', '/v1/order/create', { orders: [scanOf([4902])] })],
    ['api_keys', () => makeKey(user)],
    ['issue_reports', () => user.call('POST', `/v1/order/${placed.data.order_id}/report`, { message: 'It is wrong.' })],
    ['ledger_entries', () => admin.call('POST', '/v1/admin/adjustments', gift, { 'idempotency-key': 'gift' })],
    ['access_codes', () => admin.call('POST', '/v1/admin/access-codes', { max_uses: 1, note: '' })],
    ['users', () => caller().call('POST', '/v1/account/create', form)],
  ];
  for (const [table, call] of calls) {
    await env.DB.exec(`CREATE TRIGGER broken BEFORE INSERT ON ${table} BEGIN SELECT raise(ABORT, 'broken'); END`);
    expect([table, await call()]).toEqual([table, expect.objectContaining({ status: 500, msg: UNEXPECTED })]);
    await env.DB.exec('DROP TRIGGER broken');
    expect([table, await call()]).toEqual([table, expect.objectContaining({ status: 200 })]);
  }
  vi.restoreAllMocks();
});
