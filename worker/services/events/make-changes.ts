import { movedRows, renamedRows } from '../../../domain/difference/pairs.ts';
import {
  type ChangeFacts,
  type ChangeKind,
  changeText,
  MOST_OF_A_KIND,
  ZEROED_SHARE,
} from '../../../domain/events/changes.ts';
import { leadIn } from '../../../domain/events/event.ts';
import { nameOr } from '../../../domain/figures.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { addKnown } from '../../../domain/known.ts';
import { orderOf, ranksOf } from '../../../domain/scans/order.ts';
import { doubtedIn, figureOf } from '../../../domain/scans/quality.ts';
import { numbersOf, type Table, textsOf } from '../../../domain/scans/rows.ts';
import { plain } from '../../files/plain-text.ts';
import { kingdomName, namesOf } from '../difference/comparison.ts';
import type { EventWar } from './war.ts';

interface Change extends ChangeFacts {
  text: string;
}

export interface Changes {
  changes: Change[];
  /** The number of changes of each kind, including those that are not listed. */
  counts: Partial<Record<ChangeKind, number>>;
}

/** Known scores of the event's kingdoms, in their order. */
export type Standing = readonly (number | null)[];

/** What governors had scored by the earlier scan, by their rows in it. */
export interface Earlier {
  /** The place of the kingdom that they count for, or -1. */
  homes: Int32Array;
  /** Guarded score, and raw points before the deduction for power; NaN if unknown. */
  dkp: Float64Array;
  points: Float64Array;
}

/** Returns the scores of a war by the rows of its second side. */
export function scoresBy({ compared, scores, start, end }: EventWar): Earlier {
  const { rows, to } = compared;
  const homes = Int32Array.from(end);
  const [dkp, points] = [0, 1].map(() => new Float64Array(to.count).fill(Number.NaN)) as [Float64Array, Float64Array];
  for (let pair = 0; pair < rows.common; pair++) {
    const row = rows.to[pair] as number;
    homes[row] = start[rows.from[pair] as number] as number;
    dkp[row] = scores.dkp[pair] as number;
    points[row] = scores.points[pair] as number;
  }
  return { homes, dkp, points };
}

interface Between {
  /** From the event's start to the earlier scan; null if that is the start itself. */
  before: Earlier | null;
  /** From the earlier scan to the later, without the deduction for power, which counts once: since the start. */
  after: EventWar;
  /** Scores since the start, at the earlier and at the later scan. */
  standings: { earlier: Standing; later: Standing };
}

/** `key`: the place of the kingdom that the changes are about; null for all of the event. */
type ChangesAsked = Between & { key: number | null };

/** Returns what changed from one scan to a later one, for any kingdom by its place, or for all of the event (null). */
export function changesBetween(between: Between): (key: number | null) => Changes {
  const all = scoredRows(between);
  return (key) => makeChanges({ ...between, key }, key === null ? all : ofKingdom(all, key));
}

function makeChanges(asked: ChangesAsked, rows: Scored): Changes {
  const { after, key } = asked;
  const { game } = after.plan;
  const room = key === null ? null : (after.kingdoms[key] ?? null);
  const found = [
    ...(key === null ? leadChange(asked) : kingdomChanges(asked, key)),
    ...alliances(asked, rows),
    ...fighters(asked, rows),
    ...zeroed(asked, rows),
    ...moved(asked, rows),
    ...renamed(asked, rows),
    ...comers(asked),
  ];
  const counts: Changes['counts'] = {};
  const changes: Change[] = [];
  for (const { times = 1, ...facts } of found) {
    const listed = counts[facts.kind] ?? 0;
    counts[facts.kind] = listed + times;
    if (listed < MOST_OF_A_KIND) changes.push({ ...facts, text: changeText(game, facts, room) });
  }
  return { changes, counts };
}

/** `times`: how many governors a sentence counts, if it is about several. */
type Found = ChangeFacts & { times?: number };

/** Pairs of `after`, with the place of their kingdom and the score before. */
interface Scored {
  pairs: number[];
  /** Those of the pairs that are in another kingdom, and those with another name. */
  moved: number[];
  renamed: number[];
  home: (pair: number) => number;
  /** Guarded score and raw points from the start to the earlier scan; NaN if unknown. */
  earlier: (pair: number) => number;
  earlierPoints: (pair: number) => number;
}

function scoredRows({ before, after: { compared, start } }: Between): Scored {
  const { rows } = compared;
  const homes = before?.homes ?? start;
  const rowOf = (pair: number) => rows.from[pair] as number;
  const known = (scores: Float64Array | undefined) => (pair: number) => scores?.[rowOf(pair)] ?? Number.NaN;
  return {
    pairs: Array.from({ length: rows.common }, (_, pair) => pair),
    moved: movedRows(compared),
    renamed: renamedRows(compared),
    home: (pair) => homes[rowOf(pair)] as number,
    earlier: known(before?.dkp),
    earlierPoints: known(before?.points),
  };
}

function ofKingdom(all: Scored, key: number): Scored {
  const own = (pairs: readonly number[]) => pairs.filter((pair) => all.home(pair) === key);
  return { ...all, pairs: own(all.pairs), moved: own(all.moved), renamed: own(all.renamed) };
}

const column = (values: Standing): Float64Array => Float64Array.from(values, (value) => value ?? Number.NaN);

/** Says that another camp leads. */
function leadChange({ after, before, standings }: ChangesAsked): Found[] {
  const { plan, campOf } = after;
  const leadBy = (standing: Standing) => {
    const sums = new Array<number | null>(plan.camps.length).fill(null);
    for (const [key, value] of standing.entries()) {
      const camp = campOf[key] as number;
      sums[camp] = addKnown(sums[camp], value);
    }
    return leadIn(sums);
  };
  const [was, is] = [before ? leadBy(standings.earlier) : null, leadBy(standings.later)];
  if (!is || was?.place === is.place) return [];
  const name = (lead: typeof is) => plan.camps[lead.place]?.name ?? '';
  return [{ kind: 'lead', governor_id: null, name: name(is), kingdom: null, value: is.by, before: was && name(was) }];
}

/** Says what a kingdom gained and how its rank moved. */
function kingdomChanges({ after, before, standings: { earlier, later } }: ChangesAsked, key: number): Found[] {
  const name = after.kingdoms[key] ?? '';
  const about = { governor_id: null, name, kingdom: name };
  const [first, last] = [ranksOf(column(earlier))[key], ranksOf(column(later))[key]];
  const [had, has] = [earlier[key] ?? null, later[key] ?? null];
  return [
    ...(before && first && last && first !== last
      ? [{ kind: 'rank' as const, ...about, value: last, before: first }]
      : []),
    ...(had !== null && has !== null && has !== had
      ? [{ kind: 'gain' as const, ...about, value: has - had, before: had }]
      : []),
  ];
}

/** Returns the fields that name a governor. */
function namesIn(
  { after }: ChangesAsked,
  { home }: Scored,
): (pair: number) => Pick<Found, 'governor_id' | 'name' | 'kingdom'> {
  const { compared, kingdoms } = after;
  const ids = numbersOf(compared.from, GAMES[compared.game].roles.id);
  const { now } = namesOf(compared);
  return (pair) => {
    const id = ids[compared.rows.from[pair] as number] as number;
    return {
      governor_id: id,
      name: nameOr(plain(now(pair)).trim(), String(id)),
      kingdom: kingdoms[home(pair)] ?? null,
    };
  };
}

/** Sorts by the figure in descending order, without unknown ones. */
const greatestFirst = (pairs: readonly number[], figure: (pair: number) => number): number[] => {
  const values = Float64Array.from(pairs, figure);
  return [...orderOf(values)].flatMap((place) => (Number.isNaN(values[place]) ? [] : [pairs[place] as number]));
};

/** Lists who gained most, who began to fight and who stopped. */
function fighters(asked: ChangesAsked, scored: Scored): Found[] {
  const { before, after } = asked;
  const { pairs, earlier, earlierPoints } = scored;
  const named = namesIn(asked, scored);
  const gain = (pair: number) => after.scores.dkp[pair] as number;
  const movers = greatestFirst(
    pairs.filter((pair) => gain(pair) > 0),
    gain,
  ).slice(0, MOST_OF_A_KIND);
  const list = (kind: ChangeKind, those: readonly number[], facts: (pair: number) => Pick<Found, 'value' | 'before'>) =>
    those.map((pair): Found => ({ kind, ...named(pair), ...facts(pair) }));
  if (!before) return list('mover', movers, (pair) => ({ value: gain(pair), before: 0 }));
  const began = pairs.filter((pair) => earlierPoints(pair) === 0 && gain(pair) > 0);
  const known = (value: number) => (Number.isNaN(value) ? null : value);
  const stopped = pairs.filter(
    (pair) => known(earlier(pair)) !== null && earlierPoints(pair) > 0 && after.scores.points[pair] === 0,
  );
  return [
    ...list('mover', movers, (pair) => ({ value: gain(pair), before: known(earlier(pair)) })),
    ...list('began', greatestFirst(began, gain), (pair) => ({ value: gain(pair), before: 0 })),
    ...list('stopped', greatestFirst(stopped, earlierPoints), (pair) => ({ value: 0, before: earlierPoints(pair) })),
  ];
}

/** Lists alliances whose rank among those of the event or the kingdom rose. */
function alliances({ before, after }: ChangesAsked, { pairs, home, earlier }: Scored): Found[] {
  if (!before) return [];
  const { compared, kingdoms, scores } = after;
  const tags = textsOf(compared.to, GAMES[compared.game].roles.tag);
  const sums = new Map<string, { tag: string; kingdom: string | null; was: number; is: number }>();
  for (const pair of pairs) {
    const tag = tags[compared.rows.to[pair] as number];
    const [had, gained] = [earlier(pair), scores.dkp[pair] as number];
    if (!tag || Number.isNaN(had) || Number.isNaN(gained)) continue;
    const name = `${home(pair)} ${tag}`;
    const sum = sums.get(name) ?? { tag, kingdom: kingdoms[home(pair)] ?? null, was: 0, is: 0 };
    sums.set(name, sum);
    sum.was += had;
    sum.is += had + gained;
  }
  const all = [...sums.values()];
  const [then, now] = [
    ranksOf(Float64Array.from(all, (sum) => sum.was)),
    ranksOf(Float64Array.from(all, (sum) => sum.is)),
  ];
  return [...orderOf(Float64Array.from(all, (sum) => sum.is))].flatMap((place): Found[] => {
    const { tag, kingdom } = all[place] as (typeof all)[number];
    const [was, is] = [then[place] as number, now[place] as number];
    if (is >= was) return [];
    return [
      { kind: 'alliance', governor_id: null, name: nameOr(plain(tag).trim(), '?'), kingdom, value: is, before: was },
    ];
  });
}

/** Lists who lost so much power that they must have been attacked. An unverified power on either side proves nothing. */
function zeroed(asked: ChangesAsked, scored: Scored): Found[] {
  const { from, to, rows, game } = asked.after.compared;
  const { power } = GAMES[game].roles;
  const [then, now] = [numbersOf(from, power), numbersOf(to, power)];
  const isUnsure = ({ texts }: Table, row: number) => doubtedIn(texts.doubted?.[row]).includes(figureOf(game, power));
  const powers = (pair: number) => [then[rows.from[pair] as number], now[rows.to[pair] as number]] as [number, number];
  const fell = scored.pairs.filter((pair) => {
    const [before, after] = powers(pair);
    // A power of 0 was not read.
    if (!(after > 0 && after < before * (1 - ZEROED_SHARE))) return false;
    return !isUnsure(from, rows.from[pair] as number) && !isUnsure(to, rows.to[pair] as number);
  });
  const named = namesIn(asked, scored);
  return greatestFirst(fell, (pair) => powers(pair)[0] - powers(pair)[1]).map((pair) => {
    const [before, value] = powers(pair);
    return { kind: 'zeroed', ...named(pair), value, before };
  });
}

/** Lists governors who moved to another kingdom. */
function moved(asked: ChangesAsked, scored: Scored): Found[] {
  const { compared } = asked.after;
  const { from, to, rows, game } = compared;
  const { kingdom } = GAMES[game].roles;
  const [then, now] = [numbersOf(from, kingdom), numbersOf(to, kingdom)];
  const named = namesIn(asked, scored);
  return scored.moved.map((pair) => ({
    kind: 'moved',
    ...named(pair),
    value: kingdomName(now[rows.to[pair] as number]),
    before: kingdomName(then[rows.from[pair] as number]),
  }));
}

/** Lists renamed governors. */
function renamed(asked: ChangesAsked, scored: Scored): Found[] {
  const { compared } = asked.after;
  const { before } = namesOf(compared);
  const named = namesIn(asked, scored);
  return scored.renamed.map((pair) => ({
    kind: 'renamed',
    ...named(pair),
    value: null,
    before: nameOr(plain(before(pair) ?? '').trim(), '?'),
  }));
}

/** Counts governors in only one of the two scans. */
function comers({ after, key }: ChangesAsked): Found[] {
  const { compared, start, end, kingdoms } = after;
  const { from, to, common, joined } = compared.rows;
  const there = (group: number) => (key === null ? group >= 0 : group === key);
  const came = to.subarray(common, common + joined).filter((row) => there(end[row] as number)).length;
  const left = from.subarray(common + joined).filter((row) => there(start[row] as number)).length;
  const kingdom = key === null ? null : (kingdoms[key] ?? null);
  const found = (kind: ChangeKind, value: number): Found[] =>
    value === 0 ? [] : [{ kind, governor_id: null, name: kingdom ?? '', kingdom, value, before: null, times: value }];
  return [...found('joined', came), ...found('gone', left)];
}
