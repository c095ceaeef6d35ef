import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GAME_IDS, GAMES, type GameId } from '../../domain/games/games.ts';
import { killPoints, lifetimeCounters, qualitiesOf } from '../../domain/scans/quality.ts';
import { checkColumns, type Row, tableOf } from '../../domain/scans/rows.ts';
import { columnsOf } from '../../fleet/hand-in.ts';
import { warsOf } from '../../fleet/sources/world/wars.ts';
import { simulatedWorld } from '../../fleet/sources/world.ts';

const world = simulatedWorld();
const DAY = 86_400_000;
const TODAY = Date.UTC(2026, 6, 1);

const game = fc.constantFrom<GameId>(...GAME_IDS);
const place = game.chain((id) => fc.tuple(fc.constant(id), fc.constantFrom(...world.kingdoms(id))));
const moment = fc.integer({ min: Date.UTC(2022, 0, 1), max: Date.UTC(2030, 0, 1) });

const keyed = (id: GameId, rows: Row[]) => new Map(rows.map((row) => [row[GAMES[id].roles.id], row]));

describe('the simulated world', () => {
  test('has 40 kingdoms and 20 servers with thousands of people each, and no others', async () => {
    expect(world.kingdoms('rok')).toEqual(Array.from({ length: 40 }, (_, index) => 1001 + index));
    expect(world.kingdoms('cod')).toEqual(Array.from({ length: 20 }, (_, index) => 101 + index));
    for (const id of GAME_IDS)
      for (const kingdom of world.kingdoms(id).filter((number) => number % 7 === 0))
        expect(world.rows(id, kingdom, TODAY, Infinity).length).toBeGreaterThan(1900);
    expect(world.rows('rok', 101, TODAY, 10)).toEqual([]);
    expect(await world.scan('rok', 9999, TODAY)).toEqual({
      unknown: expect.stringContaining('Kingdom 9999 is not in the simulated world'),
    });
  });

  test('is the same for the same seed, and differs for another', () => {
    fc.assert(
      fc.property(place, moment, ([id, kingdom], at) => {
        const rows = world.rows(id, kingdom, at, 20);
        expect(simulatedWorld(1).rows(id, kingdom, at, 20)).toEqual(rows);
        expect(simulatedWorld(2).rows(id, kingdom, at, 20)).not.toEqual(rows);
      }),
      { numRuns: 10 },
    );
  });

  test('lists the strongest by power, and a longer list starts with the shorter one', () => {
    fc.assert(
      fc.property(place, moment, fc.integer({ min: 1, max: 700 }), ([id, kingdom], at, count) => {
        const { power, id: key } = GAMES[id].roles;
        const all = world.rows(id, kingdom, at, Infinity);
        expect(world.rows(id, kingdom, at, count)).toEqual(all.slice(0, count));
        expect(all.every((row, rank) => rank === 0 || Number(row[power]) <= Number(all[rank - 1]?.[power]))).toBe(true);
        expect(new Set(all.map((row) => row[key])).size).toBe(all.length);
      }),
      { numRuns: 12 },
    );
  });

  test('every row may be handed in and fills every column of its game', () => {
    fc.assert(
      fc.property(place, moment, ([id, kingdom], at) => {
        const rows = world.rows(id, kingdom, at, 500);
        const columns = columnsOf(id, rows, true);
        expect(checkColumns(id, columns, { kingdom, ranks: 500 })).toBeNull();
        expect(Object.keys(columns)).toEqual(GAMES[id].columns.flatMap(({ key, ours }) => (ours ? [] : key)));
      }),
      { numRuns: 12 },
    );
  });

  test.each([1041, 1042, 1043, 1044])('every row of the new kingdom %d may be handed in', (kingdom) => {
    for (const at of [TODAY, TODAY + DAY]) {
      const rows = world.rows('rok', kingdom, at, 300);
      expect(checkColumns('rok', columnsOf('rok', rows, true), { kingdom, ranks: 300 })).toBeNull();
      expect(rows).toHaveLength(300);
    }
  });

  test('kill points follow from the kills, highest power is at least power', () => {
    fc.assert(
      fc.property(place, moment, ([id, kingdom], at) => {
        const { roles, killPoints: weights } = GAMES[id];
        for (const row of world.rows(id, kingdom, at, 300)) {
          const kills = roles.tiers.map((tier) => Number(row[tier]));
          if (weights) expect(row[roles.score]).toBe(killPoints(kills, weights));
          else expect(Number(row.units_killed)).toBeGreaterThanOrEqual(kills.reduce((sum, value) => sum + value, 0));
          expect(Number(row[roles.highestPower])).toBeGreaterThanOrEqual(Number(row[roles.power]));
        }
        expect(new Set(qualitiesOf(tableOf(id, world.rows(id, kingdom, at, 100))))).toEqual(new Set(['ok']));
      }),
      { numRuns: 15 },
    );
  });

  test('lifetime counters and the highest power never fall between any two times', () => {
    const gap = fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 400 * DAY }));
    fc.assert(
      fc.property(place, moment, gap, ([id, kingdom], at, later) => {
        const before = keyed(id, world.rows(id, kingdom, at, 300));
        const counters = [...lifetimeCounters(id), GAMES[id].roles.highestPower];
        for (const [governor, row] of keyed(id, world.rows(id, kingdom, at + later, 300)))
          for (const key of counters)
            expect(Number(row[key])).toBeGreaterThanOrEqual(Number(before.get(governor)?.[key] ?? 0));
      }),
      { numRuns: 40 },
    );
  });

  test('changes over time: wars, names, alliances, moves and inactive players', () => {
    const before = new Map<Row[string], Row>();
    const after = new Map<Row[string], Row>();
    for (const kingdom of world.kingdoms('rok').slice(0, 8)) {
      for (const row of world.rows('rok', kingdom, TODAY - 60 * DAY, 800)) before.set(row.governor_id ?? null, row);
      for (const row of world.rows('rok', kingdom, TODAY, 800)) after.set(row.governor_id ?? null, row);
    }
    const pairs = [...after].flatMap(([id, row]) => (before.has(id) ? [[before.get(id) as Row, row] as const] : []));
    const share = (differs: (old: Row, now: Row) => boolean) =>
      pairs.filter(([old, now]) => differs(old, now)).length / pairs.length;
    const fought = share((old, now) => Number(now.killpoints) > Number(old.killpoints));
    expect(fought).toBeGreaterThan(0.8);
    expect(fought).toBeLessThan(0.95);
    expect(share((old, now) => Number(now.deads) > Number(old.deads))).toBeGreaterThan(0.8);
    expect(share((old, now) => old.name !== now.name)).toBeGreaterThan(0.02);
    expect(share((old, now) => old.name !== now.name)).toBeLessThan(0.2);
    expect(share((old, now) => old.alliance_tag !== now.alliance_tag)).toBeGreaterThan(0.02);
    expect(share((old, now) => old.home_kingdom !== now.home_kingdom)).toBeGreaterThan(0);
  });

  test('writes names in many scripts', () => {
    const names = world
      .kingdoms('rok')
      .flatMap((kingdom) => world.rows('rok', kingdom, TODAY, 100).map(({ name }) => name));
    const text = names.join('');
    for (const script of ['Latin', 'Cyrillic', 'Arabic', 'Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai'])
      expect(text).toMatch(new RegExp(`\\p{Script=${script}}`, 'u'));
    expect(text).toMatch(/\p{Extended_Pictographic}/u);
    expect(text.isWellFormed()).toBe(true);
    expect(new Set(names).size).toBeGreaterThan(names.length / 3);
  });
});

/**
 * Keeps the simulated world the same in every release. Otherwise a copy that scanned it yesterday would see counters
 * fall and everybody renamed. To change it on purpose, write the new sums here, and say in the release notes that
 * copies start over.
 */

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

test.each([
  ['rok', 1001, Date.UTC(2023, 0, 1), '9e09e3e636c6d462'],
  ['rok', 1001, Date.UTC(2026, 6, 1), '6aebb135b7458f0c'],
  ['rok', 1008, Date.UTC(2026, 10, 21, 13), '66ae664acc62fece'],
  ['rok', 1033, Date.UTC(2029, 2, 3), 'ac4977934ab23cb8'],
  ['cod', 101, Date.UTC(2026, 6, 1), '73830afc86adf015'],
  // Between two wars: its lords are at home.
  ['cod', 101, Date.UTC(2026, 6, 21), '154d29bca449039d'],
  ['cod', 117, Date.UTC(2026, 10, 21, 13), '3f688817a7b04e31'],
] as const)('%s %d at %d', (game, kingdom, at, expected) => {
  expect(digest(simulatedWorld().rows(game, kingdom, at, Number.POSITIVE_INFINITY))).toBe(expected);
});

test('the agent’s world has the wars and new kingdoms of the service’s', async () => {
  const world = simulatedWorld();
  const at = Date.UTC(2026, 10, 21);
  const wars = (['rok', 'cod'] as const).map((game) => warsOf(game, 1, world.kingdoms(game), at));
  expect(digest(wars)).toBe('f8b9f96cc7788540');
  expect(digest(await world.scan('rok', 1042, at))).toBe('d6179e96fa971ed9');
});
