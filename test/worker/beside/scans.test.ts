import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { addDays, dayStart } from '../../../domain/days.ts';
import { presentIn, stateIn } from '../../../domain/history/present.ts';
import { type Row, tableOf } from '../../../domain/scans/rows.ts';
import { kingdomHistory } from '../../../worker/models/kingdoms/histories.ts';
import { recordAlone, recordSnapshot, type SnapshotRecord } from '../../../worker/models/scans/snapshots.ts';
import { keepHistory } from '../../../worker/services/histories/keep-history.ts';
import { db, insertUser } from '../client.ts';
import { governor } from '../scans.ts';
import { type Cell, changesOf, insertion } from './changes.ts';

/** The governor rows that a scan writes, and those that it leaves unchanged. */

const at = (days: number): number => dayStart(addDays('2096-03-10', days)) + 5 * 3_600_000;
let scans = 0;
const recorded = async (rows: readonly Row[], captured_at: number, more: Partial<SnapshotRecord> = {}) => {
  const table = tableOf('rok', rows as Row[]);
  const record = {
    game: 'rok',
    kingdom_id: 21,
    source: 's',
    bytes: 1,
    quality: {},
    item_id: null,
    version: 1,
  } as const;
  const about = { ...record, key: `scan ${++scans}`, captured_at, rows: rows.length, ...more };
  const changes = await keepHistory(db, env.STORE, table, about);
  return recordSnapshot(db, table, about, changes, at(9));
};
/** Returns the governors of a kingdom as they were last seen, strongest first. */
const statesOf = async (kingdom_id: number) => {
  const kingdom = await kingdomHistory(db, env.STORE, { game: 'rok', kingdom_id });
  return presentIn(kingdom, { newest: Number.MAX_SAFE_INTEGER, standing: 0 }).map((known) => ({
    ...{ governor_id: known.id, power: known.power, captured_at: known.captured_at },
    ...stateIn(kingdom, known),
  }));
};
const all = async (sql: string, ...values: Cell[]) =>
  (
    await env.DB.prepare(sql)
      .bind(...values)
      .all<Record<string, Cell>>()
  ).results;

it('scans keep figures of every size, names of every script and unknown values', async () => {
  const sizes = [0, 9, 10, 99, 100, 999, 12_345_678, 99_999_999, 100_000_000, 100_000_001, 2_147_483_648, 2 ** 53 - 1];
  const names = ['a', '', 'Ω', '飛龍在天', '👑 King', "O'Neil", '"{}', '\\', 'ß'.repeat(40)];
  const rows = Array.from({ length: 1002 }, (_, index): Row => {
    const figure = (shift: number) => sizes[(index + shift) % sizes.length] as number;
    return governor(1000 + index, 5_000_000 - index, {
      name: names[index % names.length] as string,
      alliance_tag: names[(index + 3) % names.length] as string,
      ...{ killpoints: figure(0), deads: figure(1), killcount_t1: figure(2), killcount_t2: figure(3) },
      ...{ killcount_t3: figure(4), killcount_t4: figure(5), killcount_t5: index % 7 === 0 ? null : figure(6) },
      town_center: index % 5 === 0 ? null : 25,
      alliance_name: names[(index + 5) % names.length] as string,
    });
  });
  await recorded(rows.toReversed(), at(0));
  const known = await statesOf(21);
  expect(known).toHaveLength(1002);
  expect(known.map(({ others, ...row }) => ({ ...row, alliance_name: others.alliance_name }))).toEqual(
    rows.map((row) => ({
      ...{ governor_id: row.governor_id, name: row.name, alliance_tag: row.alliance_tag, power: row.power },
      figures: {
        ...{ score: row.killpoints, deads: row.deads, hall: row.town_center, t1: row.killcount_t1 },
        ...{ t2: row.killcount_t2, t3: row.killcount_t3, t4: row.killcount_t4, t5: row.killcount_t5 },
      },
      ...{ alliance_name: row.alliance_name, captured_at: at(0), profile_at: at(0) },
    })),
  );
  const listed = await all('SELECT governor_id, name, alliance_tag FROM governors WHERE kingdom_id = 21 ORDER BY 1');
  expect(listed).toEqual(rows.map(({ governor_id, name, alliance_tag }) => ({ governor_id, name, alliance_tag })));
});

it('shows the newest scan and the last full profile, in any order of arrival', async () => {
  const id = 5001;
  const listed = (power: number): Row => ({ governor_id: id, name: `Listed ${power}`, alliance_tag: 'L', power });
  const read = (power: number): Row => governor(id, power, { name: `Read ${power}`, alliance_tag: 'R', deads: power });
  const stands = async () =>
    (await statesOf(22)).map(({ name, power, figures, captured_at, profile_at }) => [
      ...[name, power, figures.deads, captured_at - at(0), profile_at && profile_at - at(0)],
    ]);
  const then = async (row: Row, moment: number) => {
    await recorded([row], at(0) + moment, { kingdom_id: 22 });
    const [stand] = await stands();
    // The directory has the same name without having been written by each scan.
    expect(await all('SELECT name FROM governors WHERE governor_id = ?', id)).toEqual([{ name: stand?.[0] }]);
    return stand;
  };
  expect(await then(listed(50), 50)).toEqual(['Listed 50', 50, null, 50, null]);
  // An earlier full read changes the profile alone.
  expect(await then(read(30), 30)).toEqual(['Listed 50', 50, 30, 50, 30]);
  expect(await then(read(20), 20)).toEqual(['Listed 50', 50, 30, 50, 30]);
  expect(await then(listed(40), 40)).toEqual(['Listed 50', 50, 30, 50, 30]);
  expect(await then(read(40), 40)).toEqual(['Listed 50', 50, 40, 50, 40]);
  expect(await then(read(60), 60)).toEqual(['Read 60', 60, 60, 60, 60]);
  expect(await then(listed(70), 70)).toEqual(['Listed 70', 70, 60, 70, 60]);
  // A second scan of the same time changes nothing.
  expect(await then(listed(99), 70)).toEqual(['Listed 70', 70, 60, 70, 60]);
});

it('a kingdom’s day shows its deepest scan, then the one with profiles, then the last', async () => {
  const rows = (count: number, deads: number | null): Row[] =>
    Array.from({ length: count }, (_, index) =>
      deads === null
        ? { governor_id: 6000 + index, name: 'n', alliance_tag: '', power: 9 }
        : governor(6000 + index, 9, { deads }),
    );
  const then = async (count: number, deads: number | null, moment: number) => {
    const quality = deads === null ? { listed: count } : {};
    await recorded(rows(count, deads), at(0) + moment, { kingdom_id: 23, quality });
    const [day] = await all(
      `SELECT captured_at, totals ->> 'player_count' AS players FROM kingdom_days WHERE kingdom_id = 23`,
    );
    return [Number(day?.captured_at) - at(0), day?.players];
  };
  expect(await then(3, null, 10)).toEqual([10, 3]);
  expect(await then(2, 5, 20)).toEqual([10, 3]);
  expect(await then(3, null, 5)).toEqual([10, 3]);
  expect(await then(3, 5, 4)).toEqual([4, 3]);
  expect(await then(3, null, 30)).toEqual([4, 3]);
  expect(await then(3, 5, 8)).toEqual([8, 3]);
  expect(await then(4, null, 1)).toEqual([1, 4]);
});

it('a snapshot finishes its item and refunds missing governors once, in its own version', async () => {
  await insertUser({ id: 'me', username: 'me', email: 'me@example.com' });
  const item = (id: string, position: number, more: Record<string, Cell> = {}) =>
    insertion('items', {
      ...{ id, order_id: 1, position, product_id: 'rok-kingdom-scan', game: 'rok', kingdom_id: 24, governors: 250 },
      ...{
        full_profile: 1,
        price_cents: 150,
        details: '{}',
        state: 'finishing',
        subtask_count: 3,
        incomplete_count: 0,
        ...more,
      },
    });
  await env.DB.batch([
    insertion('orders', { id: 1, uuid: 'order', user_id: 'me', placed_at: 1, total_cents: 450, entries: '[]' }),
    ...[
      item('short', 0),
      item('beside', 1),
      item('off', 2, { state: 'cancelled' }),
      item('empty', 3),
      item('newer', 4, { version: 2 }),
    ],
  ]);
  const bought = { user_id: 'me', governors: 250 };
  const rows = Array.from({ length: 101 }, (_, index) => governor(7000 + index, 9));
  const ended = (item_id: string, count = 101) =>
    changesOf(
      [
        ['items', 'id'],
        ['ledger_entries', 'reference'],
      ],
      () => recorded(rows.slice(0, count), at(1), { kingdom_id: 24, item_id, bought, key: `of ${item_id}` }),
    );
  const done = (more: string) =>
    expect.stringMatching(
      new RegExp(`^state finishing > done, snapshot_id null > \\d+, finished_at null > ${at(9)}${more}$`),
    );
  const back = (amount: number, got: number) =>
    `+ user_id me, amount_cents ${amount}, kind return, note Kingdom 24: ${got} of 250 governors, created_at ${at(9)}`;
  const short = await ended('short');
  expect(Object.values(short)).toEqual([expect.stringContaining('returned_cents 0 > 50'), back(50, 101)]);
  expect(Object.keys(short)[0]).toBe('items short');
  expect(await ended('short')).toEqual({});
  expect(await ended('off')).toEqual({});
  expect(Object.values(await ended('empty', 0))).toEqual([
    expect.stringContaining('returned_cents 0 > 150'),
    back(150, 0),
  ]);
  // A snapshot of an older item version refunds nothing.
  expect(Object.values(await ended('newer'))).toEqual([done('')]);
  const record = {
    game: 'rok',
    kingdom_id: 24,
    source: 's',
    bytes: 1,
    quality: {},
    version: 1,
    captured_at: at(1),
    rows: 3,
  } as const;
  const alone = () =>
    recordAlone(db, { ...record, key: 'alone', kind: 'history', item_id: 'beside', bought }, 250, at(9));
  expect(
    await changesOf(
      [
        ['items', 'id'],
        ['ledger_entries', 'reference'],
      ],
      alone,
    ),
  ).toEqual({ 'items beside': done('') });
  expect(await all(`SELECT count(*) AS days FROM kingdom_days WHERE kingdom_id = 24`)).toEqual([{ days: 1 }]);
});
