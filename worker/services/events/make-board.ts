import type * as z from 'zod';
import { movedRows, renamedRows } from '../../../domain/difference/pairs.ts';
import type { GroupGains } from '../../../domain/difference/sums.ts';
import type { eventBoard } from '../../../domain/events/answers.ts';
import { shownKeys } from '../../../domain/events/columns.ts';
import { leadIn, type Tendency, tendencyOf } from '../../../domain/events/event.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { orNull } from '../../../domain/known.ts';
import { greatestOf, orderOf, ranksOf } from '../../../domain/scans/order.ts';
import { numbersOf, textsOf } from '../../../domain/scans/rows.ts';
import { doubtsAt, gainsOfAll, groupSums, homesOf, namesOf, seasonLists } from '../difference/comparison.ts';
import { campStates, campSums, type EventWar, type Fighters, fightersOf, type GroupState, statesOf } from './war.ts';
import { dkpGoals, type SnapshotRange } from './write-data.ts';

export type EventBoard = z.infer<typeof eventBoard>;

/** Guarded DKP of each camp at a time, since the start. */
export interface CampPoint {
  ts: number;
  dkp: (number | null)[];
}

/** Number of rows that the web renders first; the whole table follows. */
const TOP_ROWS = 12;
const TREND_POINTS = 6;

/**
 * The first screen: the leading camp, its lead, since when it leads, and how certain that is. `line` ends at the end.
 */
export function makeBoard(
  war: EventWar,
  range: SnapshotRange,
  line: readonly CampPoint[],
  missing: EventBoard['missing'],
): EventBoard {
  const { plan, compared, campOf, kingdoms: keys } = war;
  const { power } = GAMES[plan.game].roles;
  const count = plan.camps.length;
  const fighters = fightersOf(war);
  const kingdoms = { sums: groupSums(war, [power]), states: statesOf(compared.to, war.end, keys.length, [power]) };
  const sums = campSums(kingdoms.sums, campOf, count);
  const states = campStates(kingdoms.states, campOf, count);
  const dkp = Float64Array.from(sums, (sum) => sum.dkp ?? Number.NaN);
  // A camp with an unknown score may be the first, so ranks, shares and distances are unknown too.
  const areKnown = !dkp.some(Number.isNaN);
  const ranks = ranksOf(dkp);
  const all = dkp.reduce((total, score) => total + Math.max(0, score), 0);
  const first = Math.max(...dkp);
  const tendencies = tendenciesOf(line, count);
  const camps = plan.camps.map(({ name, kingdoms }, camp) => {
    const sum = sums[camp] as (typeof sums)[number];
    const state = states[camp] as (typeof states)[number];
    const score = dkp[camp] as number;
    return {
      name,
      colour: GAMES[plan.game].camps.find((one) => one.name === name)?.colour ?? '',
      kingdoms: [...kingdoms],
      rank: areKnown ? (ranks[camp] as number) : null,
      share: areKnown && all > 0 ? (100 * Math.max(0, score)) / all : null,
      behind: areKnown ? first - score : null,
      ...standingOf(sum, state, power),
      trend: line.slice(-TREND_POINTS).map((point) => ({ ts: point.ts, dkp: point.dkp[camp] ?? null })),
      tendency: tendencies[camp] ?? null,
    };
  });
  return {
    range,
    camps: inOrder(camps),
    kingdoms: inOrder(
      keys.map((kingdom, key) => ({
        kingdom,
        camp: plan.camps[campOf[key] as number]?.name ?? '',
        ...standingOf(kingdoms.sums[key] as GroupGains, kingdoms.states[key] as GroupState, power),
        counts: fighters[key] as Fighters,
      })),
    ),
    lead: leadOf(
      plan.camps.map(({ name }) => name),
      line,
    ),
    people: peopleOf(war),
    seasons: seasonLists(compared),
    missing,
    top: topOf(war),
  };
}

/** Returns the sums that a camp's or a kingdom's line on the board shows. */
const standingOf = (sum: GroupGains, state: GroupState, power: string) => ({
  dkp: sum.dkp,
  dkp_raw: sum.dkp_raw,
  left_out: sum.left_out,
  unknown: sum.unknown,
  common: sum.common,
  joined: sum.joined,
  gone: sum.gone,
  governors: state.governors,
  power: state.figures[power] ?? null,
  power_gain: sum.gains[power] ?? null,
});

/** Sorts by DKP in descending order; unknown ones are last, equal ones keep their order. */
const inOrder = <Standing extends { dkp: number | null }>(standings: readonly Standing[]): Standing[] =>
  [...orderOf(Float64Array.from(standings, ({ dkp }) => dkp ?? Number.NaN))].map(
    (place) => standings[place] as Standing,
  );

/**
 * Returns the leading camp at the end of a line, its lead, and since which point it has led without a break. A camp
 * that leads at every point but the first has led since the first, at which nobody has gained anything yet.
 */
function leadOf(names: readonly string[], line: readonly CampPoint[]): EventBoard['lead'] {
  const [first, last] = [line[0], line.at(-1)];
  if (!first || !last || first === last) return null;
  const lead = leadIn(last.dkp);
  if (!lead) return null;
  let since = last.ts;
  for (const point of line.slice(1).reverse()) {
    if (leadIn(point.dkp)?.place !== lead.place) break;
    since = point.ts;
  }
  if (since === line[1]?.ts) since = first.ts;
  return { camp: names[lead.place] as string, by: lead.by, since };
}

/** Compares each camp's share of the last step's gains with its share of all gains before; null if any is unknown. */
function tendenciesOf(line: readonly CampPoint[], camps: number): (Tendency | null)[] {
  const [before, last] = line.slice(-2).map(({ dkp }) => dkp.filter((value) => value !== null));
  if (before?.length !== camps || last?.length !== camps) return new Array<null>(camps).fill(null);
  const won = (camp: number) => Math.max(0, (last[camp] as number) - (before[camp] as number));
  const had = (camp: number) => Math.max(0, before[camp] as number);
  const all = (of: (camp: number) => number) =>
    Array.from({ length: camps }, (_, camp) => of(camp)).reduce((a, b) => a + b, 0);
  const [allWon, allHad] = [all(won), all(had)];
  const share = (part: number, whole: number) => (whole > 0 ? (100 * part) / whole : null);
  return Array.from({ length: camps }, (_, camp) => tendencyOf(share(had(camp), allHad), share(won(camp), allWon)));
}

function peopleOf({ compared, scores }: EventWar): EventBoard['people'] {
  const { common, joined, gone } = compared.rows;
  return {
    common,
    gone,
    idle: scores.points.reduce((count, points) => (points === 0 ? count + 1 : count), 0),
    unseen: compared.unseen,
    joined,
    moved: movedRows(compared).length,
    renamed: renamedRows(compared).length,
  };
}

/** Returns the governors with the most DKP, in order of rank. */
function topOf(war: EventWar): EventBoard['top'] {
  const { plan, compared, scores, start, campOf } = war;
  const { from, to, rows } = compared;
  const { roles } = GAMES[plan.game];
  const ranks = ranksOf(scores.dkp);
  const [ids, powers, tags] = [numbersOf(from, roles.id), numbersOf(from, roles.power), textsOf(to, roles.tag)];
  const gained = gainsOfAll(compared, war.gained);
  const [home, names, goals] = [homesOf(war), namesOf(compared), dkpGoals(war)];
  const doubtsOf = (pair: number) =>
    doubtsAt(gained, pair).flatMap(({ figures, reason }) => figures.map((key) => [key, reason] as const));
  const top = [...greatestOf(scores.dkp, TOP_ROWS)].filter((pair) => !Number.isNaN(scores.dkp[pair]));
  return top.map((pair) => {
    const [row, place] = [rows.from[pair] as number, rows.to[pair] as number];
    const { kingdom, now } = home(pair);
    const [doubts, before] = [doubtsOf(pair), names.before(pair)];
    return {
      rank: ranks[pair] as number,
      id: ids[row] as number,
      name: names.now(pair),
      tag: tags[place] ?? null,
      kingdom,
      camp: plan.camps[campOf[start[row] as number] as number]?.name ?? '',
      power: orNull(powers[row]),
      now: Object.fromEntries(shownKeys(plan.game).map((each) => [each, orNull(to.numbers[each]?.[place])])),
      gains: Object.fromEntries(gained.map((each) => [each.key, orNull(each.raw[pair])])),
      dkp: orNull(scores.dkp[pair]),
      dkp_raw: orNull(scores.raw[pair]),
      goal: orNull(goals?.[pair]),
      ...(doubts.length > 0 && { doubts: Object.fromEntries(doubts) }),
      ...(before !== null && { renamed_from: before }),
      ...(now !== kingdom && now !== '' && { moved_to: now }),
    };
  });
}
