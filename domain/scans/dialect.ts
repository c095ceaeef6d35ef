import { type Column, GAME_IDS, GAMES, type GameId } from '../games/games.ts';
import { type Cell, numeralOf } from './numerals.ts';
import { MAX_NAME, type Row } from './rows.ts';

/** Scan files of other tools: their headers and cells as rows of a game. */

/** What was not understood and where: the line of the file (from 1), the column's header, a sentence. */
export interface Problem {
  line: number;
  column: string;
  text: string;
}

/** One line of a file: its number in the file (from 1) and its cells in the order of the headers. */
export interface Line {
  line: number;
  cells: readonly Cell[];
}

export interface Reading {
  game: GameId;
  /** The tool whose file this looks like, for people. */
  dialect: string;
  /** The columns of the game that the file has, in the file's order. */
  columns: string[];
  /** One per governor and kingdom, in the file's order; the kingdom is null where neither file nor caller names it. */
  rows: Row[];
  problems: Problem[];
}

export interface ReadingOptions {
  /** The kingdom of the rows that do not name theirs. */
  kingdom?: number | null;
  /** The line that the headers stand on. */
  headerLine?: number;
}

/** Case, spaces and punctuation do not matter in headers. */
const plain = (header: string): string => header.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

interface Dialect {
  name: string;
  game: GameId;
  /** Headers (plain) that all must be there. */
  has: readonly string[];
  /** Headers (plain) that mean another column here than everywhere else. */
  means?: Readonly<Record<string, string>>;
}

/** The first that fits counts, so the more telling ones stand first. */
const DIALECTS: readonly Dialect[] = [
  {
    name: 'Call of Dragons, titles',
    game: 'cod',
    has: ['lordid', 'currentpower', 'power'],
    means: { power: 'highest_power' },
  },
  { name: 'Call of Dragons', game: 'cod', has: ['lordid'] },
  { name: 'Hero Scrolls', game: 'rok', has: ['governorid', 'kingdom', 'townhall'] },
  { name: 'nikolakis', game: 'rok', has: ['governorid', 'tier1kills'] },
  { name: 'RokTracker v3–v4', game: 'rok', has: ['governorid', 'deaths', 't1'] },
  { name: 'RokTracker fork', game: 'rok', has: ['id', 'killpoints', 'cityhalllevel'] },
  { name: 'RokTracker v6', game: 'rok', has: ['id', 'killpoints', 'highestacclaim'] },
  { name: 'RokTracker v5', game: 'rok', has: ['id', 'killpoints', 'totalkills'] },
  { name: 'Rise of Kingdoms', game: 'rok', has: ['governorid'] },
  { name: 'Rise of Kingdoms', game: 'rok', has: ['characterid'] },
  { name: 'Rise of Kingdoms', game: 'rok', has: ['id', 'power'] },
];

/** Sums of columns that are there anyway, and marks of other tools: known, and not needed. */
const NEEDLESS = new Set([
  'quality',
  'kills',
  'killst4',
  'totalkills',
  't45kills',
  't4t5kills',
  'rank',
  'rolledup',
  'timestamp',
]);

/** `[TAG]Full name` of RokTracker; not a column of ours, it fills two. */
const ALLIANCE = 'alliance';

const columnsByHeader: Record<GameId, Map<string, Column>> = {
  rok: headersOf('rok'),
  cod: headersOf('cod'),
};

function headersOf(game: GameId): Map<string, Column> {
  const known = new Map<string, Column>();
  for (const column of GAMES[game].columns.filter(({ ours }) => !ours))
    for (const header of [column.key, column.title, ...column.aliases]) known.set(plain(header), column);
  return known;
}

/** True where these cells look like the headers of a scan: an id of a game and something to go with it. */
export const isHeader = (cells: readonly Cell[]): boolean => dialectOf(cells.map(headerText)) !== null;

const headerText = (cell: Cell): string =>
  cell === null
    ? ''
    : String(cell)
        .replace(/^\ufeff/, '')
        .trim();

function dialectOf(headers: readonly string[]): Dialect | null {
  const present = new Set(headers.map(plain));
  return DIALECTS.find(({ has }) => has.every((header) => present.has(header))) ?? null;
}

/** Where each header's cells go: a column of the game, the alliance's two, or nowhere. */
type Target = Column | typeof ALLIANCE | null;

/**
 * Rows of a game from the headers and lines of another tool's file, or `unknown`: why it is no scan that this reads.
 * Lines without an id or power cannot be kept and are reported; so are ids that stand twice in a kingdom (the first
 * one counts), cells that make no sense (left empty) and headers that mean nothing here (left out).
 */
export function readScan(
  headers: readonly Cell[],
  lines: Iterable<Line>,
  options: ReadingOptions = {},
): Reading | { unknown: string } {
  const names = headers.map(headerText);
  const dialect = dialectOf(names);
  if (!dialect) {
    const ids = GAME_IDS.map((game) => `${GAMES[game].governor.one} ids`).join(' or ');
    return { unknown: `No column of ${ids} among the headers: ${names.slice(0, 12).join(', ').slice(0, 200)}.` };
  }
  const problems: Problem[] = [];
  const targets = targetsOf(dialect, names, options.headerLine ?? 1, problems);
  const { id, kingdom } = GAMES[dialect.game].roles;
  const rows: Row[] = [];
  const seen = new Set<string>();
  for (const { line, cells } of lines) {
    if (cells.every((cell) => cell === null || cell === '')) continue;
    const row = rowOf(dialect.game, names, targets, cells, (column, text) => problems.push({ line, column, text }));
    row[kingdom] = row[kingdom] || options.kingdom || null;
    const lack = lackOf(dialect.game, row);
    if (lack) {
      problems.push({ line, ...lack });
      if (lack.column !== kingdom) continue;
    }
    const who = `${row[id]} ${row[kingdom]}`;
    if (seen.has(who)) {
      problems.push({ line, column: id, text: `${row[id]} stands twice; the first line counts.` });
      continue;
    }
    seen.add(who);
    rows.push(row);
  }
  const columns = targets.flatMap((target) => (target && target !== ALLIANCE ? [target.key] : []));
  return { game: dialect.game, dialect: dialect.name, columns, rows, problems };
}

function targetsOf(dialect: Dialect, names: readonly string[], line: number, problems: Problem[]): Target[] {
  const known = columnsByHeader[dialect.game];
  const taken = new Set<string>();
  return names.map((name) => {
    const header = plain(name);
    if (header === '' || NEEDLESS.has(header)) return null;
    if (header === ALLIANCE) return ALLIANCE;
    const column = known.get(plain(dialect.means?.[header] ?? header));
    if (!column || taken.has(column.key)) {
      problems.push({ line, column: name, text: column ? 'A second column of the same.' : 'Unknown column.' });
      return null;
    }
    taken.add(column.key);
    return column;
  });
}

type Report = (column: string, text: string) => void;

function rowOf(game: GameId, names: readonly string[], targets: Target[], cells: readonly Cell[], report: Report): Row {
  const { name, tag } = GAMES[game].roles;
  const row: Row = {};
  targets.forEach((target, index) => {
    if (target === null) return;
    const cell = cells[index] ?? null;
    if (target === ALLIANCE) {
      const alliance = allianceOf(cell);
      row[tag] = alliance.tag;
      row.alliance_name = alliance.name;
    } else if (target.type === 'text') {
      row[target.key] = target.key === name ? nameOf(cell) : wordsOf(cell);
    } else {
      const figure = numeralOf(cell, target.type);
      const clear = figure === null || typeof figure === 'number';
      if (!clear) report(names[index] as string, `${figure.unclear}.`);
      row[target.key] = clear ? figure : null;
    }
  });
  row[name] ??= '';
  return row;
}

/** What keeps a row from being used, if anything; a missing kingdom still lets a person name it. */
function lackOf(game: GameId, row: Row): Omit<Problem, 'line'> | null {
  const { governor, kingdom, roles } = GAMES[game];
  if (!row[roles.id]) return { column: roles.id, text: `No ${governor.one} id; the line is left out.` };
  if (row[roles.power] == null) return { column: roles.power, text: 'No power; the line is left out.' };
  if (!row[roles.kingdom]) return { column: roles.kingdom, text: `No ${kingdom.one} is named.` };
  return null;
}

/** A name as it is, invisible marks and all; only its length is limited and half characters are replaced. */
function nameOf(cell: Cell): string {
  const name = cell === null ? '' : String(cell);
  return cut(name).toWellFormed();
}

/** At most 200 code units, and never half of a character at the end. */
function cut(text: string): string {
  if (text.length <= MAX_NAME) return text;
  const end = text.charCodeAt(MAX_NAME - 1);
  return text.slice(0, end >= 0xd800 && end <= 0xdbff ? MAX_NAME - 1 : MAX_NAME);
}

function wordsOf(cell: Cell): string | null {
  const words = nameOf(cell).trim();
  return words === '' || words === '-' || words === 'Skipped' ? null : words;
}

/** Tag and full name of `[TAG]Full name`; a text without brackets is a tag where it is as short as one. */
function allianceOf(cell: Cell): { tag: string | null; name: string | null } {
  const words = wordsOf(cell);
  if (words === null) return { tag: null, name: null };
  const [, tag, name] = /^\s*\[([^\]]*)\](.*)$/su.exec(words) ?? [];
  if (tag !== undefined) return { tag: tag.trim() || null, name: name?.trim() || null };
  return [...words].length <= 4 ? { tag: words, name: null } : { tag: null, name: words };
}
