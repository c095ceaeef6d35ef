import type * as z from 'zod';
import { doubtAt, NO_DOUBT } from '../../../domain/difference/doubts.ts';
import { isBelow } from '../../../domain/difference/goals.ts';
import { tenthOf } from '../../../domain/difference/percentages.ts';
import type { GroupGains } from '../../../domain/difference/sums.ts';
import type { eventRoom } from '../../../domain/events/room-answers.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { addKnown, orNull } from '../../../domain/known.ts';
import { orderOf, ranksOf } from '../../../domain/scans/order.ts';
import { percentilesOf } from '../../../domain/scans/percentiles.ts';
import { numbersOf, textsOf } from '../../../domain/scans/rows.ts';
import { gainsOfAll, groupSums, homesOf, namesOf } from '../difference/comparison.ts';
import type { Changes } from './make-changes.ts';
import { campSums, type EventWar, fightersOf, reachedIn, statesOf } from './war.ts';
import type { SnapshotRange } from './write-data.ts';

export type EventRoom = z.infer<typeof eventRoom>;
type RoomGovernor = EventRoom['governors'][number];
/** A war room whose governors are made while they are read, once. */
export type MadeRoom = Omit<EventRoom, 'governors'> & { governors: Iterable<RoomGovernor> };

const MILLION = 1_000_000;

/** Points per million of power at the start; null if either is unknown. */
const efficiencyOf = (dkp: number | null, power: number | null): number | null =>
  dkp === null || power === null || power <= 0 ? null : Math.round((dkp / power) * MILLION);

/** Power at the start of the governors in both scans, by kingdom; NaN if none is known. */
function startPowers({ compared, start, kingdoms }: EventWar): Float64Array {
  const { from, rows, game } = compared;
  const powers = numbersOf(from, GAMES[game].roles.power);
  const sums = new Float64Array(kingdoms.length).fill(Number.NaN);
  for (let pair = 0; pair < rows.common; pair++) {
    const row = rows.from[pair] as number;
    const [key, power] = [start[row] as number, powers[row] as number];
    if (key >= 0 && !Number.isNaN(power)) sums[key] = (sums[key] || 0) + power;
  }
  return sums;
}

/** Returns each kingdom's line among all kingdoms, in their order. */
function standingsOf(war: EventWar, sums: readonly GroupGains[]): EventRoom['standings'] {
  const { plan, kingdoms, campOf } = war;
  const powers = startPowers(war);
  const ranks = ranksOf(Float64Array.from(sums, ({ dkp }) => dkp ?? Number.NaN));
  return kingdoms.map((kingdom, key) => {
    const { dkp, dkp_raw, left_out, unknown, common, joined, gone } = sums[key] as GroupGains;
    const power = orNull(powers[key]);
    return {
      kingdom,
      camp: plan.camps[campOf[key] as number]?.name ?? '',
      rank: ranks[key] || null,
      dkp,
      dkp_raw,
      left_out,
      unknown,
      common,
      joined,
      gone,
      power,
      efficiency: efficiencyOf(dkp, power),
    };
  });
}

/** The governors in both scans who count for a kingdom. */
interface People {
  /** Highest score first. */
  pairs: number[];
  row: (pair: number) => RoomGovernor;
}

/** Returns what rows say about a kingdom's governors, and what each scored since an earlier scan, if given. */
export function peopleBy(
  war: EventWar,
  gainedSince: ReadonlyMap<number, number> | null,
  reached = reachedIn(war),
): (key: number) => People {
  const { compared, scores, start, exempt } = war;
  const { from, to, rows, game } = compared;
  const { roles } = GAMES[game];
  const pairsOf = Map.groupBy(Array(rows.common).keys(), (pair) => start[rows.from[pair] as number] as number);
  const [allRanks, allPercentiles] = [ranksOf(scores.dkp), percentilesOf(scores.dkp)];
  const [ids, powers, tags] = [numbersOf(from, roles.id), numbersOf(from, roles.power), textsOf(to, roles.tag)];
  const gained = gainsOfAll(compared, war.gained);
  const [names, home, goals] = [namesOf(compared), homesOf(war), reached.get('dkp')?.map(tenthOf)];
  return (key) => {
    const own = pairsOf.get(key) ?? [];
    const within = Float64Array.from(own, (pair) => scores.dkp[pair] as number);
    const placeOf = new Map(own.map((pair, place) => [pair, place]));
    const [ranks, percentiles] = [ranksOf(within), percentilesOf(within)];
    const row = (pair: number): RoomGovernor => {
      const [at, place, inside] = [rows.from[pair] as number, rows.to[pair] as number, placeOf.get(pair) as number];
      const id = ids[at] as number;
      const { kingdom, now } = home(pair);
      const [dkp, power] = [orNull(scores.dkp[pair]), orNull(powers[at])];
      return {
        governor_id: id,
        name: names.now(pair),
        tag: tags[place] ?? null,
        power,
        dkp,
        dkp_raw: orNull(scores.raw[pair]),
        points: orNull(scores.points[pair]),
        doubt: doubtAt(scores.doubts, pair),
        rank: ranks[inside] || null,
        percentile: orNull(percentiles[inside]),
        event_rank: allRanks[pair] || null,
        event_percentile: orNull(allPercentiles[pair]),
        goal: orNull(goals?.[pair]),
        below_goal: isBelow(reached, pair),
        exempt: exempt[pair] === 1,
        efficiency: efficiencyOf(dkp, power),
        since: orNull(gainedSince?.get(id)),
        gains: Object.fromEntries(gained.map(({ key: figure, raw }) => [figure, orNull(raw[pair])])),
        doubted: gained.filter(({ doubts }) => doubts[pair] !== 0).map(({ key: figure }) => figure),
        renamed_from: names.before(pair),
        moved_to: now !== kingdom && now !== '' ? now : null,
      };
    };
    return { pairs: [...orderOf(within)].map((place) => own[place] as number), row };
  };
}

function* rowsOf(pairs: readonly number[], row: People['row']): Generator<RoomGovernor> {
  for (const pair of pairs) yield row(pair);
}

/** Returns governors of a kingdom in only one of the two scans. */
function visitors(war: EventWar, key: number, side: 'joined' | 'gone'): EventRoom['joined_governors'] {
  const { rows, from, to, game } = war.compared;
  const { roles } = GAMES[game];
  const [table, groups] = side === 'joined' ? [to, war.end] : [from, war.start];
  const places =
    side === 'joined'
      ? rows.to.subarray(rows.common, rows.common + rows.joined)
      : rows.from.subarray(rows.common + rows.joined);
  const [ids, powers] = [numbersOf(table, roles.id), numbersOf(table, roles.power)];
  const [names, tags] = [textsOf(table, roles.name), textsOf(table, roles.tag)];
  const found = [...places.filter((row) => groups[row] === key)].map((row) => ({
    governor_id: ids[row] as number,
    name: names[row] ?? '',
    tag: tags[row] ?? null,
    power: orNull(powers[row]),
  }));
  return found.sort((one, other) => (other.power ?? 0) - (one.power ?? 0));
}

/** Adds up some pairs by the alliance in which they are at the end. */
function alliancesOf({ compared, scores }: EventWar, pairs: readonly number[]): EventRoom['alliances'] {
  const { from, to, rows, game } = compared;
  const { roles } = GAMES[game];
  const [powers, tags] = [numbersOf(from, roles.power), textsOf(to, roles.tag)];
  const all = [...Map.groupBy(pairs, (pair) => tags[rows.to[pair] as number] ?? null)].map(([tag, members]) => {
    const sum = (values: Float64Array, at = (pair: number) => pair) =>
      members.reduce<number | null>((total, pair) => addKnown(total, orNull(values[at(pair)])), null);
    const [dkp, power] = [sum(scores.dkp), sum(powers, (pair) => rows.from[pair] as number)];
    return {
      tag,
      governors: members.length,
      dkp,
      dkp_raw: sum(scores.raw),
      left_out: members.filter((pair) => scores.doubts[pair] !== NO_DOUBT && !Number.isNaN(scores.raw[pair])).length,
      power,
      efficiency: efficiencyOf(dkp, power),
    };
  });
  return all.sort((one, other) => (other.dkp ?? Number.NEGATIVE_INFINITY) - (one.dkp ?? Number.NEGATIVE_INFINITY));
}

/** What changed since an earlier scan: its time, what each governor scored since, and the changes of each kingdom. */
interface Recent {
  since: number | null;
  gained: ReadonlyMap<number, number> | null;
  changesOf: (key: number) => Changes;
}

/** Returns the war room of any kingdom by its place among the event's. What all of them share is computed once. */
export function roomsOf(war: EventWar, range: SnapshotRange, recent: Recent): (key: number) => MadeRoom {
  const { plan, compared, kingdoms, campOf } = war;
  const { power } = GAMES[plan.game].roles;
  const sums = groupSums(war, war.gained);
  const camps = campSums(sums, campOf, plan.camps.length);
  const states = statesOf(compared.to, war.end, kingdoms.length, [power]);
  const reached = reachedIn(war);
  const fighters = fightersOf(war, reached);
  const people = peopleBy(war, recent.gained, reached);
  const lines = standingsOf(war, sums);
  const standings = lines.toSorted(
    (one, other) => (one.rank ?? Number.POSITIVE_INFINITY) - (other.rank ?? Number.POSITIVE_INFINITY),
  );
  return (key) => {
    const own = lines[key] as EventRoom['standings'][number];
    const [camp, state] = [camps[campOf[key] as number], states[key]];
    const { pairs, row } = people(key);
    const { changes, counts } = recent.changesOf(key);
    return {
      range,
      ...own,
      kingdoms: lines.length,
      camp_share: own.dkp === null || !camp?.dkp || camp.dkp <= 0 ? null : (100 * own.dkp) / camp.dkp,
      power_now: state?.figures[power] ?? null,
      governors_now: state?.governors ?? 0,
      gains: (sums[key] as GroupGains).gains,
      counts: fighters[key] as EventRoom['counts'],
      standings,
      alliances: alliancesOf(war, pairs),
      governors: rowsOf(pairs, row),
      joined_governors: visitors(war, key, 'joined'),
      gone_governors: visitors(war, key, 'gone'),
      since: recent.since,
      changes,
      change_counts: counts,
    };
  };
}
