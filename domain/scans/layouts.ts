import { type Column, GAMES, type GameId, type Noun } from '../games/games.ts';

/**
 * What the rows of a snapshot are: governors at one moment, or the same governors day by day. Columns, their order and
 * what they mean follow from it; code that reads tables asks the layout for a value, it does not branch.
 */

export const SNAPSHOT_KINDS = ['scan', 'history'] as const;
export type Kind = (typeof SNAPSHOT_KINDS)[number];

/** Whose rows they are, and of which kind. */
export interface Shape {
  game: GameId;
  /** Absent: a scan. */
  kind?: Kind | undefined;
}

export interface Layout {
  /** What one row is, and what many are. */
  row: Noun;
  /** In the order in which files and tables show them. */
  columns: readonly Column[];
  /** Keys that are in every file; the others where some row has a value. */
  lead: readonly string[];
  /** The column with the day that a row is of, and sums are of the last one; null where all are of one moment. */
  day: string | null;
}

const scanOf = (game: GameId): Layout => {
  const { governor, columns, lead } = GAMES[game];
  return { row: governor, columns, lead, day: null };
};

const DAY: Column = { key: 'day', title: 'Day', type: 'text', aliases: [] };
const RANK: Column = { key: 'rank', title: 'Rank', type: 'integer', aliases: [] };

/** What the service keeps of every governor and day. */
const historyOf = (game: GameId): Layout => {
  const { columns, roles } = GAMES[game];
  const { id, name, tag, kingdom, power, score, deads } = roles;
  const [, , , t4, t5] = roles.tiers;
  const kept = new Set([id, name, tag, kingdom, power, score, deads, t4, t5]);
  const lead = [DAY, RANK, ...columns.filter(({ key }) => kept.has(key))];
  const own = columns.filter(({ ours }) => ours);
  const row = { one: 'day', many: 'days' };
  return { row, columns: [...lead, ...own], lead: lead.map(({ key }) => key), day: DAY.key };
};

const LAYOUTS: Readonly<Record<GameId, Readonly<Record<Kind, Layout>>>> = {
  rok: { scan: scanOf('rok'), history: historyOf('rok') },
  cod: { scan: scanOf('cod'), history: historyOf('cod') },
};

/** How tables of that shape are laid out. */
export const layoutOf = ({ game, kind = 'scan' }: Shape): Layout => LAYOUTS[game][kind];

/** True for the headers of a csv file that Muster wrote: the keys that every file of a layout begins with. */
export const isOwnHeader = (cells: readonly unknown[]): boolean =>
  Object.values(LAYOUTS).some((kinds) =>
    Object.values(kinds).some(({ lead }) =>
      lead.every((key, index) => String(cells[index] ?? '').replace(/^\ufeff/, '') === key),
    ),
  );

/** True where rows of both can stand in one table. */
export const sameShape = (a: Shape, b: Shape): boolean => layoutOf(a) === layoutOf(b);
