import type * as z from 'zod';
import type { comparedTable, madeFrom } from '../../../domain/compare/answers.ts';
import type { CompareSettings } from '../../../domain/compare/contract.ts';
import type { RosterEntry } from '../../../domain/compare/roster.ts';
import { DOUBT_TEXT, DOUBTS, type Doubt, NO_DOUBT } from '../../../domain/difference/doubts.ts';
import { orderOf } from '../../../domain/scans/order.ts';
import type { KeptScan } from '../../models/library/scans.ts';
import type { Loaded, MadeRange } from './load-ranges.ts';
import { goalReached } from './report-table.ts';
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

function playerAt(scored: Scored, goals: CompareSettings['goals'], row: number) {
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
    ...(goals.length === 0 ? {} : { goal: goalReached(scored, goals, row) }),
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
    all: flat(sumOfAll(scored)),
    kingdoms: Object.fromEntries(kingdoms.map((kingdom, index) => [kingdom, flat(sums[index] as never)])),
    joined_players: listed(joined),
    gone_players: listed(gone),
    seasons: compared.seasons,
  };
  yield `{"success":1,"data":${JSON.stringify(head).slice(0, -1)},"players":{`;
  const order = orderOf(scores.dkp);
  for (let from = 0; from < order.length; from += AT_ONCE) {
    const rows = order.subarray(from, from + AT_ONCE);
    const players = Array.from(rows, (row) => `"${common.ids[row]}":${JSON.stringify(playerAt(scored, goals, row))}`);
    yield `${from > 0 ? ',' : ''}${players.join(',')}`;
  }
  yield '}}}';
}

export type ComparedTable = z.infer<typeof comparedTable>;

/** A comparison as columns, for a page that searches, sorts and scores by itself. */
export function tableOfCompared(
  { game, ranges }: Loaded,
  scored: Scored,
  roster: readonly RosterEntry[],
): ComparedTable {
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
  const table = {
    id: sides.flatMap(({ ids }) => [...ids]),
    name: sides.flatMap(({ names }) => names.map((name) => name ?? '')),
    tag: sides.flatMap((side) => side.tags.map(tagAt)),
    kingdom: sides.flatMap((side) => Array.from(side.kingdoms, kingdomAt)),
    kingdom_now: sides.flatMap((side) =>
      side === gone ? Array.from(side.ids, () => -1) : Array.from(side.kingdomsNow, kingdomAt),
    ),
    power: sides.flatMap(({ powers }) => Array.from(powers, orNull)),
  };
  return {
    game,
    ranges: madeFromScans(ranges),
    kingdoms: kingdoms.map(String),
    tags: [...tags.keys()],
    common: common.ids.length,
    joined: joined.ids.length,
    gone: gone.ids.length,
    ...table,
    now: Object.fromEntries(keys.map((key) => [key, Array.from(compared.now(key) ?? [], orNull)])),
    gains: Object.fromEntries(keys.map((key) => [key, Array.from(compared.gains(key)?.raw ?? [], orNull)])),
    doubts: Object.fromEntries(
      keys.flatMap((key) => {
        const rows = doubtedRows(compared.gains(key)?.doubts ?? new Uint8Array(0));
        return Object.keys(rows).length > 0 ? [[key, rows]] : [];
      }),
    ),
    renamed: Object.fromEntries(
      common.renamedFrom.flatMap((name, row) => (name === null ? [] : [[String(row), name]])),
    ),
    seasons: compared.seasons,
    roster: [...roster],
  };
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
