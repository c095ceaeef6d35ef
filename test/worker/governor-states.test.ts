import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { DAY_MS } from '../../domain/days.ts';
import { historyBytes } from '../../domain/history/file.ts';
import type { History } from '../../domain/history/history.ts';
import { STATE_FIGURES, stateOf } from '../../domain/history/state.ts';
import { type Row, tableOf } from '../../domain/scans/rows.ts';
import { historyKey, storedHistory } from '../../worker/gateways/history-store.ts';
import { alliancePage } from '../../worker/models/kingdoms/alliances.ts';
import { governorPage } from '../../worker/models/kingdoms/governors.ts';
import { kingdomPage } from '../../worker/models/kingdoms/kingdoms.ts';
import { keepHistory } from '../../worker/services/histories/keep-history.ts';
import { packKingdom } from '../../worker/services/histories/pack-histories.ts';
import { verifyState } from '../../worker/services/service/verify-state.ts';
import { db } from './client.ts';
import { governor, publishRows } from './scans.ts';

/**
 * Names, power and profiles of governors are in their kingdom's file. The directory only says in which kingdom they
 * are.
 */

const STORE = env.STORE;
const NOW = Date.now();
const rows = (first: number, count: number, more: Row = {}): Row[] =>
  Array.from({ length: count }, (_, index) => governor(first + index, 900e6 - index * 1e5, more));
const listed = (id: number) =>
  env.DB.prepare(`SELECT kingdom_id, name, captured_at FROM governors WHERE governor_id = ?`).bind(id).first();
const page = (id: number) => governorPage(db, STORE, 'rok', id, 90);
const players = async (kingdom: number) =>
  (await kingdomPage(db, STORE, 'rok', kingdom, 7))?.players.map(({ id, name }) => [id, name]);

it('the directory is written for new, renamed and moved governors only', async () => {
  const then = NOW - 3 * DAY_MS;
  await publishRows('rok', 3400, then, rows(340_000, 3));
  await publishRows('rok', 3400, then + DAY_MS, [
    ...rows(340_000, 2, { deads: 9e6 }),
    governor(340_002, 5, { name: 'New' }),
  ]);
  expect(await Promise.all([340_000, 340_002].map(listed))).toEqual([
    { kingdom_id: 3400, name: 'Governor 340000', captured_at: then },
    { kingdom_id: 3400, name: 'New', captured_at: then + DAY_MS },
  ]);
  expect(await page(340_000)).toMatchObject({ governor: { captured_at: then + DAY_MS }, row: { deads: 9e6 } });
});

it('a crash before the directory is written is made good by the retry', async () => {
  const scan = { kingdom_id: 3410, captured_at: NOW - DAY_MS, source: 'made up' };
  await publishRows('rok', 3410, NOW - 2 * DAY_MS, rows(341_000, 2));
  await keepHistory(db, STORE, tableOf('rok', rows(341_000, 1, { name: 'Renamed' })), scan);
  expect(await listed(341_000)).toMatchObject({ name: 'Governor 341000' });
  await publishRows('rok', 3410, scan.captured_at, rows(341_000, 1, { name: 'Renamed' }));
  expect(await listed(341_000)).toMatchObject({ name: 'Renamed', captured_at: scan.captured_at });
  expect((await page(341_000))?.history).toMatchObject([{ field: 'name', old: 'Governor 341000', value: 'Renamed' }]);
});

it('an older scan after a newer one changes neither name, power nor the directory', async () => {
  const [older, newer] = [NOW - 2 * DAY_MS, NOW - DAY_MS];
  await publishRows('rok', 3420, NOW - 3 * DAY_MS, rows(342_000, 2));
  // The newer scan does not change the directory, which is therefore older than both.
  await publishRows('rok', 3420, newer, rows(342_000, 2));
  const before = await page(342_000);
  await publishRows('rok', 3420, older, rows(342_000, 1, { name: 'Late', power: 1 }));
  expect(await listed(342_000)).toMatchObject({ name: 'Governor 342000', captured_at: NOW - 3 * DAY_MS });
  const { days, scans, ...after } = (await page(342_000)) as NonNullable<Awaited<ReturnType<typeof page>>>;
  expect({ ...before, days: 0, scans: 0 }).toEqual({ ...after, days: 0, scans: 0 });
  expect([days.length, scans.length]).toEqual([3, 3]);
});

it('a governor seen in two kingdoms on a day is present in the later one, in whatever order the scans arrive', async () => {
  const noon = Math.floor(NOW / DAY_MS) * DAY_MS - DAY_MS / 2;
  for (const [first, second] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const [from, to, id] = [3430 + 10 * first, 3431 + 10 * first, 343_000 + 100 * first];
    await publishRows('rok', from, noon - 2 * DAY_MS, rows(id, 3));
    await publishRows('rok', to, noon - 2 * DAY_MS, rows(id + 50, 3));
    const seen = [
      () => publishRows('rok', from, noon, rows(id, 3)),
      () => publishRows('rok', to, noon + 3600_000, [...rows(id, 1), ...rows(id + 50, 3)]),
    ] as const;
    await seen[first]();
    await seen[second]();
    expect((await players(from))?.map(([one]) => one)).toEqual([id + 1, id + 2]);
    expect((await players(to))?.map(([one]) => one)).toContain(id);
    expect((await page(id))?.days.map(({ kingdom_id }) => kingdom_id)).toEqual([from, to]);
    expect(await listed(id)).toMatchObject({ kingdom_id: to });
  }
});

/** Returns the governors' rows as the release before had them. */
const tableRows = (history: History) =>
  [...history.lines].map(([id, line]) => {
    const { figures, profile_at, others } = stateOf(line.state, history.columns);
    const { captured_at } = history.scans.get(line.newest.day)?.[line.newest.scan] ?? { captured_at: 0 };
    const values = STATE_FIGURES.map((figure) => figures[figure]);
    return env.DB.prepare(
      `UPDATE governors SET power = ?, ${STATE_FIGURES.map((figure) => `${figure} = ?`).join(', ')}, profile = ?,
         captured_at = ?, profile_at = ? WHERE governor_id = ?`,
    ).bind(line.newest.values[0], ...values, JSON.stringify(others), captured_at, profile_at, id);
  });

it('a file of the release before takes states from the table, when read, scanned and packed', async () => {
  const asked = { game: 'rok', kingdom_id: 3450 } as const;
  await publishRows('rok', 3450, NOW - 9 * DAY_MS, rows(345_000, 30, { alliance_name: 'Älpha', domain: 3 }));
  const unread = { killpoints: null, deads: null, killcount_t5: null, town_center: null, highest_power: null };
  const kills = { killcount_t1: null, killcount_t2: null, killcount_t3: null, killcount_t4: null };
  await publishRows('rok', 3450, NOW - DAY_MS, rows(345_000, 20, { ...unread, ...kills }));
  const pages = async () => [
    await page(345_001),
    await page(345_025),
    await kingdomPage(db, STORE, 'rok', 3450, 30),
    await alliancePage(db, STORE, asked, 'A1'),
  ];
  const before = await pages();
  expect(before[0]).toMatchObject({ quality: 'listed', last_read: { row: { alliance_name: 'Älpha' } } });
  const forgetStates = async () => {
    const history = (await storedHistory(STORE, asked)) as History;
    await STORE.put(historyKey(asked), historyBytes({ ...history, stated: false }));
    return history;
  };
  await env.DB.batch(tableRows(await forgetStates()));
  expect((await storedHistory(STORE, asked))?.stated).toBe(false);
  expect(await pages()).toEqual(before);
  await packKingdom(db, STORE, asked, NOW);
  expect((await storedHistory(STORE, asked))?.stated).toBe(true);
  expect(await pages()).toEqual(before);
  await forgetStates();
  await publishRows('rok', 3450, NOW - DAY_MS, rows(345_000, 20, { ...unread, ...kills }));
  expect((await storedHistory(STORE, asked))?.stated).toBe(true);
  expect(await pages()).toEqual(before);
});

it('the state check names a kingdom whose directory points elsewhere', async () => {
  await publishRows('rok', 3460, NOW - DAY_MS, rows(346_000, 3));
  await publishRows('rok', 3461, NOW - DAY_MS, rows(346_100, 3));
  expect((await verifyState(db, STORE, NOW)).flaws.filter((flaw) => /346[01]/.test(flaw))).toEqual([]);
  await env.DB.prepare(`UPDATE governors SET name = 'Other' WHERE governor_id = 346001`).run();
  await env.DB.prepare(`DELETE FROM governors WHERE governor_id = 346002`).run();
  expect((await verifyState(db, STORE, NOW)).flaws).toContain(
    'The packed history of rok 3460 differs from the directory in 2 of 2 governors.',
  );
});
