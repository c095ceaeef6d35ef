import type { GroupGains } from '../../../domain/difference/sums.ts';
import { rowColumns } from '../../../domain/events/columns.ts';
import { type Column, GAMES } from '../../../domain/games/games.ts';
import { orderOf } from '../../../domain/scans/order.ts';
import { cellOf, type Numbers, numbersOf } from '../../../domain/scans/rows.ts';
import type { Bytes } from '../../files/bytes.ts';
import { jsonRows } from '../../files/json.ts';
import { flat, goalPercents, seasonLists } from '../difference/comparison.ts';
import {
  figures,
  type JsonField,
  newBytes,
  PIECE_BYTES,
  type Pieces,
  playerFields,
  playerObjects,
} from '../difference/write-json.ts';
import { campStates, campSums, type EventWar, type GroupState } from './war.ts';

/** The whole answer of the specification's data call, as bytes: rows and differences of every governor. */

/** From when to when. */
export interface SnapshotRange {
  start: number;
  end: number;
}

/** What kingdoms gained and are, of every figure. */
export interface WholeSums {
  sums: readonly GroupGains[];
  states: readonly GroupState[];
}

/** The pieces of the envelope with the data, one after the other. */
export function* dataChunks(war: EventWar, range: SnapshotRange, whole: WholeSums): Pieces {
  const out = newBytes();
  out.text(`{"success":1,"data":{"range":${JSON.stringify(range)},"data":{"players":[`);
  yield* rowsAtEnd(out, war);
  out.text(`\n],"camps":${JSON.stringify(campsOf(war, whole))},"kingdoms":${JSON.stringify(kingdomsOf(war, whole))}},`);
  out.text('"diffs":{"players":{');
  yield* playerObjects(out, war, differenceFields(war), Array(war.compared.rows.common).keys(), true);
  out.text(
    `\n},"camps":${JSON.stringify(campDifferences(war, whole))},"kingdoms":${JSON.stringify(kingdomDifferences(war, whole))},`,
  );
  out.text(`"joined":${JSON.stringify(joinedIds(war))},"gone":${JSON.stringify(goneOf(war))},`);
  out.text(`"seasons":${JSON.stringify(seasonLists(war.compared))}}}}`);
  yield out.take();
}

/** The event's governors at the end. */
interface AtEnd {
  /** Rows of `to` by DKP, greatest first, those whose score is unknown after them. */
  order: Uint32Array;
  /** For each row of `to` the place of its governor among those in both, or -1. */
  pairAt: Int32Array;
}

export function governorsAtEnd({ difference, scores }: EventWar): AtEnd {
  const { to, rows, unseen } = difference;
  const dkp = new Float64Array(to.count).fill(Number.NaN);
  const pairAt = new Int32Array(to.count).fill(-1);
  const isThere = new Uint8Array(to.count);
  for (let place = 0; place < rows.common + rows.joined; place++) isThere[rows.to[place] as number] = 1;
  for (const row of unseen.to) isThere[row] = 1;
  for (let pair = 0; pair < rows.common; pair++) {
    const row = rows.to[pair] as number;
    pairAt[row] = pair;
    dkp[row] = scores.dkp[pair] as number;
  }
  return { order: orderOf(dkp).filter((row) => isThere[row] === 1), pairAt };
}

function* rowsAtEnd(out: Bytes, war: EventWar): Pieces {
  const { to } = war.compared;
  const write = jsonRows(rowColumns(to.game))(to);
  let number = 0;
  for (const row of governorsAtEnd(war).order) {
    write(out, row, number++);
    if (out.length > PIECE_BYTES) yield out.take();
  }
}

/** Returns the fields of a governor's gains. */
function differenceFields(war: EventWar): Map<string, JsonField> {
  const { gains, kingdom, dkp, dkp_raw, doubt, renamed_from, moved_to } = playerFields(war);
  const goals = dkpGoals(war);
  return new Map<string, JsonField>([
    ['kingdom', kingdom],
    ...gains,
    ['dkp', dkp],
    ['dkp_raw', dkp_raw],
    ['doubt', doubt],
    ...(goals ? [['goal', figures(goals)] as const] : []),
    ['renamed_from', renamed_from],
    ['moved_to', moved_to],
  ]);
}

/** Returns the percent of the expected DKP that each governor reached, exempt ones too; null without goals. */
export const dkpGoals = (war: EventWar): Numbers | null =>
  war.goals.length > 0 ? goalPercents({ ...war, exempt: new Uint8Array(0) }, 'dkp') : null;

function joinedIds({ compared: { to, rows } }: EventWar): number[] {
  const ids = numbersOf(to, GAMES[to.game].roles.id);
  return Array.from(rows.to.subarray(rows.common, rows.common + rows.joined), (row) => ids[row] as number);
}

function goneOf({ compared: { from, rows } }: EventWar): Record<string, string | number | null>[] {
  const columns = rowColumns(from.game).filter(({ key }: Column) => from.numbers[key] ?? from.texts[key]);
  return Array.from(rows.from.subarray(rows.common + rows.joined), (row) =>
    Object.fromEntries(columns.map((column) => [column.key, cellOf(from, column, row)])),
  );
}

const byName = <Value>(names: readonly string[], of: (index: number) => Value): Record<string, Value> =>
  Object.fromEntries(names.map((name, index) => [name, of(index)]));

const campNames = ({ plan }: EventWar): string[] => plan.camps.map(({ name }) => name);

function campsOf(war: EventWar, { states }: WholeSums) {
  const camps = campStates(states, war.campOf, war.plan.camps.length);
  return byName(campNames(war), (camp) => ({
    kingdoms: war.plan.camps[camp]?.kingdoms ?? [],
    governors: camps[camp]?.governors ?? 0,
    ...camps[camp]?.figures,
    doubted: camps[camp]?.doubted ?? {},
  }));
}

const kingdomsOf = (war: EventWar, { states }: WholeSums) =>
  byName(war.kingdoms, (key) => ({
    camp: war.plan.camps[war.campOf[key] as number]?.name ?? '',
    governors: states[key]?.governors ?? 0,
    ...states[key]?.figures,
    doubted: states[key]?.doubted ?? {},
  }));

const campDifferences = (war: EventWar, { sums }: WholeSums) => {
  const camps = campSums(sums, war.campOf, war.plan.camps.length);
  return byName(campNames(war), (camp) => flat(camps[camp] as GroupGains));
};

const kingdomDifferences = (war: EventWar, { sums }: WholeSums) =>
  byName(war.kingdoms, (key) => flat(sums[key] as GroupGains));
