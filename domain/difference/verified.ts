import { amountOf } from '../amounts.ts';
import { exact } from '../figures.ts';
import { GAME_NAMES, type GameId } from '../games/game-names.ts';
import { t } from '../language/text.ts';
import { hasVerified, verifiedPlaces } from '../scans/verified-headers.ts';
import { NO_DOUBT } from './doubts.ts';
import { eachOf, GOVERNOR_ID, LINE_END, LineFlaw, linesOf, type Pair, pairsOf } from './lines.ts';
import type { Gains } from './pairs.ts';
import type { Scorable } from './scoring.ts';

/**
 * Deads that leaders checked, for example by players' screenshots. They replace the deads that the scans show, because
 * most scans do not separate deads by tier.
 */

/** A governor's deads of T4 and T5 within a comparison. */
export interface VerifiedDeads {
  t4: number;
  t5: number;
}
/** Governor id → verified deads. */
export type Verified = Readonly<Record<string, VerifiedDeads>>;

/** This many fit into an address. */
export const MAX_VERIFIED = 300;

const EXAMPLE = '20436276: 120,000 / 34,000';

/**
 * Parses lines like '20436276: 120,000 / 34,000', or a sheet with the columns governor_id, t4_deaths and t5_deaths.
 * Further columns of a sheet are ignored, and so are its governors without figures. Figures with commas need quotes
 * in a sheet with commas.
 */
export function verifiedOf(text: string): Record<string, VerifiedDeads> {
  const [first] = linesOf(text, LINE_END);
  if (!first) return {};
  const pairs = /^\d+\s*[:=]/.test(first.line) ? pairsOf(text, EXAMPLE, LINE_END) : pairsOfSheet(text);
  if (pairs.length > MAX_VERIFIED)
    throw new LineFlaw(
      pairs[MAX_VERIFIED]?.number ?? 0,
      t('there may be {most} governors, but these are {count}.', { most: MAX_VERIFIED, count: exact(pairs.length) }),
    );
  return Object.fromEntries(
    eachOf(pairs, ({ name: id, value, number }) => {
      if (!GOVERNOR_ID.test(id))
        throw new LineFlaw(
          number,
          t("'{id}' is not an id. Write it as '{example}'.", { id: id.slice(0, 40), example: EXAMPLE }),
        );
      const [t4, t5, ...more] = value.split('/').map((each) => amountOf(each));
      if (t4 === undefined || t5 === undefined || t4 === null || t5 === null || more.length > 0)
        throw new LineFlaw(
          number,
          t("'{value}' must be the deads of T4 / T5, as in '{example}'.", {
            value: value.slice(0, 40),
            example: EXAMPLE,
          }),
        );
      return { t4, t5 };
    }),
  );
}

const cellEnd = (line: string): string => (line.includes('\t') ? '\t' : line.includes(';') ? ';' : ',');

/** Returns the cells of a sheet's line, split at tabs, semicolons or commas outside quotes, and without the quotes. */
function cellsOf(line: string): string[] {
  const end = cellEnd(line);
  const cells = [''];
  let isQuoted = false;
  for (const char of line) {
    if (char === '"') isQuoted = !isQuoted;
    else if (char === end && !isQuoted) cells.push('');
    else cells[cells.length - 1] += char;
  }
  return cells.map((cell) => cell.trim());
}

function pairsOfSheet(text: string): Pair[] {
  const lines = linesOf(text).map(({ line, number }) => ({ line, number, cells: cellsOf(line) }));
  const [head] = lines;
  const titled = head !== undefined && verifiedPlaces(head.cells).some((place) => place >= 0);
  if (titled && !hasVerified(head.cells))
    throw new LineFlaw(head.number, t('the columns must be governor_id, t4_deaths and t5_deaths.'));
  const [id, t4, t5] = titled ? (verifiedPlaces(head.cells) as [number, number, number]) : [0, 1, 2];
  const width = titled ? head.cells.length : 3;
  const pairs = lines.slice(titled ? 1 : 0).flatMap(({ line, number, cells }) => {
    const [of, fours = '', fives = ''] = [cells[id] ?? '', cells[t4], cells[t5]];
    if (fours === '' && fives === '') return [];
    // A figure such as 120,000 without quotes is two cells.
    const isWide = cellEnd(line) === ',' && cells.slice(width).some((cell) => cell !== '');
    const isTorn = isWide && cells.slice(1).some((cell) => /^\d{3}$/.test(cell));
    return [{ name: of, value: isTorn ? line : `${fours} / ${fives}`, number }];
  });
  if (pairs.length === 0)
    throw new LineFlaw(1, t("no governor has figures. Write it as '{example}'.", { example: EXAMPLE }));
  return pairs;
}

/** Returns verified deads as lines, without spaces so that many fit into an address. */
export const verifiedText = (verified: Verified): string =>
  Object.entries(verified)
    .map(([id, { t4, t5 }]) => `${id}:${t4}/${t5}`)
    .join('\n');

/** Figures that verified deads replace, with their value. */
function replacements(game: GameId): ReadonlyMap<string, (deads: VerifiedDeads) => number> {
  return new Map([
    [GAME_NAMES[game].roles.deads, ({ t4, t5 }) => t4 + t5],
    ['deads_t4', ({ t4 }) => t4],
    ['deads_t5', ({ t5 }) => t5],
  ]);
}

/**
 * Replaces the gains of deads of governors whose deads are verified. A column that the scans lack is unknown for
 * everybody else.
 */
export function withVerified(
  { game, count, idAt }: Pick<Scorable, 'game' | 'count' | 'idAt'>,
  verified: Verified,
  gains: (key: string) => Gains | null,
): (key: string) => Gains | null {
  if (Object.keys(verified).length === 0) return gains;
  const replaced = new Map<string, Gains>();
  return (key) => {
    const replacing = replacements(game).get(key);
    if (!replacing) return gains(key);
    const known = replaced.get(key);
    if (known) return known;
    const read = gains(key);
    const raw = read ? read.raw.slice() : new Float64Array(count).fill(Number.NaN);
    const doubts = read ? read.doubts.slice() : new Uint8Array(count);
    for (let row = 0; row < count; row++) {
      const deads = verified[idAt(row)];
      if (!deads) continue;
      raw[row] = replacing(deads);
      doubts[row] = NO_DOUBT;
    }
    const made = { raw, doubts };
    replaced.set(key, made);
    return made;
  };
}
