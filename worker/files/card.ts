import { type BoardId, boardOf, type Metric, metricNoun } from '../../domain/boards/leaderboard.ts';
import { type BoardInfo, type BoardRow, metricIn } from '../../domain/boards/rows.ts';
import { compact, counted, date, exact, nameOr } from '../../domain/figures.ts';
import { GAMES, type GameId } from '../../domain/games/games.ts';
import { governorTitle, kingdomTitle } from '../../domain/games/titles.ts';
import { locale } from '../../domain/language/current.ts';
import { LANGUAGES } from '../../domain/language/locales.ts';
import { t } from '../../domain/language/text.ts';
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

/** Returns a text as it is drawn, for example without characters that no font has. */
export type Shown = (text: string) => string;

export interface CardRow {
  /** Null if the figure has no rank. */
  rank: number | null;
  name: string;
  /** Shown if no character of the name can be drawn. */
  otherwise: string;
  /** An alliance's tag or a kingdom. */
  about: string;
  /** Null if unknown. */
  value: number | null;
}

export interface Card {
  title: string;
  line: string;
  rows: readonly CardRow[];
  /** True if the rows are different figures, so that bars would compare nothing. */
  plain?: true;
}

/** Returns the card of pages without a board. */
export const ownCardOf = (): Card => ({
  title: t('Scans and statistics, counted to the unit'),
  line: t('Kingdoms, alliances and players of Rise of Kingdoms and Call of Dragons'),
  rows: [],
});

/** Returns the card of a board from its first rows, in the current language. */
export function cardOf(game: GameId, board: BoardId, rows: readonly BoardRow[], info: BoardInfo): Card {
  const { kind, metric } = boardOf(board);
  const ranked = t('{count} ranked', { count: exact(info.total) });
  return {
    title: t(
      '{kind, select, alliance {Alliances by {metric}} kingdom {{game, select, cod {Servers by {metric}} other {Kingdoms by {metric}}}} other {{game, select, cod {Lords by {metric}} other {Governors by {metric}}}}}',
      { kind, game, metric: metricNoun(game, metric) },
    ),
    line: lineOf(GAMES[game].name, info.day && date(info.day), ranked),
    rows: rows.slice(0, CARD_ROWS).map((row) => cardRow(game, metric, row)),
  };
}

/** Joins the facts of a card's second line. */
export const lineOf = (...facts: readonly (string | false | null | undefined)[]): string =>
  facts.filter(Boolean).join(' · ');

/** Returns a rank among others: '#2 of 960'. */
export const rankOf = (rank: number, all: number): string =>
  t('#{rank} of {all}', { rank: exact(rank), all: exact(all) });

function cardRow(game: GameId, metric: Metric, row: BoardRow): CardRow {
  const { governor } = GAMES[game];
  const { rank } = row;
  const home = kingdomTitle(game, row.kingdom_id);
  const value = metricIn(row, metric);
  if ('player_count' in row) {
    const about = counted(row.player_count, governor.one, governor.many);
    return { rank, name: home, otherwise: home, about, value };
  }
  const about = row.alliance_tag ? `[${row.alliance_tag}] ${home}` : home;
  if ('governor_id' in row)
    return { rank, name: row.name, otherwise: governorTitle(game, row.governor_id), about, value };
  const name = nameOr(row.alliance_name, row.alliance_tag);
  // Avoids showing the tag twice if it is also the name.
  return { rank, name, otherwise: t('Alliance'), about: name === row.alliance_tag ? home : about, value };
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

/**
 * Returns whether a text has Arabic letters. They join their neighbours, which the renderer can do within one font only,
 * so such a text is drawn in one.
 */
export const isArabic = (text: string): boolean => /\p{Script=Arabic}/u.test(text);

const ARABIC = ' font-family="Noto Sans Arabic"';
const BOLD = ' font-weight="600"';
const END = ' text-anchor="end"';

interface Placed {
  x: number;
  y: number;
  size: number;
  fill?: string;
  bold?: true;
  /** True if the text ends at `x`. */
  ends?: true;
}

/** True if the current language runs from right to left. Cards in it are mirrored. */
const isMirrored = (): boolean => LANGUAGES[locale()].dir === 'rtl';

/**
 * Marks the direction of a text from right to left, because the renderer takes all texts to run from left to right, and
 * separates its facts, so that figures stay with theirs.
 */
const rightToLeft = (text: string): string => `\u202b${text.replaceAll(' · ', ' \u200f·\u200f ')}\u202c`;

function text({ x, y, size, fill = INK, bold, ends }: Placed, content: string): string {
  const mirrored = isMirrored();
  const arabic = isArabic(content);
  const styles = `${arabic ? ARABIC : ''}${bold ? BOLD : ''}${!ends === mirrored ? END : ''}`;
  const shown = escaped(arabic && mirrored ? rightToLeft(content) : content);
  return `<text x="${mirrored ? CARD_WIDTH - x : x}" y="${y}" font-size="${size}" fill="${fill}"${styles}>${shown}</text>`;
}

/** Returns a bar from the start of a row. */
const bar = (top: number, width: number, fill: string): string =>
  `<rect x="${isMirrored() ? RIGHT - width : LEFT}" y="${top + 4}" width="${width}" height="${ROW_HEIGHT - 8}" rx="8" fill="${fill}"/>`;

/** Returns a row's SVG with a bar showing its share of the first row's value. */
function rowMarkup(row: CardRow, shown: Shown, index: number, most: number): string {
  const { rank, about, value } = row;
  const top = FIRST_ROW + index * ROW_HEIGHT;
  const y = top + 43;
  const share = most > 0 ? Math.max(0, Math.min(1, (value ?? 0) / most)) : 0;
  const name = nameOr(shown(row.name), shown(row.otherwise));
  return [
    `<g clip-path="url(#row-${index})">`,
    bar(top, RIGHT - LEFT, '#131817'),
    bar(top, Math.round((RIGHT - LEFT) * share), '#12302a'),
    text(
      { x: LEFT + 24, y, size: 30, fill: rank === 1 ? ACCENT : INK_2, bold: true },
      rank === null ? '' : shown(exact(rank)),
    ),
    text({ x: LEFT + 84, y, size: 30 }, fitting(name, 24)),
    text({ x: LEFT + 540, y, size: 24, fill: INK_2 }, fitting(shown(about), 26)),
    text({ x: RIGHT - 24, y, size: 32, bold: true, ends: true }, value === null ? '?' : shown(compact(value))),
    '</g>',
  ].join('');
}

const clip = (index: number): string =>
  `<clipPath id="row-${index}"><rect x="0" y="${FIRST_ROW + index * ROW_HEIGHT}" width="${CARD_WIDTH}" height="${ROW_HEIGHT}"/></clipPath>`;

/** The logo: a tally of five (web/ui/logo.tsx). */
const mark = (x: number, y: number, size: number): string =>
  `<g transform="translate(${isMirrored() ? CARD_WIDTH - x - size : x} ${y}) scale(${size / 32})" fill="none" stroke-linecap="round"><path d="M8 6v20M13.3 6v20M18.7 6v20M24 6v20" stroke="${INK}" stroke-width="2.6"/><path d="M3 22.5 29 9.5" stroke="${ACCENT}" stroke-width="3.2"/></g>`;

/** Returns the card as SVG in the current language. Names are escaped and clipped to their row. */
export function cardSvg({ title, line, rows, plain: withoutBars }: Card, shown: Shown = (text) => text): string {
  const most = withoutBars ? 0 : (rows[0]?.value ?? 0);
  // Cards with more rows than a link preview are taller.
  const height = CARD_HEIGHT + Math.max(0, rows.length - CARD_ROWS) * ROW_HEIGHT;
  // Without rows, the text is centred.
  const y = rows.length > 0 ? 166 : 330;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${height}" viewBox="0 0 ${CARD_WIDTH} ${height}" font-family="Inter">`,
    `<defs>${rows.map((_, index) => clip(index)).join('')}</defs>`,
    `<rect width="${CARD_WIDTH}" height="${height}" fill="#0d1110"/>`,
    `<rect width="${CARD_WIDTH}" height="8" fill="${ACCENT}"/>`,
    mark(LEFT - 4, 50, 44),
    text({ x: LEFT + 54, y: 83, size: 30, bold: true }, 'Muster'),
    text({ x: LEFT, y, size: 50, bold: true }, fitting(shown(title), TITLE_ROOM)),
    text({ x: LEFT, y: y + 48, size: 26, fill: INK_2 }, fitting(shown(line), LINE_ROOM)),
    ...rows.map((row, index) => rowMarkup(row, shown, index, most)),
    '</svg>',
  ].join('');
}
