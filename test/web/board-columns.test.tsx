import './page.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { BoardKind } from '../../domain/boards/leaderboard.ts';
import type { BoardRow } from '../../domain/boards/rows.ts';
import { boardColumns } from '../../web/routes/leaderboard/-board-columns.tsx';

const OPENING = { open: undefined, toggle: () => undefined, visitor: true };
const cell = (kind: BoardKind, id: string, row: object): string => {
  const columns = boardColumns(kind, { game: 'rok', metric: 'power', narrow: false, opening: OPENING });
  return renderToStaticMarkup(columns.find((column) => column.id === id)?.cell(row as BoardRow));
};

const ALLIANCE = { kingdom_id: 1, alliance_tag: 'A', power: 15, killpoints: 8, member_count: 3 };

test('an alliance’s sum tells how many members it includes and excludes', () => {
  const row = {
    ...ALLIANCE,
    counted: { power: 2, killpoints: 3 },
    left_out: { power: { rows: 1, raw: 24 } },
  };
  expect(cell('alliance', 'power', row)).toContain(
    'title="15 of 2 of 3 members, excluding 1 misread row, raw total 24."',
  );
  expect(cell('alliance', 'score', row)).not.toContain('members');
  const alone = { ...ALLIANCE, member_count: 1, counted: { power: 0 } };
  expect(cell('alliance', 'power', alone)).toContain('title="15 of 0 of 1 member."');
});

test('a kingdom’s resources tell how many governors they include; older boards do not', () => {
  const row = { kingdom_id: 1, player_count: 300, total_rss_gathered: 5e9 };
  const shown = cell('kingdom', 'total_rss_gathered', { ...row, counted: { total_rss_gathered: 298 } });
  expect(shown).toContain('of 298 of 300 governors.');
  expect(cell('kingdom', 'total_rss_gathered', row)).not.toContain('governors');
});
