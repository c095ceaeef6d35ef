import './page.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { sortFields } from '../../domain/boards/contract.ts';
import { BOARD_KINDS, type BoardKind } from '../../domain/boards/leaderboard.ts';
import type { BoardRow } from '../../domain/boards/rows.ts';
import { GAME_IDS } from '../../domain/games/game-names.ts';
import { boardColumns } from '../../web/routes/leaderboard/-board-columns.tsx';

const OPENING = { open: undefined, toggle: () => undefined, visitor: true };
const cell = (kind: BoardKind, id: string, row: object): string => {
  const columns = boardColumns(kind, { game: 'rok', metric: 'power', opening: OPENING });
  return renderToStaticMarkup(columns.find((column) => column.id === id)?.cell(row as BoardRow, 0));
};

const ALLIANCE = { kingdom_id: 1, alliance_tag: 'A', power: 15, killpoints: 8, member_count: 3 };

test('an alliance’s sum tells how many members it includes and excludes', () => {
  const row = {
    ...ALLIANCE,
    counted: { power: 2, killpoints: 3 },
    left_out: { power: { rows: 1, raw: 24 } },
  };
  expect(cell('alliance', 'power', row)).toContain(
    'title="15 from 2 of 3 members, excluding 1 misread row, raw total 24."',
  );
  expect(cell('alliance', 'killpoints', row)).not.toContain('members');
  const alone = { ...ALLIANCE, member_count: 1, counted: { power: 0 } };
  expect(cell('alliance', 'power', alone)).toContain('title="15 from 0 of 1 member."');
});

test('a kingdom’s resources tell how many governors they include', () => {
  const row = { kingdom_id: 1, player_count: 300, total_rss_gathered: 5e9 };
  const shown = cell('kingdom', 'total_rss_gathered', { ...row, counted: { total_rss_gathered: 298 } });
  expect(shown).toContain('from 298 of 300 governors.');
});

test('a board of an earlier release says that it does not know how many its sums include', () => {
  const unknown = 'from an unknown number of 300 governors.';
  const row = { kingdom_id: 1, player_count: 300, total_power: 9, top300_power: 8, total_rss_gathered: 5e9 };
  expect(cell('kingdom', 'total_power', row)).toContain(unknown);
  expect(cell('kingdom', 'total_rss_gathered', row)).toContain(unknown);
  expect(cell('kingdom', 'player_count', row)).not.toContain('unknown');
  expect(cell('alliance', 'power', ALLIANCE)).toContain('title="15 from an unknown number of 3 members."');
  expect(cell('alliance', 'member_count', ALLIANCE)).not.toContain('unknown');
});

test.each(BOARD_KINDS.flatMap((kind) => GAME_IDS.map((game) => ({ kind, game }))))(
  'every column of the $kind board of $game sorts by a field that the API knows',
  ({ kind, game }) => {
    const ids = boardColumns(kind, { game, metric: 'power', opening: OPENING }).map(({ id }) => id);
    expect(ids.filter((id) => !sortFields(kind, game).includes(id))).toEqual([]);
  },
);
