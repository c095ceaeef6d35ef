import './page.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { sortFields } from '../../domain/boards/contract.ts';
import { BOARD_KINDS, type BoardKind } from '../../domain/boards/leaderboard.ts';
import { type AllianceRow, type BoardRow, type KingdomRow, metricIn } from '../../domain/boards/rows.ts';
import { GAME_IDS, type GameId } from '../../domain/games/game-names.ts';
import { boardColumns } from '../../web/routes/leaderboard/-board-columns.tsx';
import { passes, totalOf } from '../../web/routes/leaderboard/-board-totals.ts';

const OPENING = { open: undefined, toggle: () => undefined, visitor: true };
const cell = (kind: BoardKind, id: string, row: object, game: GameId = 'rok'): string => {
  const columns = boardColumns(kind, { game, metric: 'power', opening: OPENING });
  return renderToStaticMarkup(columns.find((column) => column.id === id)?.cell(row as BoardRow, 0));
};

test('a known figure is plain text, whose cell has all digits as title', () => {
  const power = boardColumns('governor', { game: 'rok', metric: 'power', opening: OPENING }).find(
    ({ id }) => id === 'power',
  );
  const shown = (value: number | null) => {
    const row = { governor_id: 1, power: value } as BoardRow;
    return [power?.cell(row, 0), power?.hint?.(row)];
  };
  expect(shown(1_234_567)).toEqual(['1.23M', '1,234,567. Short figures are rounded.']);
  expect(shown(123)).toEqual(['123', undefined]);
  expect(shown(null)).toEqual([expect.anything(), undefined]);
});

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

test('a server’s power tells how many lords it includes', () => {
  const row = { kingdom_id: 1, player_count: 300, total_power: 9, counted: { total_power: 298 } };
  expect(cell('kingdom', 'total_power', row, 'cod')).toContain('from 298 of 300 lords.');
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

const filtered = (of: BoardRow[], by: Parameters<typeof passes>[1]) => of.filter((row) => passes(row, by));

const alliance = (kingdom_id: number, alliance_tag: string, power: number, killpoints: number | null): AllianceRow => ({
  rank: 1,
  moved: null,
  kingdom_id,
  alliance_tag,
  alliance_name: '',
  power,
  killpoints,
  member_count: 1,
});
const rows: BoardRow[] = [alliance(1001, 'ABC', 30, 7), alliance(1001, 'abc', 20, null), alliance(1002, 'ABC', 10, 5)];
const kingdom = { kingdom_id: 1003, total_power: null } as KingdomRow;

test('range filters include their bounds and reject unknown power', () => {
  expect(filtered(rows, {})).toEqual(rows);
  expect(filtered(rows, { kingdom: 1001, alliance: 'ABC' })).toEqual([rows[0]]);
  expect(filtered(rows, { powerFrom: 20 })).toEqual(rows.slice(0, 2));
  expect(filtered(rows, { powerFrom: 20, powerTo: 20 })).toEqual([rows[1]]);
  expect(filtered([...rows, kingdom], { powerTo: 10 })).toEqual([rows[2]]);
});

test('figures depend on the row’s kind and game', () => {
  const of = (row: object) => [metricIn(row as BoardRow, 'power'), metricIn(row as BoardRow, 'score')];
  expect(of({ total_power: 5, total_killpoints: 6 })).toEqual([5, 6]);
  expect(of({ total_power: null, total_merits: 7 })).toEqual([null, 7]);
  expect(of({ total_power: 0, total_killpoints: null })).toEqual([0, null]);
  expect(of({ power: 5, merits: 8 })).toEqual([5, 8]);
  expect(of({ power: 5, killpoints: 0, merits: 9 })).toEqual([5, 0]);
  expect(of({ power: 5 })).toEqual([5, null]);
  expect(filtered([kingdom, ...rows], { alliance: 'ABC' })).toEqual([rows[0], rows[2]]);
  expect(filtered(rows, { kingdom: 1002 })).toEqual([rows[2]]);
  expect(filtered(rows, { powerTo: 0 })).toEqual([]);
});

test('totals cover the filtered rows and tell how many values are known', () => {
  expect(totalOf(rows, 'power')).toEqual({ sum: 60, known: 3 });
  expect(totalOf(rows, 'score')).toEqual({ sum: 12, known: 2 });
  expect(totalOf(rows.slice(1, 2), 'score')).toEqual({ sum: null, known: 0 });
  expect(totalOf([alliance(1, 'A', 0, 0), alliance(1, 'B', 5, null)], 'score')).toEqual({ sum: 0, known: 1 });
});
