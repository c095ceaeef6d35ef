import { expect, test } from 'vitest';
import { columnOf, GAME_IDS, GAMES, type GameId } from '../../domain/games/games.ts';

/** The greatest figures of real scans, by game and column. */
const GREATEST: Readonly<Record<GameId, Readonly<Record<string, number>>>> = {
  rok: {
    governor_id: 220_882_571,
    power: 452_936_642,
    killpoints: 73_579_229_946,
    deads: 261_249_957,
    killcount_t5: 3_154_290_631,
    acclaim: 25_080_184,
    rss_gathered: 77_243_727_608,
    rss_given: 219_364_536_799,
    helps_given: 224_312,
    ark_kills_per_battle: 6_932_780,
  },
  cod: {
    lord_id: 21_022_108,
    power: 515_751_653,
    merits: 61_268_442,
    units_killed: 2_456_963_042,
    alliance_id: 349_576,
    victories: 673_436,
    wood: 10_204_883_007,
    gold_spent: 72_179_086_256,
    resources_given: 51_046_090_300,
  },
};

test.each(
  Object.entries(GREATEST).flatMap(([game, figures]) =>
    Object.entries(figures).map(([key, figure]) => [game as GameId, key, figure] as const),
  ),
)('%s %s: ten thousand times what real scans show still fits', (game, key, figure) => {
  expect(columnOf(game, key)?.most).toBeGreaterThanOrEqual(figure * 10_000);
});

test('every column of numbers has a maximum that a number can hold exactly, and no text column has one', () => {
  for (const { columns } of Object.values(GAMES))
    for (const { key, type, most } of columns) {
      if (type === 'text') expect(most, key).toBeUndefined();
      else expect(most, key).toBeLessThan(Number.MAX_SAFE_INTEGER);
    }
});

/** Columns of the boards beside those of a scan from which they come. */
const SOURCES = {
  alliance_name: 'alliance_name',
  total_rss_gathered: 'rss_gathered',
  lost_kingdom_most_killed_average: 'lost_kingdom_most_killed',
  lost_kingdom_most_lost_average: 'lost_kingdom_most_lost',
};

test.each(GAME_IDS)('boards of %s leave out exactly what its scans do not hold', (game) => {
  const missing = Object.entries(SOURCES).filter(([, column]) => !columnOf(game, column));
  expect(GAMES[game].unscanned).toEqual(missing.map(([board]) => board));
});
