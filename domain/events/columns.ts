import { figuresOf, killScore } from '../difference/difference.ts';
import { type Scoring, weighed } from '../difference/scoring.ts';
import { type Column, columnOf, GAMES, type GameId } from '../games/games.ts';

/** Which columns of a scan the dashboards read, show and add up. */

const column = (game: GameId, key: string): Column => {
  const found = columnOf(game, key);
  if (!found) throw new Error(`${game} has no column '${key}'`);
  return found;
};

const distinct = (keys: readonly (string | null)[]): string[] => [...new Set(keys.filter((key) => key !== null))];

/** The column of a kingdom's domain, in the game that has some. */
const domainKey = (game: GameId): string | null => (columnOf(game, 'domain') ? 'domain' : null);

/** A row of the individual table as the specification has it (section 3), without its differences. */
export function rowColumns(game: GameId): Column[] {
  const { roles, allKills } = GAMES[game];
  const { id, kingdom, tag, name, power, deads, score, tiers } = roles;
  const keys = distinct([kingdom, domainKey(game), id, tag, name, power, deads, score, allKills, tiers[3], tiers[4]]);
  return keys.map((key) => column(game, key));
}

/** Keys of the figures whose gains are told of every governor: those that fights move, and those that weights name. */
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

/** Keys of the figures at the end that the individual table shows. */
export const shownKeys = (game: GameId): string[] =>
  rowColumns(game)
    .filter(({ ident, type }) => !ident && type !== 'text')
    .map(({ key }) => key);

/** Figures that are read of a snapshot to compare it, with what tells whose they are. */
export function coreKeys(game: GameId, weights: Readonly<Record<string, number>>): string[] {
  const figures = rowColumns(game).filter(({ type }) => type !== 'text');
  return distinct([...figures.map(({ key }) => key), ...gainKeys(game, weights), GAMES[game].map]);
}

/** Columns that scores by the plan follow from, with what tells whose they are and what is doubtful about them. */
export function scoreKeys(game: GameId, { weights, power_off }: Pick<Scoring, 'weights' | 'power_off'>): string[] {
  const { id, kingdom, power, tiers } = GAMES[game].roles;
  const counted = weighed(weights).map(([key]) => key);
  const { map } = GAMES[game];
  return distinct([id, kingdom, domainKey(game), ...tiers, killScore(game), ...counted, map, power_off ? power : null]);
}

/** Texts of a governor's row. They take more memory than all figures, so they are read where names are shown. */
export const textKeys = (game: GameId): string[] =>
  rowColumns(game)
    .filter(({ type }) => type === 'text')
    .map(({ key }) => key);

/** The metric of the lines that is no column. */
export const DKP = 'dkp';

/** The metrics that lines show unless others are asked for. */
export function usualMetrics(game: GameId): string[] {
  const { power, score, deads, tiers } = GAMES[game].roles;
  return [DKP, power, score, deads, tiers[3], tiers[4]];
}

export const MAX_METRICS = 12;

/** The metrics named in a query, or what is wrong with them as a sentence. */
export function metricsOf(game: GameId, named: string | undefined): string[] | { flaw: string } {
  if (!named) return usualMetrics(game);
  const metrics = distinct(named.split(',').map((each) => each.trim()));
  if (metrics.length > MAX_METRICS) return { flaw: `metrics: ${MAX_METRICS} are the most.` };
  const known = new Set([DKP, ...figuresOf(game).map(({ key }) => key)]);
  const odd = metrics.find((metric) => !known.has(metric));
  return odd === undefined ? metrics : { flaw: `metrics: ${GAMES[game].name} has no '${odd.slice(0, 40)}'.` };
}
