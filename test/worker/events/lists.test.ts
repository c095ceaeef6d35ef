import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { type EventPayload, eventPayload } from '../../../domain/events/contract.ts';
import { type EventMark, MARK_ACTS, type MarkAct } from '../../../domain/events/event.ts';
import { partsOf, putEventSnapshot, shownHeads } from '../../../worker/models/events/event-snapshots.ts';
import { createEvent, editEvent, eventOf, listEvents, markEvent } from '../../../worker/models/events/events.ts';
import { publicSnapshots, snapshotAnswers, snapshotRange } from '../../../worker/services/events/public-event.ts';
import { db, insertUser, signedInAdmin } from '../client.ts';
import { cell } from '../people.ts';
import { HOUR, eventOf as planOf, START } from './war.ts';

/** Lists of events, their marks, and ranges of their snapshots. */

let admin: { id: string; address: string };
const plan = (more: Record<string, unknown> = {}): EventPayload => eventPayload.parse(planOf(more));
const made = (more: Record<string, unknown> = {}) => createEvent(db, plan(more), admin, START);

beforeEach(async () => {
  admin = { id: (await insertUser()).id, address: '' };
  await env.DB.batch(
    ['event_part_versions', 'event_parts', 'event_snapshots', 'events'].map((table) =>
      env.DB.prepare(`DELETE FROM ${table}`),
    ),
  );
});

describe('lists of events', () => {
  test('for visitors show the newest first, of one game, without archived ones', async () => {
    const cod = {
      game: 'cod',
      camps: [
        { name: 'Daybreak', kingdoms: ['1'] },
        { name: 'Greenwood', kingdoms: ['2'] },
      ],
      weights: { merits: 1 },
    };
    const first = await made({ start: START });
    const later = await made({ start: START + HOUR });
    const same = await made({ start: START });
    const other = await made({ ...cod, start: START + 2 * HOUR });
    const archived = await made({ start: START + 3 * HOUR });
    const event = await eventOf(db, archived);
    if (!event) throw new Error('no event');
    expect(await markEvent(db, event, 'archive', admin)).toBe(true);
    const ids = async (game: 'rok' | 'cod' | null, most = 10) =>
      (await shownHeads(db, game, most)).map(({ event }) => event.id);
    expect(await ids(null)).toEqual([other, later, same, first]);
    expect(await ids('rok')).toEqual([later, same, first]);
    expect(await ids('cod')).toEqual([other]);
    expect(await ids(null, 2)).toEqual([other, later]);
  });

  test('for admins have pages of fifty, newest first', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 51; count++) ids.unshift(await made());
    const page = await listEvents(db);
    expect(page.map(({ id }) => id)).toEqual(ids.slice(0, 50));
    expect((await listEvents(db, { before: page.at(-1)?.id ?? 0 })).map(({ id }) => id)).toEqual(ids.slice(50));
  });

  test('for admins are narrowed by state as each event shows it, and to late ones', async () => {
    const desk = await signedInAdmin();
    const list = async (state?: string) =>
      (await desk.call('GET', `/v1/admin/events${state ? `?state=${state}` : ''}`)).data.events as {
        dashboard_id: number;
        state: string;
        late_since: number | null;
      }[];
    await env.DB.prepare(`UPDATE events SET mark = 'archived'`).run();
    const DAY = 86_400_000;
    const now = Date.now();
    for (const [mark, start, end] of [
      ['draft', 1, 2],
      ['open', 1, 2],
      ['open', -3, 2],
      ['open', -3, -2],
      ['closed', -3, 2],
    ] as const) {
      const id = await made();
      await env.DB.prepare(
        `UPDATE events SET mark = ?1, start_at = ?2, end_at = ?3, next_refresh = CASE WHEN ?3 > ?5 THEN ?2 END,
           plan = json_set(plan, '$.start', ?2, '$.end', ?3) WHERE id = ?4`,
      )
        .bind(mark, now + start * DAY, now + end * DAY, id, now)
        .run();
    }
    const all = await list();
    for (const state of ['draft', 'upcoming', 'running', 'ended', 'archived'])
      expect([state, (await list(state)).map((each) => each.dashboard_id)]).toEqual([
        state,
        all.filter((each) => each.state === state).map((each) => each.dashboard_id),
      ]);
    expect((await list('ended')).length).toBe(2);
    const late = await list('late');
    expect(late).toMatchObject([{ state: 'running', late_since: now - 3 * DAY }]);
    expect(all.filter(({ late_since }) => late_since !== null)).toEqual(late);
    expect((await desk.call('GET', '/v1/admin/events?state=lost')).status).toBe(400);
  });
});

test('fills gaps of an event snapshot from its previous one, then from the last scan', async () => {
  const scan = (key: string, kingdom: number, captured_at: number, kind = 'scan', game = 'rok') =>
    env.DB.prepare(
      `INSERT INTO snapshots (key, game, kind, kingdom_id, captured_at, source, rows, bytes, quality, version, created_at)
       VALUES (?, ?, ?, ?, ?, '', 1, 1, '{}', 1, 1)`,
    )
      .bind(`${key}-${id}`, game, kind, kingdom, captured_at)
      .run();
  const [other, id] = [await made(), await made()];
  await scan('old', 701, START - 2 * HOUR);
  await scan('last', 701, START - HOUR);
  await scan('older', 701, START - 3 * HOUR);
  await scan('history', 701, START - 2, 'history');
  await scan('later', 701, START + 1);
  await scan('cod', 701, START - 1, 'scan', 'cod');
  await scan('of-702', 702, START);
  await scan('again-702', 702, START);
  await scan('of-703', 703, START);
  await scan('newer-703', 703, START + HOUR);
  const kingdoms = [701, 702, 703, 704];
  const put = (event: number, ts: number, parts: [number, string][]) =>
    putEventSnapshot(db, event, {
      ts,
      source: 'test',
      kingdoms,
      parts: parts.map(([kingdom_id, key]) => ({ kingdom_id, key: `${key}-${id}` })),
    });
  const shown = async (ts: number) =>
    (await partsOf(db, id, [ts]))?.parts.map(({ kingdom_id, key, stands_in }) => [
      kingdom_id,
      key?.replace(`-${id}`, '') ?? null,
      stands_in,
    ]);
  await put(other, START, [[704, 'older']]);
  await put(id, START, [[703, 'of-703']]);
  expect(await shown(START)).toEqual([
    [701, 'last', true],
    [702, 'again-702', true],
    [703, 'of-703', false],
    [704, null, true],
  ]);
  await put(id, START + 2 * HOUR, [[701, 'later']]);
  expect(await shown(START + 2 * HOUR)).toEqual([
    [701, 'later', false],
    [702, 'again-702', true],
    [703, 'of-703', true],
    [704, null, true],
  ]);
  // A part that arrives later replaces only what filled its gap.
  await put(id, START, [[702, 'of-702']]);
  expect(await shown(START)).toEqual([
    [701, 'last', true],
    [702, 'of-702', false],
    [703, 'of-703', false],
    [704, null, true],
  ]);
});

describe('a mark', () => {
  test.each<[EventMark, MarkAct, boolean]>([
    ['draft', 'publish', true],
    ['draft', 'close', false],
    ['draft', 'reopen', false],
    ['draft', 'archive', true],
    ['open', 'publish', false],
    ['open', 'reopen', false],
    ['open', 'close', true],
    ['open', 'archive', true],
    ['closed', 'publish', false],
    ['closed', 'reopen', true],
    ['closed', 'close', false],
    ['closed', 'archive', true],
    ['archived', 'publish', false],
    ['archived', 'reopen', true],
    ['archived', 'close', false],
    ['archived', 'archive', false],
  ])('of a %s event, %s: %s', async (from, act, allowed) => {
    const to = MARK_ACTS[act].mark;
    const logged = act === 'publish' ? 'published' : to;
    const id = await made({ gather: true });
    await env.DB.prepare('UPDATE events SET mark = ? WHERE id = ?').bind(from, id).run();
    const before = await eventOf(db, id);
    if (!before) throw new Error('no event');
    expect(await markEvent(db, before, act, admin, START)).toBe(allowed);
    const after = await eventOf(db, id);
    expect(after).toMatchObject({ mark: allowed ? to : from, revision: before.revision + (allowed ? 1 : 0) });
    if (allowed) expect(after?.next_refresh).toBe(to === 'open' ? START : null);
    expect(
      await cell(
        `SELECT count(*) FROM audit_entries WHERE subject = ? AND action = ?`,
        `event:${id}`,
        `event.${logged}`,
      ),
    ).toBe(allowed ? 1 : 0);
  });

  test('or edit of an outdated revision is refused and not logged, and the game never changes', async () => {
    const id = await made({ gather: true });
    const logged = (action: string) =>
      cell('SELECT count(*) FROM audit_entries WHERE subject = ? AND action = ?', `event:${id}`, `event.${action}`);
    const read = async () => (await eventOf(db, id)) as NonNullable<Awaited<ReturnType<typeof eventOf>>>;
    const before = await read();
    expect(await editEvent(db, before, { ...plan({ name: 'New name' }), game: 'cod' }, admin)).toBe(false);
    expect(await editEvent(db, { ...before, id: id + 1000 }, plan(), admin)).toBe(false);
    expect(await logged('edited')).toBe(0);
    expect(await editEvent(db, before, plan({ name: 'New name', gather: true }), admin, START + 5)).toBe(true);
    const edited = { plan: { name: 'New name', game: 'rok' }, mark: 'open', revision: 2, updated_at: START + 5 };
    expect(await read()).toMatchObject(edited);
    expect(await editEvent(db, before, plan({ name: 'Newer name' }), admin, START + 6)).toBe(false);
    expect(await markEvent(db, before, 'close', admin, START + 6)).toBe(false);
    expect(await read()).toMatchObject(edited);
    expect([await logged('edited'), await logged('closed')]).toEqual([1, 0]);
    expect(await markEvent(db, await read(), 'close', admin, START + 7)).toBe(true);
    expect(await editEvent(db, { ...before, revision: 2 }, plan(), admin, START + 8)).toBe(false);
    expect([await logged('edited'), await logged('closed')]).toEqual([1, 1]);
  });
});

describe('snapshots of an event', () => {
  const snapshot = (ts: number, corrected_at: number | null = null) => ({
    ts,
    source: 'bots',
    corrected_at,
    rows: 1,
    missing: [],
    by_file_time: [],
  });
  const snapshots = [10, 20, 30].map((hour) => snapshot(hour * HOUR));
  const meta = { snapshots: snapshotAnswers(snapshots, false), dates: { Pass: 25 * HOUR } };

  test('are live, final or corrected', () => {
    const states = (running: boolean) =>
      snapshotAnswers([snapshot(1), snapshot(2, 9), snapshot(3)], running).map(({ state }) => state);
    expect(states(true)).toEqual(['final', 'corrected', 'live']);
    expect(states(false)).toEqual(['final', 'corrected', 'final']);
    expect(snapshotAnswers([snapshot(1, 9)], true)[0]?.state).toBe('corrected');
  });

  test('are public once the delay is over, to the millisecond', async () => {
    const id = await made({ publication_delay: 6 });
    const event = await eventOf(db, id);
    if (!event) throw new Error('no event');
    const seen = (now: number) =>
      publicSnapshots({ event, snapshots, failed: null, gathering: null }, now).map(({ ts }) => ts / HOUR);
    expect(seen(26 * HOUR - 1)).toEqual([10]);
    expect(seen(26 * HOUR)).toEqual([10, 20]);
  });

  test('make a range: all of them by default, never backwards', () => {
    const range = (start?: number, end?: number) => snapshotRange(meta, { start, end });
    expect(range()).toEqual({ start: 10 * HOUR, end: 30 * HOUR });
    expect(range(20 * HOUR)).toEqual({ start: 20 * HOUR, end: 30 * HOUR });
    expect(range(undefined, 20 * HOUR)).toEqual({ start: 10 * HOUR, end: 20 * HOUR });
    expect(range(20 * HOUR, 20 * HOUR)).toEqual({ start: 20 * HOUR, end: 20 * HOUR });
    // A labelled date means the last snapshot before it; any other time must be that of a snapshot.
    expect(range(25 * HOUR)).toEqual({ start: 20 * HOUR, end: 30 * HOUR });
    expect(() => range(26 * HOUR)).toThrow(/There is no snapshot at .* The nearest: .*, .*\./);
    expect(() => range(30 * HOUR, 20 * HOUR)).toThrow('start: must not be after the end.');
    expect(snapshotRange({ snapshots: [], dates: {} }, {})).toBeNull();
    expect(() => snapshotRange({ snapshots: [], dates: {} }, { start: 1 })).toThrow(
      'There is no snapshot of this event yet.',
    );
  });
});
