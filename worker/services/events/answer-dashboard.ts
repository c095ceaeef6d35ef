import { comparedOver } from '../../../domain/compare/compared.ts';
import { figuresOf } from '../../../domain/difference/difference.ts';
import { coreKeys, DKP, scoreKeys, shownKeys, textKeys } from '../../../domain/events/columns.ts';
import type { EventPlan } from '../../../domain/events/event.ts';
import { pointsBetween } from '../../../domain/events/points.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { release } from '../../../domain/release.ts';
import { ranksOf } from '../../../domain/scans/order.ts';
import { numbersOf, reorder, type Table, textsOf } from '../../../domain/scans/rows.ts';
import type { SnapshotPart } from '../../models/events/event-snapshots.ts';
import { groupSums } from '../difference/comparison.ts';
import { type Pieces, tablePieces } from '../difference/write-json.ts';
import type { WantedColumns } from '../scans/join-scans.ts';
import { type StoredPart, storedParts } from './load-moment.ts';
import { type EventBoard, makeBoard } from './make-board.ts';
import { type EventGovernor, type GovernorReading, makeGovernor } from './make-governor.ts';
import { campLine, type EventLines, makeLines, makePoint, type Point } from './make-lines.ts';
import { type EventWar, endWar, eventWar, statesOf } from './war.ts';
import { type FileWanted, warFileChunks } from './war-file.ts';
import { dataChunks, type SnapshotRange, type WholeSums } from './write-data.ts';

/** Answers of the dashboards' calls, from snapshots that the caller caches. */

/** The source of sides and points: the store, or a cache in memory. */
export interface Sides {
  /**
   * Returns columns of the snapshot at a time, as `loadMoment` reads them, with the texts of `textKeys` if names are
   * shown.
   */
  side(ts: number, columns: WantedColumns, names?: boolean): Promise<Table>;
  /** Returns the core columns at a time. `keep`: later answers will need them too. */
  lend(ts: number, columns: WantedColumns, keep: boolean): Promise<Lent>;
  /** Returns the parts of the snapshot at a time. */
  parts(ts: number): readonly SnapshotPart[];
  /** Returns a cached point of the lines. */
  keptPoint(range: SnapshotRange, metric: string): Pick<Point, 'gained' | 'now'> | null;
  keepPoint(range: SnapshotRange, metric: string, point: Pick<Point, 'gained' | 'now'>): void;
}

/** A side to use until `back` is called, which frees its memory if nobody else uses it. */
export interface Lent {
  table: Table;
  back(): void;
}

/** Maximum number of points of the lines, and of steps of one governor. */
export const MOST_POINTS = 48;
export const MOST_STEPS = 24;

/** With more governors than this on both sides, the whole data is streamed instead of cached. */
export const STREAMED_FROM = 30_000;

const besides = (core: readonly string[], more: readonly string[]): WantedColumns => ({
  core,
  more: more.filter((key) => !core.includes(key)),
});

const figuresFor = ({ game, weights }: EventPlan, more: readonly string[] = []): WantedColumns =>
  besides(coreKeys(game, weights), more);

/** Loads and compares two snapshots of an event. */
export async function warBetween(
  plan: EventPlan,
  sides: Sides,
  range: SnapshotRange,
  more: readonly string[] = [],
): Promise<EventWar> {
  const figures = figuresFor(plan, more);
  // Loads the sides in sequence, because a side is the largest object in memory.
  const from = await sides.side(range.start, figures, true);
  return warOver(plan, sides, range, from, await sides.side(range.end, figures, true));
}

/** The same if a governor is in both snapshots, otherwise null: to look for them costs far less than to compare. */
export async function warWith(
  plan: EventPlan,
  sides: Sides,
  range: SnapshotRange,
  id: number,
): Promise<EventWar | null> {
  const figures = figuresFor(plan);
  const from = await sides.side(range.start, figures, true);
  if (rowOfGovernor(from, id) < 0) return null;
  const to = await sides.side(range.end, figures, true);
  return rowOfGovernor(to, id) < 0 ? null : warOver(plan, sides, range, from, to);
}

function warOver(plan: EventPlan, sides: Sides, range: SnapshotRange, from: Table, to: Table): EventWar {
  const war = eventWar(plan, from, to, unmeasuredIn(sides, range));
  shareNames(war.compared);
  return war;
}

/** Returns kingdoms that have the same scan at both ends of a range, so that nothing was measured in between. */
function unmeasuredIn(sides: Sides, { start, end }: SnapshotRange): Set<number> {
  if (start === end) return new Set();
  const keys = new Map(sides.parts(start).map(({ kingdom_id, key }) => [kingdom_id, key]));
  const same = sides.parts(end).filter(({ kingdom_id, key }) => keys.get(kingdom_id) === key);
  return new Set(same.map(({ kingdom_id }) => kingdom_id));
}

/**
 * Lets both sides share one string per unchanged name. Separate ones would take as much memory as all figures of a
 * side.
 */
function shareNames({ game, from, to, rows }: EventWar['compared']): void {
  const { name } = GAMES[game].roles;
  const [before, after] = [textsOf(from, name), textsOf(to, name)];
  for (let pair = 0; pair < rows.common; pair++) {
    const [row, place] = [rows.from[pair] as number, rows.to[pair] as number];
    if (before[row] === after[place]) after[place] = before[row] ?? null;
  }
}

/** Computes a point of the lines, reusing what is cached. `last`: the newest point, whose columns other answers need too. */
export async function pointAt(
  plan: EventPlan,
  sides: Sides,
  range: SnapshotRange,
  metrics: readonly string[],
  last: boolean,
): Promise<Point> {
  const point: Point = { ts: range.end, gained: {}, now: {} };
  const missing: string[] = [];
  for (const metric of metrics) {
    const kept = sides.keptPoint(range, metric);
    if (!kept) missing.push(metric);
    else {
      Object.assign(point.gained, kept.gained);
      Object.assign(point.now, kept.now);
    }
  }
  if (missing.length === 0) return point;
  const drawn = missing.filter((metric) => metric !== DKP);
  const figures = figuresFor(plan, drawn);
  const from = await sides.lend(range.start, figures, true);
  // Times in between need only the columns that their point is computed from.
  const whole = last || range.end === range.start;
  const to = await sides.lend(range.end, whole ? figures : besides(scoreKeys(plan.game, plan), drawn), last);
  const war = eventWar(plan, from.table, to.table, unmeasuredIn(sides, range));
  const made = makePoint(war, range.end, missing);
  endWar(war);
  from.back();
  to.back();
  for (const metric of missing) {
    const of = (part: Point['gained']) => (part[metric] ? { [metric]: part[metric] } : {});
    sides.keepPoint(range, metric, { gained: of(made.gained), now: of(made.now) });
  }
  Object.assign(point.gained, made.gained);
  Object.assign(point.now, made.now);
  return point;
}

async function pointsOf(
  plan: EventPlan,
  sides: Sides,
  moments: readonly number[],
  range: SnapshotRange,
  metrics: readonly string[],
): Promise<Point[]> {
  const points: Point[] = [];
  const drawn = pointsBetween(moments, { ...range, most: MOST_POINTS, marked: Object.values(plan.dates) });
  for (const ts of drawn)
    points.push(await pointAt(plan, sides, { start: range.start, end: ts }, metrics, ts === range.end));
  return points;
}

/** Returns the first screen. `moments` are the times of all public snapshots. */
export async function answerBoard(
  plan: EventPlan,
  sides: Sides,
  moments: readonly number[],
  range: SnapshotRange,
): Promise<EventBoard> {
  const line = campLine(plan, await pointsOf(plan, sides, moments, range, [DKP]));
  const missing = [...sides.parts(range.start), ...(range.end > range.start ? sides.parts(range.end) : [])]
    .filter(({ stands_in }) => stands_in)
    .map(({ kingdom_id, captured_at }) => ({ kingdom: kingdom_id, captured_at }));
  const war = await warBetween(plan, sides, range);
  const board = makeBoard(war, range, line, missing);
  endWar(war);
  return board;
}

/** Yields the chunks, then frees the war. */
function* toTheEnd(war: EventWar, pieces: Pieces): Pieces {
  try {
    yield* pieces;
  } finally {
    endWar(war);
  }
}

/** Yields the individual table as columns. The caller may change each chunk. */
export async function answerTable(plan: EventPlan, sides: Sides, range: SnapshotRange): Promise<Pieces> {
  const war = await warBetween(plan, sides, range);
  const { kingdoms, campOf: camp_of, compared } = war;
  const { common, joined, gone } = compared.rows;
  const camps = plan.camps.map(({ name }) => name);
  const table = {
    head: (tags: readonly string[]) => ({ range, kingdoms, camp_of, camps, tags, common, joined, gone }),
    now: shownKeys(plan.game),
    nowRows: common + joined + gone,
  };
  return toTheEnd(war, tablePieces(war, table));
}

/** Returns the lines of camps and kingdoms. */
export async function answerLines(
  plan: EventPlan,
  sides: Sides,
  moments: readonly number[],
  range: SnapshotRange,
  metrics: readonly string[],
): Promise<EventLines> {
  return makeLines(plan, await pointsOf(plan, sides, moments, range, metrics), metrics);
}

/** Bytes of both sides' columns that are read at a time to sum every figure. */
const BATCH_BYTES = 8 * 1024 * 1024;

/** Returns the figures besides the core ones, in batches that fit into memory. */
function batchesOf(plan: EventPlan, rows: number): string[][] {
  const core = new Set(coreKeys(plan.game, plan.weights));
  const others = figuresOf(plan.game).flatMap(({ key }) => (core.has(key) ? [] : [key]));
  const at = Math.max(1, Math.floor(BATCH_BYTES / (8 * Math.max(1, rows))));
  return Array.from({ length: Math.ceil(others.length / at) }, (_, batch) =>
    others.slice(batch * at, (batch + 1) * at),
  );
}

/** Sums every figure by kingdom. Figures in `batches`, which the war lacks, are read batch by batch. */
async function wholeSums(
  plan: EventPlan,
  sides: Sides,
  range: SnapshotRange,
  war: EventWar,
  batches: readonly string[][],
): Promise<WholeSums> {
  const { from, to } = war.compared;
  const later = new Set(batches.flat());
  const here = figuresOf(plan.game).flatMap(({ key }) => (later.has(key) ? [] : [key]));
  const sums = groupSums(war, here);
  const states = statesOf(to, war.end, war.kingdoms.length, here);
  const { kingdom, id } = GAMES[plan.game].roles;
  for (const batch of batches) {
    const columns = { core: [id, kingdom], more: batch };
    const [before, after] = [
      await sides.lend(range.start, columns, false),
      await sides.lend(range.end, columns, false),
    ];
    const difference = { ...war.difference, from: withColumns(from, before.table), to: withColumns(to, after.table) };
    const compared = comparedOver([difference]);
    groupSums({ ...war, compared }, batch).forEach((sum, key) => {
      for (const field of ['gains', 'raw', 'doubted'] as const) Object.assign(sums[key]?.[field] ?? {}, sum[field]);
    });
    statesOf(after.table, war.end, war.kingdoms.length, batch).forEach((state, key) => {
      for (const field of ['figures', 'doubted'] as const) Object.assign(states[key]?.[field] ?? {}, state[field]);
    });
    release(compared.memoryOfGains());
    before.back();
    after.back();
  }
  return { sums, states };
}

/** Returns the same rows with more columns. Sides always have the same order. */
const withColumns = (table: Table, more: Table): Table => ({
  ...table,
  numbers: { ...table.numbers, ...more.numbers },
});

/** Yields the specification's data call. The caller may change each chunk. */
export async function answerData(plan: EventPlan, sides: Sides, range: SnapshotRange): Promise<Pieces> {
  const rows = [range.start, range.end].flatMap((ts) => sides.parts(ts)).reduce((sum, part) => sum + part.rows, 0);
  const batches = batchesOf(plan, rows);
  // Reads everything in one batch if it fits.
  const [only, ...others] = batches;
  const war = await warBetween(plan, sides, range, others.length === 0 ? only : []);
  const sums = await wholeSums(plan, sides, range, war, others.length === 0 ? [] : batches);
  return toTheEnd(war, dataChunks(war, range, sums));
}

/**
 * Returns the parts that may contain a governor at a time: those of the kingdoms in which they are known to have been.
 */
const partsWith = (sides: Sides, ts: number, kingdoms: ReadonlySet<number>) =>
  storedParts(sides.parts(ts), ts).filter(({ kingdom_id }) => kingdoms.has(kingdom_id));

/** Returns a governor's row in a table, or -1. */
export const rowOfGovernor = (table: Table, id: number): number =>
  numbersOf(table, GAMES[table.game].roles.id).indexOf(id);

/**
 * Explains a governor's score; null if neither end has them. `moments` are the times of all public snapshots. `read`
 * reads the core columns of some parts as one side.
 */
export async function answerGovernor(
  plan: EventPlan,
  sides: Sides,
  moments: readonly number[],
  range: SnapshotRange,
  id: number,
  read: (parts: readonly StoredPart[], columns: WantedColumns) => Promise<Table>,
): Promise<EventGovernor | null> {
  const war = await warBetween(plan, sides, range);
  const { from, to, seasons, rows } = war.compared;
  const [before, after] = [rowOfGovernor(from, id), rowOfGovernor(to, id)];
  if (before < 0 && after < 0) return null;
  const { kingdom } = GAMES[plan.game].roles;
  const kingdoms = new Set(
    [
      before >= 0 ? from.numbers[kingdom]?.[before] : undefined,
      after >= 0 ? to.numbers[kingdom]?.[after] : undefined,
    ].filter((value) => value !== undefined),
  );
  // Gains over the whole range know only the seasons of the kingdom at the start.
  const [home = Number.NaN] = kingdoms;
  const columns = { core: [...coreKeys(plan.game, plan.weights), ...textKeys(plan.game)], more: [] };
  const steps = pointsBetween(moments, { ...range, most: MOST_STEPS, marked: Object.values(plan.dates) });
  const readings: GovernorReading[] = [];
  for (const ts of steps) {
    const parts = partsWith(sides, ts, kingdoms);
    const table = ts === range.start ? from : ts === range.end ? to : await read(parts, columns);
    const row = rowOfGovernor(table, id);
    if (row < 0) continue;
    const here = table.numbers[kingdom]?.[row];
    const part = parts.find(({ kingdom_id }) => kingdom_id === here) ?? parts[0];
    readings.push({
      ts,
      captured_at: part?.captured_at ?? ts,
      stands_in: part?.stands_in ?? false,
      row: reorder(table, Uint32Array.of(row)),
    });
  }
  const pair = before < 0 ? -1 : rows.from.subarray(0, rows.common).indexOf(before);
  const rank = ranksOf(war.scores.dkp)[pair] || null;
  const seasonal = [...seasons].filter(([, where]) => where.has(home)).map(([key]) => key);
  return makeGovernor(plan, range, readings, rank, new Set(seasonal));
}

/** Yields the individual table as a file. Its rows are copies, so the war is freed before the first one is written. */
export async function answerFile(
  plan: EventPlan,
  sides: Sides,
  range: SnapshotRange,
  wanted: FileWanted,
): Promise<AsyncIterable<Uint8Array>> {
  const war = await warBetween(plan, sides, range);
  const pieces = warFileChunks(war, range, wanted);
  endWar(war);
  return pieces;
}
