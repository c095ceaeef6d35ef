import { type Column, columnOf, GAMES, type GameId } from '../games/games.ts';
import { SPOKEN_ALLIANCE, SPOKEN_HEADERS } from '../games/spoken-headers.ts';
import { TRANSLATED_TITLES } from '../games/translated-titles.gen.ts';
import { t } from '../language/text.ts';
import type { Cell } from './numerals.ts';
import { type Beside, besideOf, isMoment } from './stages.ts';
import { areVerified } from './verified-headers.ts';

/** Scan files of other tools: recognises the tool by its headers, and maps each header to a column. */

export interface Dialect {
  /** Display name of the tool that writes such files. */
  name: string;
  game: GameId;
  /** Normalised headers that must all be present. */
  has: readonly string[];
  /** Normalised headers that mean another column than elsewhere. */
  means?: ReadonlyMap<string, string>;
  /** True if its figures are sums over a range of days instead of single readings. */
  range?: true;
}

const ACCENTED = /[^\p{ASCII}]/u;
/** Turkish only. */
const DOTLESS_I = /\u0131/g;

/** Normalises words: case, spaces, punctuation and accents do not matter, but `+`, `%` and the like do. */
function plainWords(words: string): string {
  const bare = ACCENTED.test(words) ? words.normalize('NFKD').replace(/\p{M}/gu, '') : words;
  return bare
    .toLowerCase()
    .replace(DOTLESS_I, 'i')
    .replace(/[^\p{L}\p{N}+%±\u2030]/gu, '');
}

let english: ReadonlyMap<string, string> | undefined;

/** Returns the translated titles of our own files' columns → the English ones, both normalised. Made on first use. */
function englishTitles(): ReadonlyMap<string, string> {
  english ??= new Map(
    Object.entries(TRANSLATED_TITLES).flatMap(([title, others]) =>
      others.map((other) => [plainWords(other), plainWords(title)] as const),
    ),
  );
  return english;
}

/**
 * Normalises a header. Signs for a share (`Power %`), a gain (`+/- Power`) or a sum (`T4+`) stay. A title of one of our
 * own files, in whatever language, becomes the English one.
 */
export function plainHeader(header: string): string {
  const plain = plainWords(header);
  return englishTitles().get(plain) ?? plain;
}

/** The first match counts, so the more specific dialects come first. */
const DIALECTS: readonly Dialect[] = [
  {
    name: 'Call of Dragons, titles',
    game: 'cod',
    has: ['lordid', 'currentpower', 'power'],
    means: new Map([['power', 'highest_power']]),
  },
  { name: 'Call of Dragons', game: 'cod', has: ['lordid'] },
  { name: 'Call of Dragons, sums of days', game: 'cod', has: ['characterid', 'totalmerits'], range: true },
  { name: 'Call of Dragons, sums of days', game: 'cod', has: ['characterid', 'historicalhighestpower'], range: true },
  { name: 'Muster', game: 'rok', has: ['governorid', 'alliancetag', 'homekingdom', 'name'] },
  { name: 'Hero Scrolls', game: 'rok', has: ['governorid', 'kingdom', 'townhall'] },
  { name: 'nikolakis', game: 'rok', has: ['governorid', 'tier1kills'] },
  { name: 'RokTracker v3–v4', game: 'rok', has: ['governorid', 'deaths', 't1'] },
  { name: 'RokTracker fork', game: 'rok', has: ['id', 'killpoints', 'cityhalllevel'] },
  { name: 'RokTracker v6', game: 'rok', has: ['id', 'killpoints', 'highestacclaim'] },
  { name: 'RokTracker v5', game: 'rok', has: ['id', 'killpoints', 'totalkills'] },
  { name: 'Kingdom Member Data', game: 'rok', has: ['characterid', 'username'] },
  { name: 'Rise of Kingdoms', game: 'rok', has: ['governorid'] },
  { name: 'Rise of Kingdoms', game: 'rok', has: ['characterid'] },
  { name: 'Hand-made tracker', game: 'rok', has: ['playerid'] },
  { name: 'Rise of Kingdoms', game: 'rok', has: ['id', 'power'] },
];

/** Totals and marks of other tools that add nothing to the other columns; recognised but not imported. */
const NEEDLESS: readonly RegExp[] = [
  /^(quality|doubted|kills|totalkills|rank|no|number|rolledup|writtenbymuster|indoubt)$/,
  /^(kills)?t4(\+|\+?t?5)(kills)?$/,
  /^tier\dkillscore$/,
  // A tracker's own arithmetic between its stages.
  /^(difference|diff|top(kills|deaths|power))/,
];

/** What a header's cells are imported as. */
export type Target =
  | { kind: 'column'; column: Column; stage: number }
  /** RokTracker's `[TAG]Full name`, which fills two of our columns. */
  | { kind: 'alliance' }
  /** `a / b`: one cell for two columns. */
  | { kind: 'pair'; columns: readonly [Column, Column] }
  /** When the row was read. */
  | { kind: 'moment' };

/** The column belongs to no stage: it is the same at all times in the file. */
export const EVERY_STAGE = -1;

/**
 * How a header was interpreted. `column` is a key of the game, 'alliance', 'moment', or null if the cells are not
 * imported.
 */
export interface HeaderMapping {
  header: string;
  column: string | null;
  /** The stage of a war that the column belongs to, if the file has several stages side by side. */
  stage: string | null;
  /** `unknown`: no column has this name. `double`: another header already fills that column. */
  why: 'known' | 'chosen' | 'needless' | 'unknown' | 'double';
}

/** Headers and the user's choice for each: a column's key, 'alliance', or null to skip it. */
export type Mapping = Readonly<Record<string, string | null>>;

const PAIRS = new Map([['deathst4t5', ['deads_t4', 'deads_t5']]]);
const MOMENTS = new Set(['updatedon', 'scannedat', 'capturedat', 'timestamp', 'scandate', 'date', 'day']);
const ALLIANCE = 'alliance';
const ALLIANCES = new Set([ALLIANCE, ...SPOKEN_ALLIANCE.map(plainWords)]);

const columnsByHeader: Record<GameId, Map<string, Column>> = { rok: headersOf('rok'), cod: headersOf('cod') };

function headersOf(game: GameId): Map<string, Column> {
  const known = new Map<string, Column>();
  const spoken = (key: string) => (game === 'rok' ? (SPOKEN_HEADERS[key] ?? []) : []);
  for (const column of GAMES[game].columns.filter(({ ours }) => !ours))
    for (const header of [column.key, column.title, ...column.aliases, ...spoken(column.key)])
      known.set(plainWords(header), column);
  return known;
}

/** Maximum length of a header. With the suffix that distinguishes duplicates it stays within 200 characters. */
const MAX_HEADER = 190;

export const headerText = (cell: Cell): string =>
  cell === null
    ? ''
    : String(cell)
        .replace(/^\ufeff/, '')
        .trim();

/** Longer cells cannot be headers that identify a dialect, whatever spaces and marks they contain. */
const MAX_TELLING = 60;

/** Returns the dialect of a header line; null if it lacks a game's id and something to go with it. */
export function dialectOf(headers: readonly Cell[]): Dialect | null {
  const present = new Set<string>();
  for (const header of headers)
    if (typeof header === 'string' && header.length <= MAX_TELLING) present.add(plainHeader(header));
  if (areVerified([...present])) return null;
  return DIALECTS.find(({ has }) => has.every((header) => present.has(header))) ?? (isSpoken(present) ? SPOKEN : null);
}

/** A spreadsheet with headers in people's own words. */
const SPOKEN: Dialect = { name: 'Rise of Kingdoms', game: 'rok', has: [] };
const ID = 'id';

/** Returns whether the headers contain ids and powers in another language or in short form. */
function isSpoken(present: ReadonlySet<string>): boolean {
  const { id, power } = GAMES.rok.roles;
  let [ids, powers] = [0, 0];
  for (const header of present) {
    const key = columnsByHeader.rok.get(header)?.key;
    // `ID` alone may be the id of anything.
    if (key === id) ids += header === ID ? 1 : 2;
    if (key === power) powers++;
  }
  return ids > 1 || (ids > 0 && powers > 0);
}

const IDS = new Set([
  ...DIALECTS.map(({ has: [id] }) => id),
  ...(SPOKEN_HEADERS[GAMES.rok.roles.id] ?? []).map(plainWords),
]);
/** Returns whether a cell is the header of an id column. */
export const isIdHeader = (cell: string): boolean => cell.length <= MAX_TELLING && IDS.has(plainHeader(cell));

/** Returns what a column with this header holds in either game; null if neither ids nor figures. */
export function headerKind(header: string): 'id' | 'figure' | null {
  if (header.length > MAX_TELLING) return null;
  const name = plainHeader(header);
  if (IDS.has(name)) return 'id';
  const column = columnsByHeader.rok.get(name) ?? columnsByHeader.cod.get(name);
  return column === undefined || column.type === 'text' ? null : 'figure';
}

/** Returns whether cells look like the headers of a scan. */
export const isHeader = (cells: readonly Cell[]): boolean => dialectOf(cells) !== null;

/** Explains why headers are not those of a scan, as a sentence. */
export function noDialect(headers: readonly Cell[]): string {
  if (areVerified(headers.map(headerText)))
    return t('These are verified deads, which are no scan. Add them to a comparison, under Verified deads.');
  const shown = headers.map(headerText).slice(0, 12).join(', ').slice(0, 200);
  return t('No column of governor ids or lord ids among the headers: {headers}.', { headers: shown });
}

/** Returns the names of headers, with a number added to duplicates so that each can be addressed. */
export function distinct(headers: readonly Cell[]): string[] {
  const seen = new Map<string, number>();
  return headers.map((cell) => {
    const name = headerText(cell).slice(0, MAX_HEADER);
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 || name === '' ? name : `${name} (${times})`;
  });
}

/** Interprets headers one by one. More may come while rows are read, as keys of JSON objects do. */
export class HeaderTargets {
  readonly mapped: HeaderMapping[] = [];
  readonly targets: (Target | null)[] = [];
  /** Names of the stages side by side, in the file's order; empty if the file has only one. */
  readonly stages: string[] = [];
  readonly #dialect: Dialect;
  readonly #chosen: Mapping;
  /** True if the file has no plain power column, so that it has one for each stage of a war. */
  readonly #staged: boolean;
  readonly #taken = new Map<string, number>();
  /** Words next to column names → the columns that they occur with. */
  readonly #beside = new Map<string, Set<Column>>();
  /** A stage's normalised name → its index in `stages`. */
  readonly #places = new Map<string, number>();

  constructor(dialect: Dialect, headers: readonly Cell[], chosen: Mapping = {}) {
    this.#dialect = dialect;
    this.#chosen = chosen;
    const { power } = GAMES[dialect.game].roles;
    const bare = (header: Cell) => this.#known(plainHeader(headerText(header)))?.key === power;
    this.#staged = !headers.some(bare) && !Object.values(chosen).includes(power);
    const names = distinct(headers);
    for (const header of names) this.#lookBeside(header);
    for (const header of names) this.#add(header);
  }

  /** Adds a header that appears later in the file. */
  add(header: string): void {
    this.#lookBeside(header);
    this.#add(header);
  }

  #add(header: string): void {
    const { target, why } = this.#decide(header);
    const stage = target && 'stage' in target ? (this.stages[target.stage] ?? null) : null;
    this.mapped.push({ header, column: target && keyOf(target), stage, why });
    this.targets.push(target);
  }

  #decide(header: string): Decision {
    const wanted = Object.hasOwn(this.#chosen, header) ? this.#chosen[header] : undefined;
    if (wanted === null) return { target: null, why: 'chosen' };
    if (wanted !== undefined) return this.#take(header, this.#named(wanted), 'chosen');
    const name = plainHeader(header);
    if (name === '' || NEEDLESS.some((each) => each.test(name))) return { target: null, why: 'needless' };
    return this.#take(header, this.#meant(name) ?? this.#ofStage(header), 'known');
  }

  /** Assigns a column to one header only. The user's choice precedes a guess, and `Kingdom` precedes `_kingdom`. */
  #take(header: string, target: Target | null, why: 'known' | 'chosen'): Decision {
    if (!target) return { target: null, why: 'unknown' };
    const key = `${keyOf(target)} ${'stage' in target ? target.stage : ''}`;
    const holder = this.#taken.get(key);
    const held = holder === undefined ? undefined : this.mapped[holder];
    if (holder !== undefined && held) {
      const better =
        (why === 'chosen' && held.why !== 'chosen') || (held.header.startsWith('_') && !header.startsWith('_'));
      if (!better) return { target: null, why: 'double' };
      this.mapped[holder] = { ...held, column: null, why: 'double' };
      this.targets[holder] = null;
    }
    this.#taken.set(key, this.targets.length);
    return { target, why };
  }

  #known(name: string): Column | undefined {
    return columnsByHeader[this.#dialect.game].get(plainHeader(this.#dialect.means?.get(name) ?? name));
  }

  #meant(name: string): Target | null {
    if (ALLIANCES.has(name)) return { kind: 'alliance' };
    if (MOMENTS.has(name)) return { kind: 'moment' };
    const pair = PAIRS.get(name)
      ?.map((key) => columnOf(this.#dialect.game, key))
      .filter((column) => column !== undefined);
    if (pair?.[0] && pair[1]) return { kind: 'pair', columns: [pair[0], pair[1]] };
    const column = this.#known(name);
    return column ? { kind: 'column', column, stage: EVERY_STAGE } : null;
  }

  /** Returns the target of the user's choice: a column's key, or one of the special kinds. */
  #named(key: string): Target | null {
    if (key === ALLIANCE) return { kind: 'alliance' };
    if (key === 'moment') return { kind: 'moment' };
    const column = columnOf(this.#dialect.game, key);
    return column && !column.ours ? { kind: 'column', column, stage: EVERY_STAGE } : null;
  }

  #besideOf(header: string): Beside | null {
    return this.#staged ? besideOf(header, (name) => this.#known(plainHeader(name))) : null;
  }

  /** Notes the words next to a column's name. If they occur with several columns they may name a stage. */
  #lookBeside(header: string): void {
    const beside = this.#besideOf(header);
    if (!beside) return;
    const name = plainHeader(beside.words);
    const columns = this.#beside.get(name) ?? new Set();
    this.#beside.set(name, columns.add(beside.column));
  }

  /** Interprets headers like `Kill Score Pass 4`: a figure and its stage. */
  #ofStage(header: string): Target | null {
    const beside = this.#besideOf(header);
    if (!beside) return null;
    const { column, words } = beside;
    const name = plainHeader(words);
    if (!isMoment(words, this.#beside.get(name)?.size ?? 0)) return null;
    const place = this.#places.get(name) ?? this.stages.push(words) - 1;
    this.#places.set(name, place);
    return { kind: 'column', column, stage: place };
  }
}

interface Decision {
  target: Target | null;
  why: HeaderMapping['why'];
}

const keyOf = (target: Target): string => {
  if (target.kind === 'column') return target.column.key;
  return target.kind === 'pair' ? target.columns.map(({ key }) => key).join(' / ') : target.kind;
};
