import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { showWithout } from '../../domain/boards/leaderboard.ts';
import { HIDDEN_ID } from '../../domain/boards/profile.ts';
import { addDays, type Day, dayStart, MINUTE_MS } from '../../domain/days.ts';
import { type Row, tableOf } from '../../domain/scans/rows.ts';
import { forgetManifest } from '../../worker/gateways/board-cache.ts';
import { changeManifest, readBoardManifest } from '../../worker/gateways/board-store.ts';
import { purgeSettled } from '../../worker/services/boards/hide-governors.ts';
import { publishDay, publishDueBoards } from '../../worker/services/boards/publish-boards.ts';
import { publishSnapshot } from '../../worker/services/scans/publish-snapshot.ts';
import { caller, db } from './client.ts';

/** Boards of earlier days: the days listed, the gain of a row, and its history. */

const HOUR = 3_600_000;
const FIRST: Day = '2026-03-10';
const LAST = addDays(FIRST, 9);
const visitor = caller();

const governor = (id: number, power: number): Row => ({
  governor_id: id,
  home_kingdom: 0,
  name: `Governor ${id}`,
  alliance_tag: `A${id % 2}`,
  power,
  highest_power: power,
  killpoints: 20 * id,
  killcount_t5: id,
});

async function scan(kingdom: number, day: Day, rows: Row[], hour = 5): Promise<void> {
  await publishSnapshot(db, env.STORE, tableOf('rok', rows), {
    kingdom_id: kingdom,
    captured_at: dayStart(day) + hour * HOUR,
    source: 'made up',
    id: `days-${kingdom}-${day}-${hour}`,
    item_id: null,
    version: 1,
  });
}

const POWERS = Array.from({ length: 240 }, (_, index) => 5_000_000 - index * 1000);

beforeAll(async () => {
  for (let day = 0; day < 10; day++) {
    // Governor 200 climbs from place 200 to the top and a page further; governor 900 is new on the fifth day.
    const rows = POWERS.map((power, index) => governor(index + 1, power + (index === 199 ? day * 25_000 : 0)));
    if (day >= 4) rows.push(governor(900, 6_000_000 + day));
    await scan(1001, addDays(FIRST, day), rows);
  }
  // The second scan of kingdom 1002 reads only 60 of 100 governors.
  await scan(
    1002,
    addDays(FIRST, 7),
    POWERS.slice(0, 100).map((power, index) => governor(2000 + index, power - 1)),
  );
  await scan(
    1002,
    addDays(FIRST, 8),
    POWERS.slice(0, 60).map((power, index) => governor(2000 + index, power + 4)),
  );
  await publishDueBoards(db, env.STORE, dayStart(addDays(LAST, 1)) + HOUR);
});

afterEach(() => {
  vi.useRealTimers();
});

/** Returns a visitor's answer at noon, `days` days after the last scans. */
async function asked(path: string, days = 8) {
  vi.useFakeTimers({ toFake: ['Date'], now: dayStart(addDays(LAST, days)) + 12 * HOUR });
  await forgetManifest();
  return visitor.call('GET', path);
}

const GOVERNORS = '/v1/governor/rankings/rok';

it('lists public days newest first, without days that are still delayed', async () => {
  const all = Array.from({ length: 10 }, (_, index) => addDays(LAST, -index));
  expect((await asked(`${GOVERNORS}/days`)).data.days).toEqual(all);
  expect((await asked(`${GOVERNORS}/days`, 4)).data.days).toEqual(all.slice(3));
  expect((await asked('/v1/kingdom/rankings/rok/days', 1)).data.days).toEqual(all);
  expect((await asked('/v1/governor/rankings/cod/days')).data.days).toEqual([]);
  expect((await asked('/v1/governor/rankings/chess/days')).status).toBe(400);
});

it('shows the board of an earlier day, and refuses days that are too recent, deleted or invalid', async () => {
  const day = addDays(FIRST, 2);
  const { data } = await asked(`${GOVERNORS}?type=power&count=100&page=0&day=${day}`);
  expect(data.info).toMatchObject({ day, total: 240 });
  expect((await asked(GOVERNORS)).data.info.day).toBe(LAST);
  // Six days later, the board of the last day is not public yet, even by name.
  const young = await asked(`${GOVERNORS}?day=${LAST}`, 6);
  expect(young).toMatchObject({
    status: 400,
    msg: `day: there is no board of that day. Boards exist from ${FIRST} to ${addDays(LAST, -1)}.`,
  });
  expect((await asked(`${GOVERNORS}/row?place=1&day=${LAST}`, 6)).status).toBe(400);
  expect((await asked(`${GOVERNORS}?day=2026-03-09`)).status).toBe(400);
  expect((await asked(`${GOVERNORS}?day=constructor`)).msg).toContain('is not a day');
});

it('shows gains since the day before, or null for new rows and sums over other governors', async () => {
  const { data } = await asked(`${GOVERNORS}?day=${addDays(FIRST, 4)}`);
  const row = (id: number) => data.rankings.find((each: { governor_id: number }) => each.governor_id === id);
  expect(row(900)).toMatchObject({ rank: 1, moved: null, gained: null });
  expect(row(200)).toMatchObject({ gained: 25_000 });
  expect(row(1)).toMatchObject({ gained: 0, moved: -1 });
  const kills = await asked(`${GOVERNORS}?type=killpoints&day=${addDays(FIRST, 5)}`);
  expect(kills.data.rankings[0]).toMatchObject({ governor_id: 900, gained: 0 });
  const kingdoms = async (day: number) => {
    const answer = await asked(`/v1/kingdom/rankings/rok?count=10&page=0&day=${addDays(FIRST, day)}`);
    return answer.data.rankings as { kingdom_id: number; gained: number | null }[];
  };
  expect(await kingdoms(3)).toMatchObject([{ kingdom_id: 1001, gained: 25_000 }]);
  const before = (await kingdoms(7)).find(({ kingdom_id }) => kingdom_id === 1002);
  const after = (await kingdoms(8)).find(({ kingdom_id }) => kingdom_id === 1002);
  expect([before?.gained, after?.gained]).toEqual([null, null]);
});

it('returns the history of a row across days and pages, back to its first day on the board', async () => {
  const board = await asked(`${GOVERNORS}?day=${LAST}`);
  const { rank } = board.data.rankings.find((row: { governor_id: number }) => row.governor_id === 200);
  const { data } = await asked(`${GOVERNORS}/row?type=power&place=${rank}&day=${LAST}`);
  const days = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const day = addDays(FIRST, index);
      const answer = await asked(`${GOVERNORS}?day=${day}`);
      const row = answer.data.rankings.find((each: { governor_id: number }) => each.governor_id === 200);
      return { day, rank: row.rank, power: row.power, score: 4000, count: null };
    }),
  );
  expect(data.days).toEqual(days);
  expect(new Set(days.map((day) => Math.floor((day.rank - 1) / 100))).size).toBe(2);
  const late = await asked(`${GOVERNORS}/row?type=power&place=1&day=${LAST}`);
  expect(late.data.days).toHaveLength(6);
  const alliance = await asked(`/v1/alliance/rankings/rok/row?type=power&place=1&day=${addDays(FIRST, 3)}`);
  expect(alliance.data.days.at(-1)).toMatchObject({ rank: 1, count: 120 });
  expect(alliance.data.days).toHaveLength(4);
});

it('returns what a late scan of an earlier day changed, though the board of its own day stays the same', async () => {
  const [day, before] = [addDays(FIRST, 8), addDays(FIRST, 7)];
  const place = (await asked(`${GOVERNORS}?day=${day}`)).data.rankings.findIndex(
    (row: { governor_id: number }) => row.governor_id === 1,
  );
  const history = () => asked(`${GOVERNORS}/row?type=power&place=${place + 1}&day=${day}`);
  const version = async () => (await readBoardManifest(env.STORE)).manifest.rok.days[day]?.boards['governor-power'];
  const [known, kept] = [await history(), await version()];
  const powerOn = (answer: typeof known, at: Day) =>
    answer.data.days.find((each: { day: Day }) => each.day === at).power;
  expect(powerOn(known, addDays(FIRST, 2))).toBe(5_000_000);
  const rows = POWERS.map((power, index) =>
    governor(index + 1, power + (index === 0 ? 5 : index === 199 ? 50_000 : 0)),
  );
  await scan(1001, addDays(FIRST, 2), rows, 6);
  await publishDueBoards(db, env.STORE, dayStart(addDays(LAST, 1)) + HOUR);
  expect([await version(), powerOn(await history(), before)]).toEqual([kept, powerOn(known, before)]);
  expect(powerOn(await history(), addDays(FIRST, 2))).toBe(5_000_005);
});

it('refuses a place that the board does not have', async () => {
  for (const place of [0, -1, 342]) {
    const { status, msg } = await asked(`${GOVERNORS}/row?place=${place}&day=${LAST}`);
    expect([status, msg]).toEqual([400, 'place: the board of that day goes from 1 to 341.']);
  }
  expect((await asked(`${GOVERNORS}/row?place=341&day=${LAST}`)).status).toBe(200);
  expect((await asked(`${GOVERNORS}/row?place=1`)).status).toBe(400);
});

it('publishes a board that the day before lacks, and leaves the other boards unchanged', async () => {
  const day = addDays(LAST, -1);
  const versions = async () => (await readBoardManifest(env.STORE)).manifest.rok.days[LAST]?.boards;
  const before = await versions();
  const { manifest } = await readBoardManifest(env.STORE);
  const kept = structuredClone(manifest.rok.days[day]);
  await changeManifest(env.STORE, ({ rok }) => {
    Reflect.deleteProperty(rok.days[day]?.boards ?? {}, 'governor-score');
  });
  expect(await publishDay(db, env.STORE, 'rok', LAST, Date.now())).toBe(true);
  const made = await versions();
  expect(made?.['governor-power']).toEqual(before?.['governor-power']);
  expect(made?.['governor-score']?.version).not.toBe(before?.['governor-score']?.version);
  await changeManifest(env.STORE, ({ rok }) => {
    if (kept) rok.days[day] = kept;
  });
  await publishDay(db, env.STORE, 'rok', LAST, Date.now());
  expect(await versions()).toEqual(before);
});

it('answers with empty boards for a game that was never scanned', async () => {
  expect((await asked('/v1/kingdom/rankings/cod')).data).toEqual([]);
  expect((await asked('/v1/kingdom/rankings/cod?count=-1')).data.rankings).toEqual([]);
  expect((await asked(`/v1/governor/rankings/cod?day=${FIRST}`)).msg).toBe('day: there is no board yet.');
  // For a scanned game, `count` or `page` adds the info of the board.
  for (const query of ['count=-1', 'page=0'])
    expect((await asked(`/v1/kingdom/rankings/rok?${query}`)).data).toMatchObject({ info: { total: 2 } });
  expect((await asked('/v1/kingdom/rankings/rok')).data).toHaveLength(2);
});

it('home page figures include their day and the first day with boards', async () => {
  const { data } = await asked('/v1/stats/global', 5);
  const since = { kingdoms: 2, governors: 341, alliances: 4, captured_at: dayStart(LAST) + 5 * HOUR, since: FIRST };
  expect(data.rok).toEqual({ ...since, delayed_day: addDays(LAST, -2), newest_day: addDays(LAST, -2) });
  const none = { kingdoms: 0, governors: 0, alliances: 0, captured_at: null, since: null };
  expect(data.cod).toEqual({ ...none, delayed_day: null, newest_day: addDays(LAST, -2) });
});

it('home page figures match the totals of the boards of the same day', async () => {
  for (const days of [0, 5]) {
    const { rok } = (await asked('/v1/stats/global', days)).data;
    const totalOf = async (kind: string) =>
      (await asked(`/v1/${kind}/rankings/rok?type=power&count=100&page=0`, days)).data.info.total;
    expect([await totalOf('kingdom'), await totalOf('alliance'), await totalOf('governor')]).toEqual([
      rok.kingdoms,
      rok.alliances,
      rok.governors,
    ]);
  }
});

it('gives each board, day and page its own ETag', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: dayStart(addDays(LAST, 8)) + 12 * HOUR });
  await forgetManifest();
  const paths = [
    GOVERNORS,
    `${GOVERNORS}?count=100&page=0`,
    `${GOVERNORS}?count=100&page=1`,
    `${GOVERNORS}?count=50&page=0`,
    `${GOVERNORS}?count=50&page=1`,
    `${GOVERNORS}?count=25&page=0`,
    `${GOVERNORS}?day=${addDays(LAST, -1)}`,
    `${GOVERNORS}?type=killpoints`,
    '/v1/alliance/rankings/rok',
    '/v1/kingdom/rankings/rok',
    '/v1/kingdom/rankings/rok?page=0',
  ];
  const tags = await Promise.all(paths.map(async (path) => (await visitor.fetch(path)).headers.get('etag')));
  expect(new Set(tags).size).toBe(paths.length);
});

it('follows a removed governor by place, though another removed one had the same place before', async () => {
  const [day, before] = [addDays(FIRST, 5), addDays(FIRST, 4)];
  const rows = async (on: Day) => (await asked(`${GOVERNORS}?type=power&count=-1&page=0&day=${on}`)).data.rankings;
  const { rank } = (await rows(day)).find(({ governor_id }: { governor_id: number }) => governor_id === 200);
  const there = (await rows(before))[rank - 1].governor_id;
  const history = async () => (await asked(`${GOVERNORS}/row?type=power&place=${rank}&day=${day}`)).data.days;
  const named = await history();
  await changeManifest(env.STORE, ({ rok }) => showWithout(rok, { ids: [200, there], mark: 'both' }));
  onTestFinished(async () => {
    await changeManifest(env.STORE, ({ rok }) => showWithout(rok, undefined));
  });
  expect((await rows(day))[rank - 1].governor_id).toBe(HIDDEN_ID);
  expect(await history()).toEqual(named);
});

describe('a cached board URL', () => {
  const path = `${GOVERNORS}?count=10&page=0`;
  const read = async () => {
    const response = await visitor.fetch(path);
    const { data } = (await response.json()) as { data: { info: { day: Day }; rankings: { governor_id: number }[] } };
    return {
      day: data.info.day,
      first: data.rankings[0]?.governor_id,
      kept: response.headers.get('cloudflare-cdn-cache-control'),
    };
  };
  /** Requests the path until memory alone answers it. */
  const remembered = async (now: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now });
    await forgetManifest();
    for (let times = 0; times < 2; times++) await read();
  };

  it('shows the next day’s board from midnight', async () => {
    const midnight = dayStart(addDays(LAST, 7));
    await remembered(midnight - 5000);
    vi.setSystemTime(midnight - 1);
    expect(await read()).toMatchObject({ day: addDays(LAST, -1), kept: expect.stringContaining('max-age=1,') });
    vi.setSystemTime(midnight);
    expect(await read()).toMatchObject({ day: LAST });
  });

  it('shows a board published since', async () => {
    const noon = dayStart(addDays(LAST, 8)) + 12 * HOUR;
    await remembered(noon);
    expect(await read()).toMatchObject({ first: 900 });
    await scan(1003, LAST, [governor(3001, 7_000_000)]);
    await publishDay(db, env.STORE, 'rok', LAST, noon);
    await forgetManifest();
    await visitor.fetch(`${GOVERNORS}?count=100&page=0`);
    expect(await read()).toMatchObject({ first: 3001 });
  });

  it('is purged again once no isolate has the previous manifest', async () => {
    await changeManifest(env.STORE, () => {});
    expect(await purgeSettled(env.STORE, Date.now() + MINUTE_MS)).toBe(true);
    expect(await purgeSettled(env.STORE, Date.now() + 3 * MINUTE_MS)).toBe(false);
  });

  it('refuses other methods than GET and HEAD', async () => {
    await remembered(dayStart(addDays(LAST, 8)) + 12 * HOUR);
    const response = await visitor.fetch(path, { method: 'POST' });
    await response.body?.cancel();
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

it('publishes boards without a scan whose object is missing', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const keys = await env.DB.prepare(`SELECT key FROM snapshots WHERE kingdom_id = 1002`).raw<[string]>();
  await env.STORE.delete(keys.flat());
  expect(await publishDay(db, env.STORE, 'rok', addDays(FIRST, 8), dayStart(LAST))).toBe(true);
  const day = (await readBoardManifest(env.STORE)).manifest.rok.days[addDays(FIRST, 8)];
  expect(day?.counts.governors).toBe(241);
  expect(logged.mock.calls.flat().every((line) => String(line).includes('is missing in the store'))).toBe(true);
  logged.mockRestore();
});
