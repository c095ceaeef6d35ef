import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { KEPT_DAYS } from '../../domain/boards/leaderboard.ts';
import { DAY_MS, HOUR_MS } from '../../domain/days.ts';
import { historyBytes } from '../../domain/history/file.ts';
import { addScan, emptyHistory, type History, replaceScans } from '../../domain/history/history.ts';
import { type Row, tableOf } from '../../domain/scans/rows.ts';
import { historyKey, storedHistory } from '../../worker/gateways/history-store.ts';
import { historyScan, seenIn } from '../../worker/services/histories/keep-history.ts';
import { checkHistories } from '../../worker/services/service/verify-histories.ts';
import { db } from './client.ts';
import { governor, publishRows } from './scans.ts';

/** Packed histories compared with the scans from which they were made. */

const STORE = env.STORE;
const NOW = Date.now();
const DAYS = 7;
const time = (day: number) => NOW - (DAYS - day) * DAY_MS;
const rows = (first: number, day: number, more = {}) =>
  Array.from({ length: 10 }, (_, index) =>
    governor(first + index, 900e6 - index * 1e5 + day, { deads: 1000 + day, ...more }),
  );

/**
 * Stores seven days of a kingdom. One day has a second scan without profiles; its last governor comes from `origin`.
 */
async function fill(kingdom: number, origin: number): Promise<void> {
  const first = kingdom * 100;
  for (let day = 0; day < DAYS; day++) {
    const mover = governor(first + 99, 5e6 + day);
    await publishRows('rok', origin, time(day), [...rows(origin * 100, day), ...(day < 4 ? [mover] : [])]);
    await publishRows('rok', kingdom, time(day), [...rows(first, day), ...(day < 4 ? [] : [mover])]);
  }
  const unread = { killpoints: null, deads: null, killcount_t5: null, town_center: null, highest_power: null };
  const kills = { killcount_t1: null, killcount_t2: null, killcount_t3: null, killcount_t4: null };
  await publishRows('rok', kingdom, time(2) + 1, rows(first, 2, { ...unread, ...kills }));
}

async function flaws(kingdom: number, check = { all: true }, now = NOW): Promise<string[]> {
  const after = { game: 'rok', kingdom_id: kingdom - 1 } as const;
  for await (const { asked, flaws } of checkHistories(db, STORE, { after, ...check }, now))
    return asked.kingdom_id === kingdom ? flaws : ['not checked'];
  return ['not checked'];
}

async function bend(kingdom: number, change: (history: History) => void): Promise<void> {
  const asked = { game: 'rok', kingdom_id: kingdom } as const;
  const history = (await storedHistory(STORE, asked)) as History;
  change(history);
  await STORE.put(historyKey(asked), historyBytes(history));
}

/** Replaces what a history says of a governor on a day. */
const replace = (history: History, kingdom: number, day: number, row: ReturnType<typeof governor>): void => {
  const scan = historyScan({ kingdom_id: kingdom, captured_at: time(day), source: 'made up' });
  const id = Number(row.governor_id);
  const line = history.lines.get(id);
  const other = { ...emptyHistory(), scans: history.scans, lines: new Map([[id, line as never]]) };
  replaceScans(other, kingdom, emptyHistory(), ({ captured_at }) => captured_at !== scan.captured_at);
  addScan(
    other,
    scan,
    seenIn(tableOf('rok', [row])).map((seen) => ({ ...seen, values: seen.values.with(5, 4) })),
  );
  history.lines.set(id, other.lines.get(id) as never);
};

describe('a history', () => {
  it('that fits its scans has no flaw, with movers, several scans a day and unread profiles', async () => {
    await fill(3610, 3600);
    expect([await flaws(3610), await flaws(3600)]).toEqual([[], []]);
  });

  it('of several scans of the same moment, as of an item and its repair, has no flaw', async () => {
    await publishRows('rok', 3605, time(6), rows(360_500, 0).slice(1));
    await publishRows('rok', 3605, time(6), rows(360_500, 0, { deads: 5 }));
    expect(await flaws(3605)).toEqual([]);
  });

  it('with another power or profile on a past day is named with the scan', async () => {
    await fill(3630, 3620);
    const [id, day] = [363_003, 3];
    const own = governor(id, 900e6 - 3e5 + day, { deads: 1000 + day });
    await bend(3630, (history) => replace(history, 3630, day, own));
    expect(await flaws(3630)).toEqual([]);
    const named = [
      `The packed history of rok 3630 differs from the scan of ${new Date(time(day)).toISOString()} in 1 governors.`,
    ];
    const others: Row[] = [{ power: Number(own.power) + 1 }, { deads: 1 }, { deads: null }];
    for (const more of others) {
      await bend(3630, (history) => replace(history, 3630, day, { ...own, ...more }));
      expect(await flaws(3630)).toEqual(named);
    }
  });

  it('without a day is found, at the latest after a few daily checks of samples', async () => {
    await fill(3650, 3640);
    await bend(3650, (history) =>
      replaceScans(history, 3650, emptyHistory(), ({ captured_at }) => captured_at !== time(5)),
    );
    const named = `The packed history of rok 3650 differs from the scan of ${new Date(time(5)).toISOString()} in 11 governors.`;
    expect(await flaws(3650)).toEqual([named]);
    const sampled = [0, 1, 2].map((day) => flaws(3650, { all: false }, NOW + day * HOUR_MS * 24));
    expect((await Promise.all(sampled)).flat()).toEqual([named]);
  });

  it('with days of a scan that is not stored is found', async () => {
    await fill(3670, 3660);
    await env.DB.prepare('DELETE FROM kingdom_days WHERE kingdom_id = 3670').run();
    await env.DB.prepare('DELETE FROM snapshots WHERE kingdom_id = 3670 AND captured_at = ?').bind(time(1)).run();
    expect(await flaws(3670)).toEqual([
      'The packed history of rok 3670 has days of 10 governors that no stored scan shows.',
    ]);
  });
});

it('a scan that cannot be read is told apart from a history that does not fit', async () => {
  await publishRows('rok', 3690, NOW - DAY_MS, rows(369_000, 0));
  const { key } = (await env.DB.prepare('SELECT key FROM snapshots WHERE kingdom_id = 3690').first<{
    key: string;
  }>()) ?? {
    key: '',
  };
  await STORE.delete(key);
  for await (const { unread, flaws: found } of checkHistories(
    db,
    STORE,
    { after: { game: 'rok', kingdom_id: 3689 }, all: true },
    NOW,
  )) {
    expect([unread, found]).toEqual([[key], []]);
    break;
  }
});

it('daily checks of samples read every scan that stays, while the oldest leave', async () => {
  const captured = Array.from({ length: 9 }, (_, day) => NOW - (KEPT_DAYS - day) * DAY_MS);
  for (const at of captured) await publishRows('rok', 3695, at, rows(369_500, 0));
  const { results } = await env.DB.prepare(
    'SELECT key FROM snapshots WHERE kingdom_id = 3695 ORDER BY captured_at',
  ).all<{ key: string }>();
  const keys = results.map(({ key }) => key);
  expect(keys).toHaveLength(9);
  // Without its object, each scan that a check reads is reported as unread.
  await STORE.delete(keys);
  const read = new Set<string>();
  for (const day of [0, 1, 2]) {
    const after = { game: 'rok', kingdom_id: 3694 } as const;
    for await (const { asked, unread } of checkHistories(db, STORE, { after }, NOW + day * DAY_MS)) {
      expect([asked.kingdom_id, unread.length]).toEqual([3695, expect.toSatisfy((count) => count >= 2 && count <= 3)]);
      for (const key of unread) read.add(key);
      break;
    }
  }
  expect(keys.slice(2).filter((key) => !read.has(key))).toEqual([]);
});

it('a check that was interrupted goes on behind the last kingdom', async () => {
  await publishRows('rok', 3680, NOW, rows(368_000, 0));
  await publishRows('rok', 3681, NOW, rows(368_100, 0));
  const asked: number[] = [];
  for await (const checked of checkHistories(db, STORE, { after: { game: 'rok', kingdom_id: 3680 } }, NOW))
    asked.push(checked.asked.kingdom_id);
  expect([asked[0], asked.includes(3680)]).toEqual([3681, false]);
});
