import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { FIRST_LICENCE_TEXT, FIRST_LICENCE_VERSION } from '../../domain/accounts/eula.ts';
import { addDays, DAY_MS, dayOf } from '../../domain/days.ts';
import { balanceOf, caller, fireCron, type Person, person, scanOf, signedInAdmin, signedInUser } from './client.ts';
import { rowsWhere } from './payments-client.ts';
import { withSecondFactor } from './people.ts';

/** Versions of the licence: drafts, publication from a day on, and what users accepted. */

const FIRST = FIRST_LICENCE_VERSION;
const NEXT = FIRST + 1;
const HOUR_MS = 3_600_000;
const SCANS = 'Scans of kingdoms, as they are. '.repeat(4).trim();
/** A text whose other lines are those of the first version. */
const TEXT = `Muster end user licence\n\n1. What you get\n${SCANS}`;
const today = () => dayOf(Date.now());
const tomorrow = () => addDays(today(), 1);

let admin: Person;
beforeAll(async () => {
  admin = await signedInAdmin();
});
beforeEach(() => env.DB.prepare('DELETE FROM licences').run());
afterEach(() => void vi.useRealTimers());

const write = (body: object = {}, version = NEXT, who = admin) =>
  who.call('PUT', `/v1/admin/licences/${version}`, {
    ...{ text: TEXT, holds_from: null, edits: 0, reason: 'clearer words' },
    ...body,
  });
const discard = (edits: number, version = NEXT) =>
  admin.call('POST', `/v1/admin/licences/${version}/discard`, { edits, reason: 'not needed' });
const listed = async () => (await admin.call('GET', '/v1/admin/licences')).data;
const shown = (version?: number) => caller().call('GET', `/v1/eula${version ? `?version=${version}` : ''}`);
const entries = async (action: string) =>
  (await rowsWhere(`SELECT detail, subject, actor FROM audit_entries WHERE action = '${action}' ORDER BY id DESC`)).map(
    ({ detail, ...entry }) => ({ ...entry, detail: JSON.parse(String(detail)) }),
  );
const accept = (user: Person, version?: number) =>
  user.call('POST', '/v1/eula/accept', { accepted: true, ...(version && { version }) });

describe('a draft', () => {
  it('is seen by admins alone, edited and discarded', async () => {
    expect((await write()).status).toBe(200);
    expect(await listed()).toEqual({
      today: today(),
      current: FIRST,
      text: TEXT,
      versions: [
        { version: NEXT, holds_from: null, edits: 1 },
        { version: FIRST, holds_from: '', edits: 0 },
      ],
    });
    expect((await shown(NEXT)).status).toBe(404);
    expect((await shown()).data).toEqual({
      ...{ eula: FIRST_LICENCE_TEXT, version: FIRST, holds_from: '', current: FIRST },
      versions: [{ version: FIRST, holds_from: '' }],
    });
    expect((await write({ edits: 1, text: `${TEXT}\nMore.` })).status).toBe(200);
    expect((await listed()).text).toBe(`${TEXT}\nMore.`);
    expect((await discard(1)).status).toBe(409);
    expect((await discard(2)).status).toBe(200);
    expect((await listed()).versions).toHaveLength(1);
    expect((await entries('licence.discarded'))[0]).toMatchObject({
      ...{ actor: `admin:${admin.id}`, subject: String(NEXT) },
      detail: { reason: 'not needed', before: { holds_from: null, text: `${SCANS} More.` } },
    });
  });

  it('is written once by a double click, and refuses edits of an older one with the difference', async () => {
    const answers = await Promise.all([write(), write()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await entries('licence.drafted')).length).toBeGreaterThan(0);
    expect((await write({ edits: 1, text: `${TEXT}\nTheirs.` })).status).toBe(200);
    expect(await write({ edits: 1, text: `${TEXT}\nMine.` })).toMatchObject({
      status: 409,
      msg: 'Somebody changed this meanwhile. What is stored now, and yours in brackets: text: Theirs. (Mine.)',
    });
    expect((await listed()).text).toBe(`${TEXT}\nTheirs.`);
  });

  it.each([
    ['too short', { text: 'No.' }, NEXT, 400, 'text: must have at least 100 characters.'],
    ['too long', { text: 'a'.repeat(40_001) }, NEXT, 400, 'text: must have at most 40,000 characters.'],
    ['without a reason', { reason: '' }, NEXT, 400, /^reason: /],
    ['from no day', { holds_from: 'soon' }, NEXT, 400, 'holds_from: must be a day, such as 2026-12-01.'],
    ['from yesterday', { holds_from: addDays(dayOf(Date.now()), -1) }, NEXT, 400, /^holds_from: is in the past/],
    [
      'of a version that holds',
      { edits: 0 },
      FIRST,
      409,
      'This version holds and cannot be changed any more. Write a new one.',
    ],
    ['two versions ahead', {}, NEXT + 1, 409, /another version does not hold yet/],
    ['of an edit of nothing', { edits: 3 }, NEXT, 409, /discarded this draft meanwhile/],
    ['of version 0', {}, 0, 400, /^version: /],
  ])('%s is refused', async (_, body, version, status, msg) => {
    expect(await write(body, version)).toMatchObject({
      status,
      msg: typeof msg === 'string' ? msg : expect.stringMatching(msg),
    });
    expect((await listed()).versions).toHaveLength(1);
  });
});

describe('a published version', () => {
  it('holds from today: users accept it before they order, by its number, and can read the old one', async () => {
    const user = await signedInUser();
    const order = () => user.call('POST', '/v1/order/create', { orders: [scanOf([1012])] });
    expect((await write({ holds_from: today() })).status).toBe(200);
    expect(await shown()).toMatchObject({
      data: { eula: TEXT, version: NEXT, holds_from: today(), current: NEXT, versions: [{}, { version: FIRST }] },
    });
    const { headers } = await caller().fetch('/v1/eula');
    expect([headers.get('cache-tag'), headers.get('cloudflare-cdn-cache-control')]).toEqual([
      'licence',
      expect.stringMatching(/^max-age=\d{1,4}, /),
    ]);
    expect((await caller().fetch(`/v1/eula?version=${NEXT + 1}`)).headers.get('cache-tag')).toBeNull();
    expect((await shown(FIRST)).data).toMatchObject({ eula: FIRST_LICENCE_TEXT, version: FIRST, current: NEXT });
    expect((await user.call('GET', '/v1/account')).data.eula_accepted).toBe(false);
    expect((await user.signIn()).data.eula_accepted).toBe(false);
    expect((await user.call('GET', '/v1/licenses')).data.licenses[0].held).toBe(false);
    expect(await order()).toMatchObject({ status: 403, reason: 'eula' });
    expect(await accept(user, FIRST)).toMatchObject({
      status: 409,
      msg: 'Another version of the licence holds now. Please read it first.',
    });
    expect(await accept(user, NEXT)).toMatchObject({ status: 200, data: { version: NEXT } });
    expect((await order()).status).toBe(200);
    expect((await admin.call('GET', `/v1/admin/accounts/${user.id}`)).data.eula_version).toBe(NEXT);
    const accepted = await rowsWhere(
      `SELECT detail FROM audit_entries WHERE action = 'eula.accepted' AND user_id = '${user.id}'`,
    );
    expect(accepted).toEqual([{ detail: JSON.stringify({ version: NEXT }) }]);
    expect((await entries('licence.published'))[0]?.detail).toEqual({
      ...{ reason: 'clearer words', before: null },
      after: { holds_from: today(), text: SCANS },
    });
  });

  it('holds for runs of schedules too, until their user accepts it', async () => {
    const user = await signedInUser();
    const start = Date.now() + HOUR_MS;
    const scheduleInfo = { period: 'hour', interval: 1, start: new Date(start).toISOString() };
    const { data } = await user.call('POST', '/v1/order/create', { orders: [scanOf([1012])], scheduleInfo });
    await write({ holds_from: today() });
    await fireCron('* * * * *', start);
    const runs = () =>
      rowsWhere('SELECT outcome, note FROM runs WHERE schedule_id = ? ORDER BY due_at', data.schedule_id);
    const refused = { outcome: 'refused', note: 'Please accept the licence before you order.' };
    expect([await runs(), await balanceOf(user)]).toEqual([[refused], 100]);
    await accept(user, NEXT);
    await fireCron('* * * * *', start + HOUR_MS);
    expect([await runs(), await balanceOf(user)]).toEqual([[refused, { outcome: 'placed', note: null }], 99.5]);
  });

  it('cannot be changed or discarded while it holds, and the next one follows it', async () => {
    await write({ holds_from: today() });
    expect((await write({ edits: 1, text: `${TEXT}\nLess.` })).status).toBe(409);
    expect((await discard(1)).status).toBe(409);
    expect((await write({ text: `${TEXT}\nLess.` }, NEXT + 1)).status).toBe(200);
    expect((await listed()).versions.map(({ version }: { version: number }) => version)).toEqual([
      NEXT + 1,
      NEXT,
      FIRST,
    ]);
  });

  it('holds only from its day on, is announced before and can become a draft again until then', async () => {
    const user = await signedInUser();
    const day = tomorrow();
    expect((await write({ holds_from: day })).status).toBe(200);
    expect((await shown()).data).toMatchObject({
      ...{ version: FIRST, current: FIRST },
      versions: [{ version: NEXT, holds_from: day }, {}],
    });
    expect((await shown(NEXT)).data).toMatchObject({ eula: TEXT, version: NEXT, current: FIRST });
    expect((await user.call('GET', '/v1/account')).data.eula_accepted).toBe(true);
    expect((await accept(user, NEXT)).status).toBe(409);
    expect((await write({ edits: 1 })).status).toBe(200);
    expect((await shown(NEXT)).status).toBe(404);
    expect((await write({ edits: 2, holds_from: day })).status).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY_MS });
    expect((await shown()).data).toMatchObject({ version: NEXT, current: NEXT });
    expect((await user.call('GET', '/v1/account')).data.eula_accepted).toBe(false);
    expect((await write({ edits: 3 })).msg).toMatch(/^This version holds/);
  });

  it('needs the second factor, a draft does not', async () => {
    const careful = await person({ role: 'admin' });
    await withSecondFactor(careful);
    expect((await write({}, NEXT, careful)).status).toBe(200);
    expect(await write({ edits: 1, holds_from: today(), code: '000000' }, NEXT, careful)).toMatchObject({
      status: 403,
      msg: 'code: is wrong or was used before.',
    });
    expect((await listed()).versions[0]).toMatchObject({ holds_from: null, edits: 1 });
  });
});
