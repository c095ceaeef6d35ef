import { figuresOf, killScore } from '../difference/difference.ts';
import { type Scoring, weighed } from '../difference/scoring.ts';
import { type Column, columnOf, GAMES, type GameId } from '../games/games.ts';

/** The scan columns that event dashboards read, show and add up. */

const column = (game: GameId, key: string): Column => {
  const found = columnOf(game, key);
  if (!found) throw new Error(`${game} has no column '${key}'`);
  return found;
};

const distinct = (keys: readonly (string | null)[]): string[] => [...new Set(keys.filter((key) => key !== null))];

/** Returns the column of a kingdom's domain; null if the game has none. */
const domainKey = (game: GameId): string | null => (columnOf(game, 'domain') ? 'domain' : null);

/** Returns the columns of the individual table in the specification (section 3), without differences. */
export function rowColumns(game: GameId): Column[] {
  const { roles, allKills } = GAMES[game];
  const { id, kingdom, tag, name, power, deads, score, tiers } = roles;
  const keys = distinct([kingdom, domainKey(game), id, tag, name, power, deads, score, allKills, tiers[3], tiers[4]]);
  return keys.map((key) => column(game, key));
}

/**
 * Returns the keys of figures whose gains are shown per governor: those that fights change, and those with a weight.
 */
export function gainKeys(game: GameId, weights: Readonly<Record<string, number>>): string[] {
  const { roles, allKills } = GAMES[game];
  return distinct([
    roles.power,
    roles.score,
    roles.deads,
    allKills,
    ...roles.tiers,
    ...weighed(weights).map(([key]) => key),
  ]);
}

/** Returns the keys of the end figures in the individual table. */
export const shownKeys = (game: GameId): string[] =>
  rowColumns(game)
    .filter(({ ident, type }) => !ident && type !== 'text')
    .map(({ key }) => key);

/**
 * Returns the numeric columns needed to compare a snapshot, including identifiers. Seasonal ones are among them, because
 * a comparison finds new seasons once, in the columns that it begins with.
 */
export function coreKeys(game: GameId, weights: Readonly<Record<string, number>>): string[] {
  const { columns, map } = GAMES[game];
  const figures = rowColumns(game).filter(({ type }) => type !== 'text');
  const seasonal = columns.filter((each) => each.seasonal);
  return distinct([...[...figures, ...seasonal].map(({ key }) => key), ...gainKeys(game, weights), map]);
}

/** Returns the columns needed for scores by a plan: identifiers, weighted figures, and those that reveal doubts. */
export function scoreKeys(game: GameId, { weights, power_off }: Pick<Scoring, 'weights' | 'power_off'>): string[] {
  const { id, kingdom, power, tiers } = GAMES[game].roles;
  const counted = weighed(weights).map(([key]) => key);
  const { map } = GAMES[game];
  return distinct([id, kingdom, domainKey(game), ...tiers, killScore(game), ...counted, map, power_off ? power : null]);
}

/**
 * Returns the text columns of a governor's row. They take more memory than all figures, so they are read only to show
 * names.
 */
export const textKeys = (game: GameId): string[] =>
  rowColumns(game)
    .filter(({ type }) => type === 'text')
    .map(({ key }) => key);

/** The metric that is not a column. */
export const DKP = 'dkp';

/** Returns the metrics of the lines if the query names none. */
function usualMetrics(game: GameId): string[] {
  const { power, score, deads, tiers } = GAMES[game].roles;
  return [DKP, power, score, deads, tiers[3], tiers[4]];
}

export const MAX_METRICS = 12;

/** Parses a query's metrics, or returns what is wrong with them as a sentence. */
export function metricsNamed(game: GameId, named: string | undefined): string[] | { flaw: string } {
  if (!named) return usualMetrics(game);
  const metrics = distinct(named.split(',').map((each) => each.trim()));
  if (metrics.length > MAX_METRICS) return { flaw: `metrics: at most ${MAX_METRICS} are allowed.` };
  const known = new Set([DKP, ...figuresOf(game).map(({ key }) => key)]);
  const odd = metrics.find((metric) => !known.has(metric));
  return odd === undefined ? metrics : { flaw: `metrics: ${GAMES[game].name} has no '${odd.slice(0, 40)}'.` };
}
