import { type BoardId, boardOf, type Metric, metricTitle } from '../../domain/boards/leaderboard.ts';
import { type BoardInfo, type BoardRow, metricIn } from '../../domain/boards/rows.ts';
import { capital, compact, date, exact, nameOr } from '../../domain/figures.ts';
import { GAMES, type GameId } from '../../domain/games/games.ts';
import { escaped, plain } from './plain-text.ts';

/**
 * The preview image of a board for shared links: 1200 × 630, as SVG. Colours are those of the dark theme in
 * web/ui/tokens.css.
 */

export const CARD_WIDTH = 1200;
export const CARD_HEIGHT = 630;
/** Number of a board's rows on its card. */
export const CARD_ROWS = 5;
/** Maximum number of rows, for the tall cards posted in chats. */
export const MOST_CARD_ROWS = 10;

export interface CardRow {
  /** Null if the figure has no rank. */
  rank: number | null;
  name: string;
  /** Shown if no character of the name can be drawn. */
  otherwise: string;
  /** An alliance's tag or a kingdom. */
  about: string;
  value: number;
}

export interface Card {
  title: string;
  line: string;
  rows: readonly CardRow[];
  /** True if the rows are different figures, so that bars would compare nothing. */
  plain?: true;
}

/** The card of pages without a board. */
export const OWN_CARD: Card = {
  title: 'Scans and statistics, counted to the unit',
  line: 'Kingdoms, alliances and players of Rise of Kingdoms and Call of Dragons',
  rows: [],
};

/** Returns the card of a board from its first rows. */
export function cardOf(game: GameId, board: BoardId, rows: readonly BoardRow[], info: BoardInfo): Card {
  const { kind, metric } = boardOf(board);
  const { name, [kind]: noun } = GAMES[game];
  return {
    title: `${capital(noun.many)} by ${metricTitle(game, metric).toLowerCase()}`,
    line: `${name} · ${info.day ? date(info.day) : ''} · ${exact(info.total)} ranked`,
    rows: rows.slice(0, CARD_ROWS).map((row) => cardRow(game, metric, row)),
  };
}

function cardRow(game: GameId, metric: Metric, row: BoardRow): CardRow {
  const { governor, alliance, kingdom } = GAMES[game];
  const { rank } = row;
  const home = `${capital(kingdom.one)} ${row.kingdom_id}`;
  const value = metricIn(row, metric) ?? 0;
  if ('player_count' in row) {
    const about = `${exact(row.player_count)} ${governor.many}`;
    return { rank, name: home, otherwise: home, about, value };
  }
  const about = row.alliance_tag ? `[${row.alliance_tag}] ${home}` : home;
  if ('governor_id' in row)
    return { rank, name: row.name, otherwise: `${capital(governor.one)} ${row.governor_id}`, about, value };
  const name = nameOr(row.alliance_name, row.alliance_tag);
  // Avoids showing the tag twice if it is also the name.
  return { rank, name, otherwise: capital(alliance.one), about: name === row.alliance_tag ? home : about, value };
}

const LEFT = 72;
const RIGHT = CARD_WIDTH - 72;
const FIRST_ROW = 252;
const ROW_HEIGHT = 70;

/** Letters that fit into a card's title and into the line below it. */
const TITLE_ROOM = 42;
const LINE_ROOM = 84;

const INK = '#e7ece9';
const INK_2 = '#a9b4af';
const ACCENT = '#5fcdaa';

/** Width in letters: 2 for East Asian characters, which are as wide as they are high. */
const widthOf = (character: string): number =>
  /\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(character) ? 2 : 1;

/** Truncates a text to `room` letters' width on one line, with an ellipsis if something is cut. */
function fitting(text: string, room: number): string {
  // Limits combining marks, which would reach into other rows.
  const characters = [
    ...plain(text)
      .replace(/(\p{M}{2})\p{M}+/gu, '$1')
      .trim(),
  ];
  let width = 0;
  const end = characters.findIndex((character) => {
    width += widthOf(character);
    return width > room;
  });
  return end === -1 ? characters.join('') : `${characters.slice(0, end).join('')}…`;
}

const text = (x: number, y: number, size: number, fill: string, content: string, more = ''): string =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}"${more}>${escaped(content)}</text>`;

const BOLD = ' font-weight="600"';
const END = ' text-anchor="end"';

/** Returns a row's SVG with a bar showing its share of the first row's value. */
function rowMarkup({ rank, name, about, value }: CardRow, index: number, most: number): string {
  const top = FIRST_ROW + index * ROW_HEIGHT;
  const base = top + 43;
  const share = most > 0 ? Math.max(0, Math.min(1, value / most)) : 0;
  return [
    `<g clip-path="url(#row-${index})">`,
    `<rect x="${LEFT}" y="${top + 4}" width="${RIGHT - LEFT}" height="${ROW_HEIGHT - 8}" rx="8" fill="#131817"/>`,
    `<rect x="${LEFT}" y="${top + 4}" width="${Math.round((RIGHT - LEFT) * share)}" height="${ROW_HEIGHT - 8}" rx="8" fill="#12302a"/>`,
    text(LEFT + 24, base, 30, rank === 1 ? ACCENT : INK_2, rank === null ? '' : exact(rank), BOLD),
    text(LEFT + 84, base, 30, INK, fitting(name, 24)),
    text(LEFT + 540, base, 24, INK_2, fitting(about, 26)),
    text(RIGHT - 24, base, 32, INK, compact(value), BOLD + END),
    '</g>',
  ].join('');
}

const clip = (index: number): string =>
  `<clipPath id="row-${index}"><rect x="0" y="${FIRST_ROW + index * ROW_HEIGHT}" width="${CARD_WIDTH}" height="${ROW_HEIGHT}"/></clipPath>`;

/** The logo: a tally of five (web/ui/logo.tsx). */
const mark = (x: number, y: number, size: number): string =>
  `<g transform="translate(${x} ${y}) scale(${size / 32})" fill="none" stroke-linecap="round"><path d="M8 6v20M13.3 6v20M18.7 6v20M24 6v20" stroke="${INK}" stroke-width="2.6"/><path d="M3 22.5 29 9.5" stroke="${ACCENT}" stroke-width="3.2"/></g>`;

/** Returns the card as SVG. Names are escaped and clipped to their row. */
export function cardSvg({ title, line, rows, plain: withoutBars }: Card): string {
  const most = withoutBars ? 0 : (rows[0]?.value ?? 0);
  // Cards with more rows than a link preview are taller.
  const height = CARD_HEIGHT + Math.max(0, rows.length - CARD_ROWS) * ROW_HEIGHT;
  // Without rows, the text is centred.
  const at = rows.length > 0 ? 166 : 330;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${height}" viewBox="0 0 ${CARD_WIDTH} ${height}" font-family="Inter">`,
    `<defs>${rows.map((_, index) => clip(index)).join('')}</defs>`,
    `<rect width="${CARD_WIDTH}" height="${height}" fill="#0d1110"/>`,
    `<rect width="${CARD_WIDTH}" height="8" fill="${ACCENT}"/>`,
    mark(LEFT - 4, 50, 44),
    text(LEFT + 54, 83, 30, INK, 'Muster', BOLD),
    text(LEFT, at, 50, INK, fitting(title, TITLE_ROOM), BOLD),
    text(LEFT, at + 48, 26, INK_2, fitting(line, LINE_ROOM)),
    ...rows.map((row, index) => rowMarkup(row, index, most)),
    '</svg>',
  ].join('');
}
