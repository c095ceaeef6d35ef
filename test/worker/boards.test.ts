import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { addDays, type Day, dayStart } from '../../domain/days.ts';
import type { Row } from '../../domain/scans/rows.ts';
import { forgetManifest } from '../../worker/gateways/board-cache.ts';
import { readBoardManifest } from '../../worker/gateways/board-store.ts';
import { pruneHistory } from '../../worker/models/boards/board-rows.ts';
import { publishDay, publishDueBoards } from '../../worker/services/boards/publish-boards.ts';
import { caller, db, signedInAdmin, signedInUser } from './client.ts';
import { daysOfKingdom, governor, governorsOf, publishRows } from './scans.ts';

const HOUR = 3_600_000;
const visitor = caller();

const DAY: Day = '2026-03-10';
const at = (day: Day, hour: number): number => dayStart(day) + hour * HOUR;

const board = (path: string) => visitor.call('GET', path);
const idsOf = (answer: { data: { rankings: { governor_id: number }[] } }) =>
  answer.data.rankings.map(({ governor_id }) => governor_id);

function clock(time: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: time });
}

afterEach(() => {
  vi.useRealTimers();
});

/** Two kingdoms on three days; one governor moves, one kingdom's last scan is shallow. */
beforeAll(async () => {
  const many = (kingdom: number, bump: number) =>
    Array.from({ length: 150 }, (_, index) =>
      governor(kingdom * 1000 + index, 1_000_000 + ((index * 7919 + kingdom * 31) % 9973) * 100 + bump),
    );
  await publishRows('rok', 1001, at(DAY, 5), many(1001, 0));
  await publishRows('rok', 1002, at(DAY, 6), many(1002, 50));
  await publishRows('rok', 1001, at(addDays(DAY, 1), 5), many(1001, 7));
  await publishRows('rok', 1002, at(addDays(DAY, 1), 23.99), many(1002, 11));
  // Governor 1001005 moves to 1002 and is weaker there; the last row from 1001 is out of date.
  await publishRows('rok', 1002, at(addDays(DAY, 2), 6), [governor(1_001_005, 900_000), ...many(1002, 12)]);
});

describe('a board', () => {
  it('ranks as sorting the histories does, for every day, by power and by kill points', async () => {
    const now = at(addDays(DAY, 3), 0.1);
    expect(await publishDueBoards(db, env.STORE, now)).toEqual([DAY, addDays(DAY, 1), addDays(DAY, 2)]);
    for (const [days, type, figure] of [
      [0, 'power', 'power'],
      [1, 'power', 'power'],
      [2, 'power', 'power'],
      [2, 'killpoints', 'score'],
    ] as const) {
      const day = addDays(DAY, days);
      // Each governor's last day up to this one counts.
      const seen = new Map(
        [...(await daysOfKingdom('rok', 1001)), ...(await daysOfKingdom('rok', 1002))]
          .filter((one) => one.day <= day)
          .sort((a, b) => a.captured_at - b.captured_at)
          .map((one) => [one.governor_id, one] as const),
      );
      const ranked = [...seen.values()]
        .filter((one) => (one[figure] ?? 0) > 0)
        .sort((a, b) => (b[figure] ?? 0) - (a[figure] ?? 0) || a.governor_id - b.governor_id);
      clock(at(addDays(day, 7), 12));
      await forgetManifest();
      const answer = await board(`/v1/governor/rankings?type=${type}&count=-1&page=0`);
      vi.useRealTimers();
      expect(answer.data.info).toMatchObject({ day, total: type === 'power' ? 300 : 298 });
      expect(idsOf(answer)).toEqual(ranked.map(({ governor_id }) => governor_id));
    }
  });

  it('counts a moved governor once, in the kingdom seen last', async () => {
    clock(at(addDays(DAY, 9), 12));
    const { data } = await board('/v1/governor/rankings?type=power&count=-1&page=0');
    const rows = data.rankings.filter((row: { governor_id: number }) => row.governor_id === 1_001_005);
    expect(rows).toMatchObject([{ kingdom_id: 1002, power: 900_000 }]);
  });

  it('sums alliances over members and kingdoms over scans, with rank changes', async () => {
    clock(at(addDays(DAY, 9), 12));
    const { data } = await board('/v1/alliance/rankings/rok/?type=power&count=-1&page=0');
    const known = (await Promise.all([1001, 1002].map((kingdom) => governorsOf('rok', kingdom)))).flat();
    const alliances = Map.groupBy(known, ({ kingdom_id, alliance_tag }) => `${kingdom_id} ${alliance_tag}`);
    const sums = [...alliances.values()].map((members) => ({
      ...{ kingdom_id: members[0]?.kingdom_id, alliance_tag: members[0]?.alliance_tag },
      power: members.reduce((sum, { power }) => sum + power, 0),
      killpoints: members.reduce((sum, { score }) => sum + (score ?? 0), 0),
      member_count: members.length,
    }));
    expect(sums.length).toBeGreaterThan(3);
    expect(data.rankings).toMatchObject(sums.sort((a, b) => b.power - a.power));
    const kingdoms = await board('/v1/kingdom/rankings/rok/');
    expect(kingdoms.data).toMatchObject([
      { kingdom_id: 1002, player_count: 151, timestamp: at(addDays(DAY, 2), 6), rank: 1 },
      { kingdom_id: 1001, player_count: 150, timestamp: at(addDays(DAY, 1), 5), rank: 2 },
    ]);
    // With `page`, the answer has the shape of every board.
    expect((await board('/v1/kingdom/rankings/rok/?page=0')).data.rankings).toHaveLength(2);
    expect(data.rankings.every((row: { moved: number | null }) => row.moved !== null)).toBe(true);
  });

  it('keeps governors that a later, shallower scan left out', async () => {
    // Lord 4 had more power than the weakest of the later scan but is missing there, so they have left.
    await publishRows('cod', 7, at(DAY, 5), [lord(4, 70, 900), lord(1, 50, 500), lord(2, 40, 400), lord(3, 30, 300)]);
    await publishRows('cod', 7, at(addDays(DAY, 1), 5), [lord(2, 60, 350)]);
    await publishDay(db, env.STORE, 'cod', addDays(DAY, 1), Date.now());
    clock(at(addDays(DAY, 8), 1));
    await forgetManifest();
    const { data } = await board('/v1/governor/rankings/cod?type=merits&count=100&page=0');
    expect(data.rankings).toMatchObject([
      { governor_id: 1, merits: 500, rank: 1 },
      { governor_id: 2, merits: 350, rank: 2 },
      { governor_id: 3, merits: 300, rank: 3 },
    ]);
  });

  it('returns the same rows by page and by smaller slices', async () => {
    clock(at(addDays(DAY, 7), 12));
    const all = idsOf(await board('/v1/governor/rankings?type=power&count=-1&page=0'));
    expect(idsOf(await board('/v1/governor/rankings?type=power&count=100&page=2'))).toEqual(all.slice(200, 300));
    expect(idsOf(await board('/v1/governor/rankings?type=power&count=25&page=5'))).toEqual(all.slice(125, 150));
    const { data } = await board('/v1/kingdom/rankings/rok?count=10&page=0');
    expect(data.info).toMatchObject({ total: 2, day: addDays(DAY, 2) });
  });

  it('refuses invalid types, counts, pages and games with a message', async () => {
    clock(at(addDays(DAY, 7), 12));
    for (const [path, sentence] of [
      ['/v1/governor/rankings?type=honour', /^type: 'honour' is not one of power, killpoints\.$/],
      ['/v1/kingdom/rankings/rok?type=killpoints', /^type: .* not one of power\.$/],
      ['/v1/governor/rankings?count=7', /^count: must be -1 for everything, or one of 10, 25, 50, 100\.$/],
      ['/v1/governor/rankings?count=ten', /^count: 'ten' is not a whole number\.$/],
      ['/v1/governor/rankings?count=100&page=3', /^page: there are 3 of 100 rows, so the last one is 2\.$/],
      ['/v1/governor/rankings?count=100&page=-1', /^page: must be 0/],
      ['/v1/governor/rankings?count=-1&page=1', /^page: must be 0/],
      ['/v1/alliance/rankings/chess', /^game: 'chess' is not one of rok, cod\.$/],
    ] as const) {
      const { status, success, msg } = await board(path);
      expect({ path, status, success }).toEqual({ path, status: 400, success: 0 });
      expect(msg).toMatch(sentence);
    }
  });

  it('is sent as stored bytes with an ETag, and answers 304 to a matching one', async () => {
    clock(at(addDays(DAY, 7), 12));
    const path = '/v1/governor/rankings?type=power&count=100&page=0';
    const packed = await visitor.fetch(path, { headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    const etag = packed.headers.get('etag') ?? '';
    await packed.arrayBuffer();
    // Twelve hours until midnight.
    expect(packed.headers.get('cache-control')).toBe('public, max-age=60');
    expect(packed.headers.get('cloudflare-cdn-cache-control')).toBe('max-age=43200, stale-while-revalidate=86400');
    expect(packed.headers.get('cache-tag')).toBe('boards');
    expect(packed.headers.get('set-cookie')).toBeNull();
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await visitor.fetch(path, { headers: { 'if-none-match': tag } });
      expect(again.status).toBe(304);
    }
    const plain = await visitor.fetch(path, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(idsOf((await plain.json()) as never)).toHaveLength(100);
  });
});

const dayShown = async (path = '/v1/governor/rankings?type=power&count=100&page=0') => {
  await forgetManifest();
  return (await board(path)).data.info.day;
};

const LIST = '/v1/kingdom/rankings/rok?count=100&page=0';

describe('the clock', () => {
  it('shows governors of seven days ago and changes at midnight UTC', async () => {
    clock(dayStart(addDays(DAY, 8)) - 60_000);
    expect(await dayShown()).toBe(DAY);
    clock(dayStart(addDays(DAY, 8)));
    expect(await dayShown()).toBe(addDays(DAY, 1));
  });

  it('never shows a published board before its delay is over', async () => {
    clock(dayStart(addDays(DAY, 7)) - 1);
    const { data } = await board('/v1/governor/rankings?type=power&count=-1&page=0');
    expect(data).toEqual({
      rankings: [],
      info: {
        total: 0,
        day: null,
        captured_at: null,
        since: DAY,
        first_publication: dayStart(addDays(DAY, 7)),
        next_publication: dayStart(addDays(DAY, 7)),
      },
    });
  });

  it('shows the previous board while the cron is late, and checks for the new one every minute', async () => {
    clock(at(addDays(DAY, 4), 0.5));
    expect(await dayShown(LIST)).toBe(addDays(DAY, 2));
    const response = await visitor.fetch(LIST);
    expect(response.headers.get('cloudflare-cdn-cache-control')).toContain('max-age=60,');
    await response.arrayBuffer();
    expect(await publishDueBoards(db, env.STORE, Date.now())).toContain(addDays(DAY, 3));
    expect(await dayShown(LIST)).toBe(addDays(DAY, 3));
  });

  it('skips a missed day and catches up', async () => {
    const [missed, next] = [addDays(DAY, 5), addDays(DAY, 6)];
    await publishDay(db, env.STORE, 'rok', next, at(addDays(DAY, 7), 0));
    clock(at(addDays(missed, 7), 1));
    expect(await dayShown()).toBe(addDays(DAY, 3));
    clock(at(addDays(next, 7), 1));
    expect(await dayShown()).toBe(next);
    clock(at(addDays(DAY, 7), 2));
    expect(await publishDueBoards(db, env.STORE, Date.now())).toContain(missed);
    clock(at(addDays(missed, 7), 1));
    expect(await dayShown()).toBe(missed);
  });
});

describe('publishing', () => {
  it('gives the same objects for the same scans', async () => {
    const before = (await readBoardManifest(env.STORE)).manifest.rok.days[DAY]?.boards;
    await publishDay(db, env.STORE, 'rok', DAY, Date.now());
    expect((await readBoardManifest(env.STORE)).manifest.rok.days[DAY]?.boards).toEqual(before);
  });

  it('keeps the good board if a new one fails halfway', async () => {
    const before = await readBoardManifest(env.STORE);
    await publishRows('rok', 1003, at(DAY, 9), [governor(1_003_001, 5_000_000)]);
    let puts = 0;
    const failing = new Proxy(env.STORE, {
      get: (store, name) => {
        const value = Reflect.get(store, name) as unknown;
        if (typeof value !== 'function') return value;
        if (name !== 'put') return value.bind(store);
        return (...given: Parameters<R2Bucket['put']>) => {
          if (++puts > 4) throw new Error('R2 went away');
          return store.put(...given);
        };
      },
    });
    await expect(publishDay(db, failing, 'rok', DAY, Date.now())).rejects.toThrow('R2 went away');
    expect((await readBoardManifest(env.STORE)).manifest).toEqual(before.manifest);
    clock(at(addDays(DAY, 7), 12));
    await forgetManifest();
    expect(idsOf(await board('/v1/governor/rankings?count=10&page=0'))).not.toContain(1_003_001);
    vi.useRealTimers();
    await publishDay(db, env.STORE, 'rok', DAY, Date.now());
    clock(at(addDays(DAY, 7), 12));
    await forgetManifest();
    expect(idsOf(await board('/v1/governor/rankings?count=10&page=0'))[0]).toBe(1_003_001);
  });

  it('can be repeated by an admin for any stored day, and is logged', async () => {
    const admin = await signedInAdmin();
    clock(at(addDays(DAY, 7), 12));
    const again = (day: string, game = 'rok') => admin.call('POST', '/v1/admin/boards/publish', { game, day });
    await publishRows('rok', 1004, at(DAY, 10), [governor(1_004_001, 6_000_000)]);
    const first = await again(DAY);
    expect(first).toMatchObject({ status: 200, data: { game: 'rok', day: DAY, counts: { kingdoms: 4 } } });
    expect(idsOf(await board('/v1/governor/rankings?count=10&page=0'))[0]).toBe(1_004_001);
    expect((await again(DAY)).data.boards).toEqual(first.data.boards);
    const { days, missing, rebuildable } = (await admin.call('GET', '/v1/admin/boards')).data;
    const listed = days.find((each: { game: string; day: string }) => each.game === 'rok' && each.day === DAY);
    expect(listed).toMatchObject({ boards: first.data.boards, counts: first.data.counts });
    expect(listed.built_ms).toBeGreaterThanOrEqual(0);
    expect(rebuildable).toEqual({ from: addDays(DAY, -83), to: addDays(DAY, 6) });
    // It is not known yet since when there are scans.
    expect(missing).toEqual([]);
    const stored = await env.STORE.list({
      prefix: `boards/rok/kingdom-power/${DAY}/${listed.boards['kingdom-power'].version}/`,
    });
    const parts = stored.objects.filter(({ key }) => key.endsWith('.json.gz'));
    expect(listed.boards['kingdom-power'].bytes).toBe(parts.reduce((sum, { size }) => sum + size, 0));
    const { results } = await env.DB.prepare(
      `SELECT actor, subject FROM audit_entries WHERE action = 'boards.published'`,
    ).all();
    expect(results).toEqual([
      { actor: expect.stringMatching(/^admin:/), subject: `rok ${DAY}` },
      { actor: expect.stringMatching(/^admin:/), subject: `rok ${DAY}` },
    ]);
  });

  it('is refused for a day that is unfinished, deleted, invalid or before any scan', async () => {
    const admin = await signedInAdmin();
    clock(at(addDays(DAY, 7), 12));
    const today = addDays(DAY, 7);
    const range = `day: must be from ${addDays(today, -90)} to ${addDays(today, -1)}.`;
    for (const [game, day, status, msg] of [
      ['rok', today, 400, range],
      ['rok', addDays(today, -91), 400, range],
      // The first day that may be named.
      ['rok', addDays(today, -90), 404, /^Nothing of Rise of Kingdoms had been scanned/],
      ['rok', '2026-02-30', 400, 'day: must be a day such as 2026-03-01.'],
      ['rok', '../../manifest', 400, 'day: must be a day such as 2026-03-01.'],
      ['chess', DAY, 400, 'game: must be one of rok, cod.'],
      ['cod', addDays(DAY, -1), 404, `Nothing of Call of Dragons had been scanned by ${addDays(DAY, -1)}.`],
    ] as const)
      expect(await admin.call('POST', '/v1/admin/boards/publish', { game, day })).toMatchObject({
        status,
        msg: typeof msg === 'string' ? msg : expect.stringMatching(msg),
      });
    const user = await signedInUser();
    expect(await user.call('POST', '/v1/admin/boards/publish', { game: 'rok', day: DAY })).toMatchObject({
      status: 404,
    });
  });

  it('shows the counts of both games to everyone', async () => {
    clock(at(addDays(DAY, 4), 1));
    await forgetManifest();
    const { data } = await board('/v1/stats/global');
    expect(data.rok).toMatchObject({ kingdoms: 2, governors: 300, alliances: 6 });
    expect(data.cod).toMatchObject({ kingdoms: 1, governors: 3, alliances: 0 });
  });

  it('repeats only the days that a late scan changes', async () => {
    const late: Day = '2026-04-01';
    const now = at('2026-04-12', 1);
    await publishDueBoards(db, env.STORE, now);
    const boardsOf = async () => (await readBoardManifest(env.STORE)).manifest.rok;
    const before = await boardsOf();
    expect(await publishDueBoards(db, env.STORE, now + HOUR)).toEqual([]);

    await publishRows('rok', 3102, at(late, 5), [governor(910_002, 6e9)]);
    const again = await publishDueBoards(db, env.STORE, now + 2 * HOUR);
    expect(again[0]).toBe(late);
    expect(again).toHaveLength(11);
    const after = await boardsOf();
    const version = ({ days }: typeof before, day: Day) => days[day]?.boards['governor-power']?.version;
    expect(version(after, '2026-03-31')).toBe(version(before, '2026-03-31'));
    for (const day of [late, '2026-04-11'] as Day[]) expect(version(after, day)).not.toBe(version(before, day));
    clock(at(addDays(late, 7), 5));
    await forgetManifest();
    const { data } = await board('/v1/governor/rankings/rok?count=10&page=0');
    expect(data.rankings[0]).toMatchObject({ governor_id: 910_002, power: 6e9 });
    vi.useRealTimers();
    expect(await publishDueBoards(db, env.STORE, now + 3 * HOUR)).toEqual([]);

    // A scan older than the first moves `since`. Without time left, the changed days are only marked stale.
    await publishRows('rok', 3103, at(addDays(DAY, -1), 5), [governor(910_003, 7e9)]);
    expect(await publishDueBoards(db, env.STORE, now + 4 * HOUR, 0)).toEqual([]);
    const { since, days } = await boardsOf();
    expect(since).toBe(addDays(DAY, -1));
    expect(Object.keys(days).filter((day) => days[day]?.stale)).toHaveLength(29);
    expect(Object.keys(days)).toHaveLength(33);
  }, 60_000);

  it('drops days past 90 and their figures', async () => {
    const late = at(addDays(DAY, 91), 1);
    // Out of time at once: the removal does not wait for publishing.
    expect(await publishDueBoards(db, env.STORE, late, 0)).toEqual([]);
    await pruneHistory(db, late);
    expect(Object.keys((await readBoardManifest(env.STORE)).manifest.rok.days)).not.toContain(DAY);
    const { objects } = await env.STORE.list({ prefix: `boards/rok/governor-power/${DAY}/` });
    expect(objects).toEqual([]);
    const left = await env.DB.prepare('SELECT min(day) AS day FROM kingdom_days').first<{ day: Day }>();
    expect(left?.day).toBe(addDays(DAY, 1));
  });
});

const lord = (id: number, power: number, merits: number): Row => ({
  lord_id: id,
  home_server: 7,
  name: `Lord ${id}`,
  power,
  highest_power: power,
  merits,
});
