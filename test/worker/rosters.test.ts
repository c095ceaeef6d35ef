import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { MAX_KINGDOM_GOALS } from '../../worker/models/compare/kingdom-goals.ts';
import { caller, makeKey, signedInUser } from './client.ts';

describe('a roster as csv', () => {
  test('is exported as it was imported', async () => {
    const user = await signedInUser(0);
    const csv = 'ID;Role;Main;Note\r\n1;main;;"a; b"\r\n2;Farm;1;=1+1\r\n3;left;;\r\n';
    const send = (body: string) =>
      user.call('POST', '/v1/rosters/rok/4001/import', body, { 'content-type': 'text/csv' });
    const { data } = await send(csv);
    expect(data.entries).toEqual([
      { governor_id: 1, role: 'main', main_id: null, note: 'a; b' },
      { governor_id: 2, role: 'farm', main_id: 1, note: '=1+1' },
      { governor_id: 3, role: 'left', main_id: null, note: '' },
    ]);
    expect((await send('ID,Role\n1,boss\n')).msg).toBe("Line 2: 'boss' is not one of main, farm, left, exempt.");
    expect((await send('ID,Role,Main\n1,main,\n\n2,farm,2\n')).msg).toBe('Line 4: 2 cannot be its own main.');
    expect((await send('Name\nA\n')).msg).toMatch(/must name the columns/);
    expect(await send(`${','.repeat(1000)}\n`)).toMatchObject({
      status: 400,
      msg: 'Line 1 has more than 1,000 columns.',
    });
    expect((await send(`1,main,,${'x'.repeat(100_001)}\n`)).msg).toBe('Line 1 is too long for a scan.');
    const file = await (await user.fetch('/v1/rosters/rok/4001/download')).text();
    expect((await send(file)).data.entries).toEqual(data.entries);
    // Typed by hand: no headers, and columns in our order.
    expect((await send('7,main\n8,farm,7,second\n')).data.entries).toEqual([
      { governor_id: 7, role: 'main', main_id: null, note: '' },
      { governor_id: 8, role: 'farm', main_id: 7, note: 'second' },
    ]);
    expect((await send('')).data.entries).toEqual([]);
  });
});

test.each<[string, (text: string) => number[]]>([
  ['Windows-1252', (text) => Array.from(text, (character) => character.charCodeAt(0))],
  [
    'UTF-16',
    (text) => Array.from(`\ufeff${text}`, (one) => one.charCodeAt(0)).flatMap((code) => [code & 0xff, code >> 8]),
  ],
])('a csv file in %s keeps its notes', async (_, bytesOf) => {
  const user = await signedInUser(0);
  const response = await user.fetch('/v1/rosters/rok/4001/import', {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: new Uint8Array(bytesOf('ID;Role;Main;Note\r\n1;main;;Söldner\r\n')),
  });
  expect(await response.json()).toMatchObject({
    data: { entries: [{ governor_id: 1, role: 'main', main_id: null, note: 'Söldner' }] },
  });
});

test('a file that is no text is refused', async () => {
  const user = await signedInUser(0);
  const send = { method: 'POST', headers: { 'content-type': 'text/csv' }, body: new Uint8Array([0x31, 0, 0, 0x31]) };
  const response = await user.fetch('/v1/rosters/rok/4001/import', send);
  expect([response.status, await response.json()]).toMatchObject([400, { msg: expect.stringContaining('bytes of 0') }]);
});

test('a refusal of a roster is wholly in the language that is asked for', async () => {
  const user = await signedInUser(0);
  const send = (body: string) =>
    user.call('POST', '/v1/rosters/rok/4001/import', body, { 'content-type': 'text/csv', 'accept-language': 'ko' });
  expect(await send('ID,Role\n,main\n')).toMatchObject({
    msg: '2번째 줄: 집정관 ID가 없습니다.',
    params: { line: 2, flaw: '집정관 ID가 없습니다.' },
  });
  expect((await send('ID,Role\n2,farm\n')).msg).toBe('2번째 줄: 2: 부계정입니다. 본계정을 지정하세요.');
  const farm = [{ governor_id: 2, role: 'farm', main_id: null, note: '' }];
  expect(await user.call('PUT', '/v1/rosters/rok/4001?seen=0', farm, { 'accept-language': 'ko' })).toMatchObject({
    msg: '[0]: 2: 부계정입니다. 본계정을 지정하세요.',
    params: { id: '2' },
  });
});

describe('a roster with several editors', () => {
  const PLACE = '/v1/rosters/rok/4001';
  const row = (governor_id: number, note = '') => ({ governor_id, role: 'exempt', main_id: null, note });

  test('is saved only over the version that the editor has seen', async () => {
    const user = await signedInUser(0);
    const put = (entries: object[], seen: number | string) => user.call('PUT', `${PLACE}?seen=${seen}`, entries);
    const { data: first } = await put([row(1)], 0);
    expect(await put([row(2)], 0)).toMatchObject({ status: 409, msg: expect.stringContaining('changed meanwhile') });
    const { data: second } = await put([row(1), row(2)], first.updated_at);
    expect(second.updated_at).toBeGreaterThan(first.updated_at);
    expect((await put([row(3)], first.updated_at)).status).toBe(409);
    // A retry whose first answer was lost finds its own rows.
    expect(await put([row(1), row(2)], first.updated_at)).toMatchObject({ status: 200, data: second });
    const csv = (seen: number) =>
      user.call('POST', `${PLACE}/import?seen=${seen}`, '9,main\n', { 'content-type': 'text/csv' });
    expect((await csv(first.updated_at)).status).toBe(409);
    expect((await user.call('GET', PLACE)).data).toEqual(second);
    expect((await put([], first.updated_at)).status).toBe(409);
    expect((await csv(second.updated_at)).data.entries).toMatchObject([{ governor_id: 9 }]);
    expect((await put([], 'x')).msg).toMatch(/^seen: /);
  });

  test('saves one of several concurrent edits', async () => {
    const user = await signedInUser(0);
    const { data } = await user.call('PUT', PLACE, [row(1)]);
    const edits = [2, 3, 4].map((id) => user.call('PUT', `${PLACE}?seen=${data.updated_at}`, [row(id)]));
    expect((await Promise.all(edits)).map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect((await user.call('GET', `${PLACE}/history`)).data.edits).toHaveLength(2);
  });

  test('shows its edits, and who made them, to its owner alone', async () => {
    const [user, other] = await Promise.all([signedInUser(0), signedInUser(0)]);
    await user.call('PUT', PLACE, [row(1, 'on holiday'), row(2)]);
    const { data: made } = await makeKey(user, ['report']);
    const key = caller({ authorization: `Bearer ${made.key}` });
    await key.call('PUT', PLACE, [{ governor_id: 1, role: 'farm', main_id: 5, note: '' }]);
    await user.call('PUT', PLACE, [{ governor_id: 1, role: 'farm', main_id: 5, note: '' }]);
    expect((await user.call('GET', `${PLACE}/history`)).data.edits).toMatchObject([
      {
        by: 'key',
        count: 2,
        changes: [
          { governor_id: 1, before: 'exempt (on holiday)', after: 'farm of 5' },
          { governor_id: 2, before: 'exempt', after: null },
        ],
      },
      { by: 'user', count: 2 },
    ]);
    expect((await other.call('GET', `${PLACE}/history`)).data.edits).toEqual([]);
    expect((await user.call('GET', '/v1/rosters/cod/4001/history')).data.edits).toEqual([]);
  });
});

describe('the goals of a kingdom', () => {
  const PLACE = '/v1/rosters/rok/4001/goals';
  const bracket = { min_power: 40_000_000, dkp: 2_000_000, kills: null, deads: null };

  test('are kept for each kingdom until they are replaced, and logged', async () => {
    const user = await signedInUser(0);
    expect((await user.call('GET', PLACE)).data).toEqual({ goals: [], farms: null, updated_at: null });
    const goals = { goals: [bracket], farms: 20 };
    const { data } = await user.call('PUT', PLACE, goals);
    expect(data).toEqual({ ...goals, updated_at: expect.any(Number) });
    expect((await user.call('GET', PLACE)).data).toEqual(data);
    expect((await user.call('GET', '/v1/rosters/cod/4001/goals')).data.goals).toEqual([]);
    expect((await user.call('PUT', PLACE, { goals: [], farms: null })).data).toMatchObject({ goals: [], farms: null });
    const activity = (await user.call('GET', '/v1/account/activity')).data;
    expect(activity.filter(({ action }: { action: string }) => action === 'goals.changed')).toHaveLength(2);
  });

  test('are refused with the field that is wrong', async () => {
    const user = await signedInUser(0);
    const refused = async (goals: object) => (await user.call('PUT', PLACE, { goals: [], farms: null, ...goals })).msg;
    expect(await refused({ farms: 101 })).toMatch(/^farms: /);
    expect(await refused({ goals: [{ ...bracket, min_power: -1 }] })).toMatch(/^goals\[0\]\.min_power: /);
    expect(await refused({ goals: Array(41).fill(bracket) })).toMatch(/^goals: must have /);
    expect((await user.call('PUT', '/v1/rosters/rok/x/goals', { goals: [], farms: null })).status).toBe(400);
  });

  test('are of a bounded number of kingdoms', async () => {
    const user = await signedInUser(0);
    await env.DB.prepare(
      `WITH RECURSIVE kingdoms (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM kingdoms WHERE id < ?2)
       INSERT INTO kingdom_goals (user_id, game, kingdom_id, goals, updated_at) SELECT ?1, 'rok', id, '[]', 1 FROM kingdoms`,
    )
      .bind(user.id, MAX_KINGDOM_GOALS)
      .run();
    expect(await user.call('PUT', PLACE, { goals: [], farms: 5 })).toMatchObject({
      status: 413,
      msg: 'An account keeps goals of 200 kingdoms at most.',
    });
    expect((await user.call('PUT', '/v1/rosters/rok/7/goals', { goals: [], farms: 5 })).status).toBe(200);
    // Emptied ones make room.
    expect((await user.call('PUT', '/v1/rosters/rok/7/goals', { goals: [], farms: null })).data).toEqual({
      ...{ goals: [], farms: null, updated_at: null },
    });
    expect((await user.call('PUT', PLACE, { goals: [], farms: 5 })).status).toBe(200);
  });
});
