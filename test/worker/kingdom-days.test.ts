import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import type { GameId } from '../../domain/games/games.ts';
import type { Row } from '../../domain/scans/rows.ts';
import { digestKingdoms } from '../../worker/services/scans/digest-kingdoms.ts';
import { db, signedInUser } from './client.ts';
import { governor, publishRows, UNREAD } from './scans.ts';

const WEEK_BEFORE = Date.parse('2026-03-02T05:00:00Z');
const NOON = Date.parse('2026-03-10T12:00:00Z');
const HOUR = 3_600_000;

/** Governors 1, 2, … of a kingdom, with ids unique to it. */
const rows = (kingdom: number, count: number, more: (number: number) => Row = () => ({})): Row[] =>
  Array.from({ length: count }, (_, index) =>
    governor(kingdom * 1000 + index + 1, 50e6 - index * 1e6, more(index + 1)),
  );

let kingdom: (id: number) => Promise<Record<string, unknown>>;

beforeAll(async () => {
  const user = await signedInUser();
  kingdom = async (id) => (await user.call('GET', `/v1/kingdoms/${id}/`)).data;
});

const dayOf = async (id: number, game: GameId = 'rok') => {
  const row = await db.$client
    .prepare(
      `SELECT captured_at, totals ->> 'player_count' AS count, totals ->> '$.score.total' AS score, inactive
       FROM kingdom_days WHERE game = ? AND kingdom_id = ? AND day = '2026-03-10'`,
    )
    .bind(game, id)
    .first();
  return row;
};

it('uses the deepest scan of a day, before or after a shallow one', async () => {
  await publishRows('rok', 1, NOON, rows(1, 40));
  await publishRows('rok', 1, NOON + HOUR, rows(1, 10));
  expect(await dayOf(1)).toMatchObject({ captured_at: NOON, count: 40 });
  await publishRows('rok', 2, NOON + HOUR, rows(2, 10));
  await publishRows('rok', 2, NOON, rows(2, 40));
  expect(await dayOf(2)).toMatchObject({ captured_at: NOON, count: 40 });
  expect(await kingdom(2)).toMatchObject({ captured_at: NOON, totals: { player_count: 40 } });
});

it('uses the newest of equally deep scans, but prefers one with profiles', async () => {
  await publishRows('rok', 3, NOON + HOUR, rows(3, 20));
  await publishRows('rok', 3, NOON, rows(3, 20));
  expect(await dayOf(3)).toMatchObject({ captured_at: NOON + HOUR });
  await publishRows(
    'rok',
    3,
    NOON + 2 * HOUR,
    rows(3, 20, () => UNREAD),
  );
  expect(await dayOf(3)).toMatchObject({ captured_at: NOON + HOUR, score: (20 * 20 * 21) / 2 });
});

it('prefers a scan of Call of Dragons with profiles at the start of a season, when all merits are 0', async () => {
  const lords = (more: Row): Row[] =>
    [1, 2, 3].map((id) => ({ lord_id: 5000 + id, name: `Lord ${id}`, power: 9e6 - id, ...more }));
  await publishRows('cod', 5, NOON, lords({ merits: 0, units_dead: 0, killcount_t1: 0 }));
  await publishRows('cod', 5, NOON + HOUR, lords({ highest_power: null }));
  expect(await dayOf(5, 'cod')).toMatchObject({ captured_at: NOON, score: 0 });
});

it('lists governors below the last rank of a shallow scan, in which one power was misread', async () => {
  await publishRows('rok', 6, NOON - 24 * HOUR, rows(6, 40));
  await publishRows('rok', 6, NOON, [...rows(6, 9), governor(6010, 0)]);
  const { players } = (await kingdom(6)) as { players: { id: number }[] };
  const ids = Array.from({ length: 16 }, (_, index) => 6001 + index);
  expect(players.map(({ id }) => id)).toEqual(ids.filter((id) => id !== 6010));
});

it('counts inactive governors of the deep scan even if a shallow one follows', async () => {
  await publishRows('rok', 4, WEEK_BEFORE, rows(4, 30));
  await publishRows(
    'rok',
    4,
    NOON,
    rows(4, 30, (id) => ({ deads: id % 2 ? 5000 : 4000 + id })),
  );
  await publishRows(
    'rok',
    4,
    NOON + HOUR,
    rows(4, 10, (id) => ({ deads: id % 2 ? 5001 : 4000 + id })),
  );
  await digestKingdoms(db, env.STORE);
  expect(await dayOf(4)).toMatchObject({ count: 30, inactive: 15 });
});

it('counts inactive governors of the new day only, and leaves earlier days unchanged', async () => {
  const DAY = 24 * HOUR;
  for (const [at, note] of [
    [WEEK_BEFORE, null],
    [NOON - DAY, 77],
    [NOON, null],
  ] as const) {
    await publishRows('rok', 9, at, rows(9, 20));
    while ((await digestKingdoms(db, env.STORE)) > 0);
    if (note !== null)
      await db.$client.prepare('UPDATE kingdom_days SET inactive = ? WHERE kingdom_id = 9').bind(note).run();
  }
  const { results } = await db.$client
    .prepare(`SELECT inactive FROM kingdom_days WHERE game = 'rok' AND kingdom_id = 9 ORDER BY day`)
    .all();
  expect(results).toEqual([{ inactive: 77 }, { inactive: 77 }, { inactive: 20 }]);
});
