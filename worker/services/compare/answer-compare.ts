import type * as z from 'zod';
import type { madeFrom } from '../../../domain/compare/answers.ts';
import type { People } from '../../../domain/compare/compared.ts';
import type { CompareSettings } from '../../../domain/compare/contract.ts';
import type { RosterEntry } from '../../../domain/compare/roster.ts';
import { DOUBT_TEXT, DOUBTS, type Doubt, NO_DOUBT } from '../../../domain/difference/doubts.ts';
import { targetsOf } from '../../../domain/difference/goals.ts';
import { orderOf } from '../../../domain/scans/order.ts';
import type { KeptScan } from '../../models/library/scans.ts';
import type { Loaded, MadeRange } from './load-ranges.ts';
import { goalKey, goalPercents } from './report-table.ts';
import { flat, kingdomName, kingdomSums, kingdomsOf, listed, orNull, type Scored, sumOfAll } from './score.ts';

/** Comparisons as calls answer them. */

export type MadeFrom = z.infer<typeof madeFrom>;

const scanOf = ({ scan_id, kingdom_id, captured_at, range_from, rows, source, name }: KeptScan): MadeFrom => ({
  scan_id,
  kingdom_id,
  captured_at,
  range_from,
  rows,
  source,
  name,
});

/** From which scans a comparison is made. */
export const madeFromScans = (ranges: readonly MadeRange[]) =>
  ranges.map(({ from, to }) => ({ from: from.map(scanOf), to: to.map(scanOf) }));

/** What is doubtful about a governor's gains: the reasons, each with the figures that it is about. */
export function doubtsAt(
  { compared, keys }: Scored,
  row: number,
): { figures: string[]; reason: Doubt; text: string }[] {
  return DOUBTS.flatMap((reason, place) => {
    const figures = keys.filter((key) => compared.gains(key)?.doubts[row] === place + 1);
    return figures.length > 0 ? [{ figures, reason, text: DOUBT_TEXT[reason] }] : [];
  });
}

/** Percents of the goals by the keys of their columns. */
type Reached = readonly (readonly [key: string, percents: Float64Array])[];

function playerAt(scored: Scored, reached: Reached, row: number) {
  const { compared, scores, rolled, scoring, keys } = scored;
  const { names, tags, kingdoms, kingdomsNow, powers, renamedFrom } = compared.common;
  const doubt = doubtsAt(scored, row);
  const [kingdom, now] = [kingdomName(kingdoms[row]), kingdomName(kingdomsNow[row])];
  const renamed = renamedFrom[row] ?? null;
  return {
    ...Object.fromEntries(keys.map((key) => [key, orNull(compared.gains(key)?.raw[row])])),
    name: names[row] ?? '',
    alliance_tag: tags[row] ?? null,
    kingdom,
    power: orNull(powers[row]),
    dkp: orNull(scores.dkp[row]),
    dkp_raw: orNull(scores.raw[row]),
    ...(scoring.farms === null ? {} : { dkp_rolled: orNull(rolled.scores[row]) }),
    ...Object.fromEntries(reached.map(([key, percents]) => [key, orNull(percents[row])])),
    ...(rolled.apart[row] ? { apart: true as const } : {}),
    ...(doubt.length > 0 ? { doubt } : {}),
    ...(renamed === null ? {} : { renamed_from: renamed }),
    ...(now !== kingdom && now !== '' ? { moved_to: now } : {}),
  };
}

/** So many governors are written at a time. */
const AT_ONCE = 500;

/** The envelope with a comparison, piece by piece: a hundred thousand governors are never one text. */
export function* comparedPieces(
  { game, ranges }: Loaded,
  scored: Scored,
  goals: CompareSettings['goals'],
): Generator<string, void, undefined> {
  const { compared, scoring, scores } = scored;
  const { common, joined, gone } = compared;
  const kingdoms = kingdomsOf(compared);
  const sums = kingdomSums(scored, kingdoms);
  const head = {
    game,
    ranges: madeFromScans(ranges),
    weights: scoring.weights,
    power_off: scoring.power_off,
    goals,
    zeroed: scoring.zeroed,
    common: common.ids.length,
    joined: joined.ids.length,
    gone: gone.ids.length,
    unseen: compared.unseen,
    all: flat(sumOfAll(scored)),
    kingdoms: Object.fromEntries(kingdoms.map((kingdom, index) => [kingdom, flat(sums[index] as never)])),
    joined_players: listed(joined),
    gone_players: listed(gone),
    seasons: compared.seasons,
  };
  yield `{"success":1,"data":${JSON.stringify(head).slice(0, -1)},"players":{`;
  const order = orderOf(scores.dkp);
  const reached = targetsOf(goals).map((target) => [goalKey(target), goalPercents(scored, goals, target)] as const);
  for (let from = 0; from < order.length; from += AT_ONCE) {
    const rows = order.subarray(from, from + AT_ONCE);
    const players = Array.from(rows, (row) => `"${common.ids[row]}":${JSON.stringify(playerAt(scored, reached, row))}`);
    yield `${from > 0 ? ',' : ''}${players.join(',')}`;
  }
  yield '}}}';
}

/** Rows of a column that are written at a time. */
const ROWS_AT_ONCE = 5000;

/** A column of the table as JSON, without ever being a list of its own; `told` is what stands for a value. */
function* columnPieces<Value>(
  key: string,
  parts: readonly ArrayLike<Value>[],
  told: (value: Value) => unknown,
): Generator<string, void, undefined> {
  let before = `"${key}":[`;
  for (const part of parts)
    for (let from = 0; from < part.length; from += ROWS_AT_ONCE) {
      const length = Math.min(ROWS_AT_ONCE, part.length - from);
      const rows = Array.from({ length }, (_, row) => told(part[from + row] as Value));
      yield before + JSON.stringify(rows).slice(1, -1);
      before = ',';
    }
  yield before === ',' ? ']' : `${before}]`;
}

/** Columns by their keys as a JSON object. */
function* columnsByKey(
  keys: readonly string[],
  columnOf: (key: string) => ArrayLike<number> | null | undefined,
): Generator<string, void, undefined> {
  yield '{';
  for (const [place, key] of keys.entries()) {
    if (place > 0) yield ',';
    yield* columnPieces(key, [columnOf(key) ?? []], orNull);
  }
  yield '}';
}

/** The envelope with a comparison as columns, for a page that searches, sorts and scores by itself, piece by piece. */
export function* tablePieces(
  { game, ranges }: Loaded,
  scored: Scored,
  roster: readonly RosterEntry[],
): Generator<string, void, undefined> {
  const { compared, keys } = scored;
  const { common, joined, gone } = compared;
  const sides = [common, joined, gone];
  const kingdoms = kingdomsOf(compared);
  const placeOfKingdom = new Map(kingdoms.map((kingdom, place) => [kingdom, place]));
  const kingdomAt = (kingdom: number) => placeOfKingdom.get(kingdom) ?? -1;
  const tags = new Map<string, number>();
  const tagAt = (tag: string | null): number => {
    if (tag === null) return -1;
    const place = tags.get(tag) ?? tags.size;
    tags.set(tag, place);
    return place;
  };
  const head = {
    game,
    ranges: madeFromScans(ranges),
    kingdoms: kingdoms.map(String),
    common: common.ids.length,
    joined: joined.ids.length,
    gone: gone.ids.length,
    unseen: compared.unseen,
    seasons: compared.seasons,
    roster,
  };
  yield `{"success":1,"data":${JSON.stringify(head).slice(0, -1)},`;
  const all = <Value>(of: (side: People) => ArrayLike<Value>) => sides.map(of);
  yield* columnPieces(
    'id',
    all(({ ids }) => ids),
    Number,
  );
  yield ',';
  yield* columnPieces(
    'name',
    all(({ names }) => names),
    (name) => name ?? '',
  );
  yield ',';
  yield* columnPieces(
    'tag',
    all((side) => side.tags),
    tagAt,
  );
  yield `,"tags":${JSON.stringify([...tags.keys()])},`;
  yield* columnPieces(
    'kingdom',
    all((side) => side.kingdoms),
    kingdomAt,
  );
  yield ',';
  // Who is gone is in none.
  const nowhere = new Float64Array(gone.ids.length).fill(Number.NaN);
  yield* columnPieces('kingdom_now', [common.kingdomsNow, joined.kingdomsNow, nowhere], kingdomAt);
  yield ',';
  yield* columnPieces(
    'power',
    all(({ powers }) => powers),
    orNull,
  );
  yield ',"now":';
  yield* columnsByKey(keys, (key) => compared.now(key));
  yield ',"gains":';
  yield* columnsByKey(keys, (key) => compared.gains(key)?.raw);
  const doubts = keys.flatMap((key) => {
    const rows = doubtedRows(compared.gains(key)?.doubts ?? new Uint8Array(0));
    return Object.keys(rows).length > 0 ? [[key, rows] as const] : [];
  });
  const renamed = common.renamedFrom.flatMap((name, row) => (name === null ? [] : [[String(row), name] as const]));
  yield `,"doubts":${JSON.stringify(Object.fromEntries(doubts))}`;
  yield `,"renamed":${JSON.stringify(Object.fromEntries(renamed))}}}`;
}

function doubtedRows(doubts: Uint8Array): Record<string, number[]> {
  const rows: Record<string, number[]> = {};
  for (let row = 0; row < doubts.length; row++) {
    const doubt = doubts[row] as number;
    const reason = DOUBTS[doubt - 1];
    if (doubt === NO_DOUBT || reason === undefined) continue;
    rows[reason] ??= [];
    rows[reason].push(row);
  }
  return rows;
}
