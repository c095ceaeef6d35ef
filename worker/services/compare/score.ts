import { type Compared, type People, scorableOf } from '../../../domain/compare/compared.ts';
import type { CompareSettings } from '../../../domain/compare/contract.ts';
import { type RolledUp, standingBy } from '../../../domain/compare/rolled-up.ts';
import type { RosterEntry } from '../../../domain/compare/roster.ts';
import { figuresOf } from '../../../domain/difference/difference.ts';
import { GONE } from '../../../domain/difference/pairs.ts';
import { type Scores, scoresOf, weighed } from '../../../domain/difference/scoring.ts';
import { type GroupGains, groupsBy, sumsOf } from '../../../domain/difference/sums.ts';
import { GAMES } from '../../../domain/games/games.ts';

/** What is taken for a comparison's scores. */
export type Scoring = Pick<CompareSettings, 'weights' | 'power_off' | 'zeroed' | 'farms'>;

/** A comparison with its scores. */
export interface Scored {
  compared: Compared;
  scoring: Scoring;
  scores: Scores;
  /** With the farms' share, and who counts for nothing. */
  rolled: RolledUp;
  /** Keys of the figures whose gains are told, in the game's order. */
  keys: string[];
}

/** Keys of the figures that fights move and weights name, as far as both sides have them. */
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

export function score(compared: Compared, scoring: Scoring, roster: readonly RosterEntry[]): Scored {
  const scores = scoresOf(scorableOf(compared), scoring, (key) => compared.gains(key));
  return {
    compared,
    scoring,
    scores,
    rolled: standingBy(roster, scoring.farms, { ids: compared.common.ids, scores: scores.dkp }),
    keys: gainedKeys(compared, scoring.weights),
  };
}

/** The kingdoms of a comparison, smallest number first; rows of no kingdom belong to none. */
export function kingdomsOf({ common, joined, gone }: Compared): number[] {
  const kingdoms = new Set<number>();
  for (const people of [common, joined, gone])
    for (const kingdom of people.kingdoms) if (!Number.isNaN(kingdom)) kingdoms.add(kingdom);
  return [...kingdoms].sort((a, b) => a - b);
}

/** What each of the kingdoms gained; a governor counts for that of the start. */
export const kingdomSums = (scored: Scored, kingdoms: readonly number[]): GroupGains[] =>
  groupSums(scored, (people) => groupsBy(people.kingdoms, kingdoms), kingdoms.length);

/** Everything together, those of no kingdom too. */
export const sumOfAll = (scored: Scored): GroupGains =>
  groupSums(scored, ({ ids }) => new Int32Array(ids.length), 1)[0] as GroupGains;

function groupSums(
  { compared, scores, keys }: Scored,
  groupsOf: (people: People) => Int32Array,
  count: number,
): GroupGains[] {
  const { common, joined, gone } = compared;
  const partner = new Int32Array(common.ids.length + gone.ids.length).fill(GONE).fill(0, 0, common.ids.length);
  const start = new Int32Array(partner.length);
  start.set(groupsOf(common));
  start.set(groupsOf(gone), common.ids.length);
  const columns = new Map(
    keys.flatMap((key) => {
      const gains = compared.gains(key);
      return gains ? [[key, gains] as const] : [];
    }),
  );
  const strangers = Uint32Array.from(joined.ids.keys());
  return sumsOf({ partner, joined: strangers }, columns, scores, { start, end: groupsOf(joined), count });
}

/** A group's difference as the calls answer it: the guarded gains by their columns' keys, and the rest beside them. */
export const flat = ({ gains, ...rest }: GroupGains) => ({ ...gains, ...rest });

/** Governors as the lists of those who joined and left have them. */
export const listed = ({ ids, names, tags, kingdoms, powers }: People) =>
  Array.from(ids, (id, row) => ({
    id,
    name: names[row] ?? '',
    alliance_tag: tags[row] ?? null,
    kingdom: kingdomName(kingdoms[row]),
    power: orNull(powers[row]),
  }));

/** A kingdom as answers name it; '' where the row names none. */
export const kingdomName = (kingdom: number | undefined): string =>
  kingdom === undefined || Number.isNaN(kingdom) ? '' : String(kingdom);

/** A figure as JSON has it. */
export const orNull = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;
