import { expect, test } from 'vitest';
import { columnOf, GAME_IDS, GAMES } from '../../domain/games/games.ts';

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
