import { describe, expect, test } from 'vitest';
import { rawWorkbook } from '../../scan-files/workbooks.ts';
import { caller, db, person } from '../client.ts';
import { csvOf, eventOf, fighter, HOUR, load, madeEvent, START } from './war.ts';

const visitor = caller();
const TWO = {
  camps: [
    { name: 'Fire', kingdoms: ['711'] },
    { name: 'Water', kingdoms: ['712-2'] },
  ],
};

const cells = (...texts: string[]) =>
  `<x:row>${texts.map((text) => `<x:c t="str"><x:v>${text}</x:v></x:c>`).join('')}</x:row>`;
const TWICE = Uint8Array.from(
  rawWorkbook(['711', 'KD 711'], cells('Governor ID', 'Name', 'Power') + cells('1', 'Fighter', '5')),
);

const logOf = async (id: number) =>
  (
    await db.$client
      .prepare(`SELECT action FROM audit_entries WHERE subject = ? ORDER BY id`)
      .bind(`event:${id}`)
      .all<{ action: string }>()
  ).results.map(({ action }) => action);

describe('permissions', () => {
  test.each([
    ['GET', '/v1/admin/events'],
    ['POST', '/v1/admin/events'],
    ['GET', '/v1/admin/events/1'],
    ['PUT', '/v1/admin/events/1'],
    ['POST', '/v1/admin/events/1/publish'],
    ['POST', '/v1/admin/events/1/close'],
    ['POST', '/v1/admin/events/1/reopen'],
    ['POST', '/v1/admin/events/1/archive'],
    ['POST', '/v1/admin/events/1/refresh'],
    ['POST', '/v1/admin/events/1/snapshots'],
    ['DELETE', '/v1/admin/events/1/snapshots/1'],
  ])('only admins learn that there is %s %s', async (method, path) => {
    const user = await person();
    const body = method === 'GET' || method === 'DELETE' ? undefined : eventOf();
    for (const one of [visitor, user])
      expect(await one.call(method, path, body)).toMatchObject({
        status: 404,
        msg: 'There is nothing at this address.',
      });
  });
});

describe('creating and changing', () => {
  test('an event is stored as sent, and every change is logged', async () => {
    const { admin, id } = await madeEvent(TWO);
    const { data } = await admin.call('GET', `/v1/admin/events/${id}`);
    expect(data).toMatchObject({ dashboard_id: id, state: 'running', revision: 2, next_refresh: null });
    expect(data.event).toMatchObject({ kvk_id: 'T-1', camps: TWO.camps, depth: 500, publication_delay: 0 });

    expect(await admin.call('PUT', `/v1/admin/events/${id}`, eventOf({ ...TWO, name: 'Other' }))).toMatchObject({
      status: 200,
    });
    expect((await visitor.call('GET', `/v1/dashboards/${id}/`)).data).toMatchObject({ name: 'Other', revision: 3 });
    expect((await admin.call('POST', `/v1/admin/events/${id}/close`)).data).toEqual({ state: 'ended' });
    expect((await visitor.call('GET', `/v1/dashboards/${id}/`)).data.state).toBe('ended');
    expect(await admin.call('POST', `/v1/admin/events/${id}/close`)).toMatchObject({ status: 409 });
    expect((await admin.call('POST', `/v1/admin/events/${id}/reopen`)).data).toEqual({ state: 'running' });
    expect((await admin.call('POST', `/v1/admin/events/${id}/archive`)).data).toEqual({ state: 'archived' });
    expect(await logOf(id)).toEqual([
      ...['event.published', 'event.edited', 'event.closed', 'event.open', 'event.archived'],
    ]);
    const listed = (await visitor.call('GET', '/v1/dashboards')).data.events;
    expect(listed.map(({ dashboard_id }: { dashboard_id: number }) => dashboard_id)).not.toContain(id);
  });

  test.each([
    [{ camps: [{ name: 'Plasma', kingdoms: ['1'] }] }, /^camps\[0\]\.name: must be one of Fire, /],
    [
      {
        camps: [
          { name: 'Fire', kingdoms: ['1'] },
          { name: 'Water', kingdoms: ['1'] },
        ],
      },
      /kingdom 1 appears twice/,
    ],
    [
      { camps: [{ name: 'Fire', kingdoms: ['1', '1-2'] }] },
      /1-2 is part of a kingdom that is there as a whole already/,
    ],
    [{ camps: [{ name: 'Fire', kingdoms: ['12x'] }] }, /^camps\[0\]\.kingdoms\[0\]: must be a kingdom/],
    [{ end: START - 1 }, /^end: must be after the start/],
    [{ weights: { name: 3 } }, /^weights\.name: is not a figure of Rise of Kingdoms/],
    [{ refresh_rate: 1 }, /^refresh_rate: must be 5 minutes or more/],
    [{ kvk_id: '../x' }, /^kvk_id: must be 1 to 40/],
    [{ zeroed: { 12: 33 } }, /must be one of 0, 50, 70, 80, 90, 100/],
    [{ surprise: 1 }, /surprise/],
  ])('%j is refused at its field', async (flaw, msg) => {
    const admin = await person({ role: 'admin' });
    const refused = await admin.call('POST', '/v1/admin/events', eventOf(flaw));
    expect([refused.status, refused.msg]).toEqual([400, expect.stringMatching(msg)]);
  });

  test('its game cannot be changed', async () => {
    const { admin, id } = await madeEvent(TWO);
    const other = eventOf({ ...TWO, game: 'cod', weights: { merits: 1 } });
    expect(await admin.call('PUT', `/v1/admin/events/${id}`, other)).toMatchObject({ status: 400 });
  });
});

describe('files', () => {
  const rows = [
    fighter(1, 711, 10),
    fighter(2, 712, 10, { 'Domain ID': 2 }),
    fighter(3, 712, 10, { 'Domain ID': 3 }),
    fighter(4, 799, 10),
  ].map((row) => ({ 'Domain ID': 1, ...row }));

  test('the same file again returns the same snapshot, whatever time is named', async () => {
    const { admin, id } = await madeEvent(TWO);
    const first = await load(admin, id, START, rows);
    const again = await load(admin, id, START + HOUR, rows);
    expect(first.data.repeated).toBe(false);
    expect(again.data).toEqual({ ...first.data, repeated: true });
    expect((await visitor.call('GET', `/v1/dashboards/${id}/`)).data.snapshots).toHaveLength(1);
  });

  test('other kingdoms are named and left out, and a domain counts without its kingdom', async () => {
    const { admin, id } = await madeEvent(TWO);
    const { data } = await load(admin, id, START, rows);
    expect([data.kingdoms, data.rows]).toEqual([[711, 712], 3]);
    expect(data.problems[0].reason).toBe('Kingdom 799 is not part of this event. Governors left out: 1.');
    const board = (await visitor.call('GET', `/v1/dashboards/${id}/data`)).data;
    expect(board.data.kingdoms['712-2']).toMatchObject({ governors: 1, camp: 'Water' });
    expect(board.data.players.map(({ governor_id }: { governor_id: number }) => governor_id)).toEqual([1, 2]);
  });

  test('another file of the same time corrects it', async () => {
    const { admin, id } = await madeEvent({ camps: [{ name: 'Fire', kingdoms: ['741', '742'] }] });
    await load(admin, id, START, [fighter(1, 741, 10)]);
    const before = (await visitor.call('GET', `/v1/dashboards/${id}/`)).data.snapshots;
    expect(before).toMatchObject([{ state: 'live', rows: 1, missing: [{ kingdom: 742, captured_at: null }] }]);
    await load(admin, id, START, [fighter(1, 741, 10), fighter(2, 742, 10), fighter(3, 742, 10)]);
    const after = (await visitor.call('GET', `/v1/dashboards/${id}/`)).data.snapshots;
    expect(after).toMatchObject([{ state: 'corrected', rows: 3, missing: [] }]);
  });

  test('a snapshot can be deleted', async () => {
    const { admin, id } = await madeEvent(TWO);
    await load(admin, id, START, rows);
    expect(await admin.call('DELETE', `/v1/admin/events/${id}/snapshots/${START + 5}`)).toMatchObject({ status: 404 });
    expect(await admin.call('DELETE', `/v1/admin/events/${id}/snapshots/${START}`)).toMatchObject({ status: 200 });
    expect((await visitor.call('GET', `/v1/dashboards/${id}/page`)).data.board).toBeNull();
    expect((await load(admin, id, START, rows)).data.repeated).toBe(false);
  });

  test.each([
    ['', 'captured_at=2026-01-01T00:00:00Z', 'The file is empty.'],
    ['a picture', 'captured_at=2026-01-01T00:00:00Z', /^No column|^This|^The file/],
    [csvOf(rows), '', 'captured_at: neither the file nor its name says when it was made.'],
    [csvOf(rows), 'captured_at=soon', /^captured_at: must be/],
    [csvOf(rows), 'captured_at=2090-01-01T00:00:00Z', /^captured_at: .* is in the future\.$/],
    [csvOf(rows.slice(3)), 'captured_at=2026-01-01T00:00:00Z', /^None of this event’s kingdoms is in the file/],
    [TWICE, 'captured_at=2026-01-01T00:00:00Z', /^Kingdom 711 is in more than one sheet/],
    ['lord_id,name,power,home_server\n5,Cod,100,711', 'captured_at=2026-01-01T00:00:00Z', /file of Call of Dragons/],
  ])('%#: refused with a sentence', async (body, query, msg) => {
    const { admin, id } = await madeEvent(TWO);
    const response = await admin.fetch(`/v1/admin/events/${id}/snapshots?${query}`, { method: 'POST', body });
    const refused = (await response.json()) as { msg: string };
    expect([response.status, refused.msg]).toEqual([400, typeof msg === 'string' ? msg : expect.stringMatching(msg)]);
    expect((await visitor.call('GET', `/v1/dashboards/${id}/`)).data.snapshots).toEqual([]);
  });
});

test('the public sees a snapshot after the delay, and admins at once', async () => {
  const { admin, id } = await madeEvent({ ...TWO, publication_delay: 24 });
  const recent = Date.now() - HOUR;
  await load(admin, id, START, [fighter(1, 711, 10)]);
  await load(admin, id, recent, [fighter(1, 711, 90)]);
  const { data } = await visitor.call('GET', `/v1/dashboards/${id}/`);
  expect(data.snapshots.map(({ ts }: { ts: number }) => ts)).toEqual([START]);
  expect(await visitor.call('GET', `/v1/dashboards/${id}/data?end=${recent}`)).toMatchObject({ status: 404 });
  expect(await visitor.call('GET', `/v1/dashboards/${id}/snapshot/${recent}/download?type=csv`)).toMatchObject({
    status: 404,
  });
  const own = (await admin.call('GET', `/v1/admin/events/${id}`)).data.snapshots;
  expect(own[1]).toMatchObject({ ts: recent, public_at: recent + 24 * HOUR });
});

test('a user names their governors, and nobody else sees them', async () => {
  const [one, other] = [await person(), await person()];
  const { admin, id } = await madeEvent();
  await load(admin, id, START, [fighter(970_001, 701, 5), fighter(970_002, 702, 5)]);
  const own = { rok: [970_002, 970_009], cod: [970_001] };
  const named = [{ game: 'rok', governor_id: 970_002, name: 'Fighter 970002', alliance_tag: 'K2', kingdom_id: 702 }];
  expect((await one.call('PUT', '/v1/account/governors', { ...own, rok: [970_002, 970_009, 970_002] })).data).toEqual({
    ...own,
    named,
  });
  expect((await one.call('GET', '/v1/account/governors')).data).toEqual({ ...own, named });
  const fewer = { rok: [970_009], cod: [] };
  expect((await one.call('PUT', '/v1/account/governors', { rok: [970_009] })).data).toEqual({ ...fewer, named: [] });
  expect((await other.call('GET', '/v1/account/governors')).data).toEqual({ rok: [], cod: [], named: [] });
  expect(await visitor.call('GET', '/v1/account/governors')).toMatchObject({ status: 401 });
});

test('licences show which ones the user holds', async () => {
  const user = await person();
  const { data } = await user.call('GET', '/v1/licenses');
  expect(data.licenses.map(({ id, held }: { id: string; held: boolean }) => [id, held])).toEqual([
    ['orders', true],
    ['own-scans', true],
    ['api', true],
  ]);
  expect(await visitor.call('GET', '/v1/licenses')).toMatchObject({ status: 401 });
});
