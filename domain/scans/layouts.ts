import { type Column, GAMES, type GameId, type Noun } from '../games/games.ts';
import { TRANSLATED_TITLES } from '../games/translated-titles.gen.ts';
import { message } from '../language/text.ts';

/**
 * What a snapshot's rows are: governors at one time, or the same governors day by day. Columns and their order follow
 * from it. Code that reads tables takes values from the layout instead of branching.
 */

export const SNAPSHOT_KINDS = ['scan', 'history'] as const;
export type Kind = (typeof SNAPSHOT_KINDS)[number];

/** Game and kind of a table's rows. */
export interface Shape {
  game: GameId;
  /** A scan if absent. */
  kind?: Kind | undefined;
}

export interface Layout {
  /** What one row is called, and several. */
  row: Noun;
  /** In the order of files and tables. */
  columns: readonly Column[];
  /** Keys that are in every file. The others are included if some row has a value. */
  lead: readonly string[];
  /** The column with each row's day; totals then use the last day. Null if all rows have the same time. */
  day: string | null;
}

const scanOf = (game: GameId): Layout => {
  const { governor, columns, lead } = GAMES[game];
  return { row: governor, columns, lead, day: null };
};

const DAY: Column = { key: 'day', title: message('Day'), type: 'text', aliases: [] };
const RANK: Column = { key: 'rank', title: message('Rank'), type: 'integer', aliases: [] };

/** What the service stores for each governor and day. */
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

export const layoutOf = ({ game, kind = 'scan' }: Shape): Layout => LAYOUTS[game][kind];

/**
 * Returns whether these are the headers of a csv file written by Muster: each layout's files begin with its lead keys,
 * or with their titles in some language.
 */
export const isOwnHeader = (cells: readonly unknown[]): boolean =>
  Object.values(LAYOUTS).some((kinds) =>
    Object.values(kinds).some(({ lead, columns }) =>
      lead.every((key, index) => {
        const cell = String(cells[index] ?? '').replace(/^\ufeff/, '');
        const { title = key } = columns.find((column) => column.key === key) ?? {};
        return cell === key || cell === title || TRANSLATED_TITLES[title]?.includes(cell);
      }),
    ),
  );

/** Returns whether rows of both fit into one table. */
export const sameShape = (a: Shape, b: Shape): boolean => layoutOf(a) === layoutOf(b);
