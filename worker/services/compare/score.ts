import type { Compared } from '../../../domain/compare/compared.ts';
import type { CompareSettings } from '../../../domain/compare/contract.ts';
import { type RolledUp, standingBy } from '../../../domain/compare/rolled-up.ts';
import type { RosterEntry } from '../../../domain/compare/roster-rules.ts';
import { figuresOf, scorable } from '../../../domain/difference/difference.ts';
import { scoresOf, weighed } from '../../../domain/difference/scoring.ts';
import { type GroupGains, kingdomGroups } from '../../../domain/difference/sums.ts';
import { type VerifiedDeads, withVerified } from '../../../domain/difference/verified.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { orNull } from '../../../domain/known.ts';
import { numbersOf, textsOf } from '../../../domain/scans/rows.ts';
import { type Comparison, groupSums, kingdomName } from '../difference/comparison.ts';

/** How a comparison is scored. */
type Scoring = Pick<CompareSettings, 'weights' | 'power_off' | 'zeroed' | 'verified' | 'farms' | 'goals'>;

/** A comparison of library scans, scored with the rosters of their kingdoms. */
export interface Scored extends Comparison {
  scoring: Scoring;
  /** Scores including shares of farms, and governors who are exempt. */
  rolled: RolledUp;
}

/** Returns the keys of figures that fights change or weights use, if both sides have them. */
function gainedKeys(compared: Compared, weights: Readonly<Record<string, number>>): string[] {
  const { roles, allKills } = GAMES[compared.game];
  const wanted = new Set<string | null>([
    ...[roles.power, roles.score, roles.deads, allKills, 'deads_t4', 'deads_t5'],
    ...[...roles.tiers, ...weighed(weights).map(([key]) => key)],
  ]);
  return figuresOf(compared.game)
    .map(({ key }) => key)
    .filter((key) => wanted.has(key) && compared.has(key));
}

/** Scores a comparison, in which verified deads replace those of the scans. */
export function score(read: Compared, scoring: Scoring, roster: readonly RosterEntry[]): Scored {
  const compared = { ...read, gains: withVerified(scorable(read), scoring.verified, read.gains) };
  const { game, from, rows } = compared;
  const { id, kingdom } = GAMES[game].roles;
  const scores = scoresOf(scorable(compared), scoring, compared.gains);
  const numbers = numbersOf(from, id);
  // `Float64Array.from` with a function takes ten times as long.
  const ids = new Float64Array(rows.common);
  for (let pair = 0; pair < ids.length; pair++) ids[pair] = numbers[rows.from[pair] as number] as number;
  const rolled = standingBy(roster, scoring.farms, { ids, scores: scores.dkp });
  const kingdoms = kingdomsCompared(compared);
  const { start, end } = kingdomGroups(compared, kingdom, kingdoms);
  return {
    compared,
    scoring,
    scores,
    rolled,
    kingdoms: kingdoms.map(String),
    start,
    end,
    gained: gainedKeys(compared, scoring.weights),
    goals: scoring.goals,
    counted: rolled.scores,
    exempt: rolled.apart,
  };
}

/** Returns a governor's verified deads, if any. */
export const verifiedAt = ({ compared, scoring }: Scored, pair: number): VerifiedDeads | undefined => {
  const { game, from, rows } = compared;
  return scoring.verified[numbersOf(from, GAMES[game].roles.id)[rows.from[pair] as number] as number];
};

/** Returns the kingdoms of a comparison in ascending order. Rows without a kingdom belong to none. */
export function kingdomsCompared({ game, from, to, rows }: Compared): number[] {
  const { kingdom } = GAMES[game].roles;
  const [before, after] = [numbersOf(from, kingdom), numbersOf(to, kingdom)];
  const kingdoms = new Set<number>();
  // Neighbouring rows are mostly of one kingdom.
  let last = Number.NaN;
  for (let index = 0; index < rows.from.length; index++) {
    const row = rows.from[index] as number;
    const kingdom = (row >= 0 ? before[row] : after[rows.to[index] as number]) as number;
    if (kingdom === last) continue;
    kingdoms.add(kingdom);
    last = kingdom;
  }
  return [...kingdoms].filter((each) => !Number.isNaN(each)).sort((a, b) => a - b);
}

/** Returns the sum of all governors, including those without a kingdom. */
export function sumOfAll(scored: Scored): GroupGains {
  const { from, to } = scored.compared;
  const groups = { start: new Int32Array(from.count), end: new Int32Array(to.count), count: 1 };
  return groupSums(scored, scored.gained, groups)[0] as GroupGains;
}

/** Returns governors as the lists of joined and left ones show them. */
export function listed({ game, from, to, rows }: Compared, who: 'joined' | 'gone') {
  const { id, name, tag, kingdom, power } = GAMES[game].roles;
  const gone = rows.common + rows.joined;
  const [table, places] =
    who === 'joined' ? [to, rows.to.subarray(rows.common, gone)] : [from, rows.from.subarray(gone)];
  const [ids, kingdoms, powers] = [numbersOf(table, id), numbersOf(table, kingdom), numbersOf(table, power)];
  const [names, tags] = [textsOf(table, name), textsOf(table, tag)];
  return Array.from(places, (row) => ({
    id: ids[row] as number,
    name: names[row] ?? '',
    alliance_tag: tags[row] ?? null,
    kingdom: kingdomName(kingdoms[row]),
    power: orNull(powers[row]),
  }));
}
