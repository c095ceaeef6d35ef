import { DOUBT_TEXT, DOUBTS, type Doubt, NO_DOUBT } from '../../../domain/difference/doubts.ts';
import { goneRows, isRenamed } from '../../../domain/difference/people.ts';
import { goalOf } from '../../../domain/difference/scoring.ts';
import type { GroupGains } from '../../../domain/difference/sums.ts';
import { gainKeys, rowColumns } from '../../../domain/events/columns.ts';
import { type Column, GAMES } from '../../../domain/games/games.ts';
import { orderOf } from '../../../domain/scans/order.ts';
import { cellOf, numbersOf, textsOf } from '../../../domain/scans/rows.ts';
import { Bytes, Phrase } from '../../files/bytes.ts';
import { jsonRows } from '../../files/json.ts';
import { campStates, campSums, type GroupState, type War } from './war.ts';

/** The whole answer of the specification's data call, as bytes: rows and differences of every governor. */

/** From when to when. */
export interface Range {
  start: number;
  end: number;
}

/** What kingdoms gained and are, of every figure. */
export interface WholeSums {
  sums: readonly GroupGains[];
  states: readonly GroupState[];
}

/** An answer is handed on in pieces of about this. */
export const CHUNK_BYTES = 256 * 1024;

/** The pieces of the envelope with the data, one after the other. */
export function* dataChunks(
  war: War,
  range: Range,
  whole: WholeSums,
): Generator<Uint8Array<ArrayBuffer>, void, undefined> {
  const out = new Bytes(CHUNK_BYTES + 64 * 1024);
  out.text(`{"success":1,"data":{"range":${JSON.stringify(range)},"data":{"players":[`);
  yield* rowsOf(out, war);
  out.text(`\n],"camps":${JSON.stringify(campsOf(war, whole))},"kingdoms":${JSON.stringify(kingdomsOf(war, whole))}},`);
  out.text('"diffs":{"players":{');
  yield* differencesOf(out, war);
  out.text(
    `\n},"camps":${JSON.stringify(campDifferences(war, whole))},"kingdoms":${JSON.stringify(kingdomDifferences(war, whole))},`,
  );
  const { seasons } = war.difference;
  out.text(`"joined":${JSON.stringify(joinedIds(war))},"gone":${JSON.stringify(goneOf(war))},`);
  out.text(
    `"seasons":${JSON.stringify(Object.fromEntries([...seasons].map(([key, kingdoms]) => [key, [...kingdoms]])))}}}}`,
  );
  yield out.take();
}

/** The key of each row of `to`, by which a governor counts: that of the start, of the end for those who joined. */
export function keysAtEnd({ difference, start, end }: War): Int32Array {
  const keys = end.slice();
  difference.partner.forEach((place, row) => {
    if (place >= 0) keys[place] = start[row] as number;
  });
  return keys;
}

/** Rows of `to` by DKP, greatest first, those whose score is unknown after them; without those of no key. */
export function rankedRows(war: War): Uint32Array {
  const { difference, scores } = war;
  const dkp = new Float64Array(difference.to.count).fill(Number.NaN);
  difference.partner.forEach((place, row) => {
    if (place >= 0) dkp[place] = scores.dkp[row] as number;
  });
  const keys = keysAtEnd(war);
  return orderOf(dkp).filter((row) => (keys[row] as number) >= 0);
}

function* rowsOf(out: Bytes, war: War): Generator<Uint8Array<ArrayBuffer>, void, undefined> {
  const { to } = war.difference;
  const write = jsonRows(rowColumns(to.game))(to);
  let number = 0;
  for (const row of rankedRows(war)) {
    write(out, row, number++);
    if (out.length > CHUNK_BYTES) yield out.take();
  }
}

/** Each governor's gains under his id. */
function* differencesOf(out: Bytes, war: War): Generator<Uint8Array<ArrayBuffer>, void, undefined> {
  const { difference, start } = war;
  const write = differenceWriter(out, war);
  let first = true;
  for (let row = 0; row < difference.from.count; row++) {
    if ((difference.partner[row] as number) < 0 || (start[row] as number) < 0) continue;
    out.phrase(first ? FIRST_KEY : NEXT_KEY);
    first = false;
    write(row);
    if (out.length > CHUNK_BYTES) yield out.take();
  }
}

const FIRST_KEY = new Phrase('\n"');
const NEXT_KEY = new Phrase(',\n"');
const [DKP_NAME, RAW_NAME] = [new Phrase(',"dkp":'), new Phrase(',"dkp_raw":')];
const END = 0x7d;

/** Writes the id of a governor in both and what he gained. */
function differenceWriter(out: Bytes, war: War): (row: number) => void {
  const { difference, scores, plan, keys, start } = war;
  const { from, to, partner } = difference;
  const { roles } = GAMES[plan.game];
  const ids = numbersOf(from, roles.id);
  const powers = numbersOf(from, roles.power);
  const gained = gainKeys(plan.game, plan.weights).flatMap((key) => {
    const gains = war.gains(key);
    return gains ? [{ key, name: new Phrase(`,"${key}":`), ...gains }] : [];
  });
  const kingdoms = keys.map((key) => new Phrase(`":{"kingdom":${JSON.stringify(key)}`));
  const [before, after] = [textsOf(from, roles.name), textsOf(to, roles.name)];
  return (row) => {
    const place = partner[row] as number;
    const key = start[row] as number;
    out.numberAt(ids, row);
    out.phrase(kingdoms[key] as Phrase);
    let doubted = false;
    for (let index = 0; index < gained.length; index++) {
      const { name, raw, doubts } = gained[index] as (typeof gained)[number];
      out.phrase(name);
      out.figureAt(raw, row);
      if (doubts[row] !== NO_DOUBT) doubted = true;
    }
    out.phrase(DKP_NAME);
    out.figureAt(scores.dkp, row);
    out.phrase(RAW_NAME);
    out.figureAt(scores.raw, row);
    if (doubted) out.text(`,"doubt":${JSON.stringify(doubtsAt(gained, row))}`);
    if (plan.goals.length > 0) out.text(`,"goal":${JSON.stringify(goalAt(war, powers, row))}`);
    const name = before[row];
    if (isRenamed(name, after[place])) out.text(`,"renamed_from":${JSON.stringify(name)}`);
    const now = war.end[place] as number;
    if (now !== key)
      out.text(`,"moved_to":${JSON.stringify(keys[now] ?? String(numbersOf(to, roles.kingdom)[place]))}`);
    out.byte(END);
  };
}

/** What is doubtful about a governor's gains: the reasons, each with the figures that it is about. */
export function doubtsAt(
  gained: readonly { key: string; doubts: Uint8Array }[],
  row: number,
): { figures: string[]; reason: Doubt; text: string }[] {
  return DOUBTS.flatMap((reason, place) => {
    const figures = gained.filter(({ doubts }) => doubts[row] === place + 1).map(({ key }) => key);
    return figures.length > 0 ? [{ figures, reason, text: DOUBT_TEXT[reason] }] : [];
  });
}

/** Percent of the DKP that is expected of his power at the start; null where nothing is, or the score is unknown. */
export function goalAt({ plan, scores }: War, powers: Float64Array, row: number): number | null {
  const goal = goalOf(plan.goals, powers[row] as number)?.dkp;
  const dkp = scores.dkp[row] as number;
  return goal && !Number.isNaN(dkp) ? Math.round((1000 * dkp) / goal) / 10 : null;
}

function joinedIds({ difference, end }: War): number[] {
  const { to, joined } = difference;
  const ids = numbersOf(to, GAMES[to.game].roles.id);
  return [...joined].filter((row) => (end[row] as number) >= 0).map((row) => ids[row] as number);
}

function goneOf({ difference, start }: War): Record<string, string | number | null>[] {
  const { from } = difference;
  const columns = rowColumns(from.game).filter(({ key }: Column) => from.numbers[key] ?? from.texts[key]);
  return goneRows(difference)
    .filter((row) => (start[row] as number) >= 0)
    .map((row) => Object.fromEntries(columns.map((column) => [column.key, cellOf(from, column, row)])));
}

const byName = <Value>(names: readonly string[], of: (index: number) => Value): Record<string, Value> =>
  Object.fromEntries(names.map((name, index) => [name, of(index)]));

const campNames = ({ plan }: War): string[] => plan.camps.map(({ name }) => name);

function campsOf(war: War, { states }: WholeSums) {
  const camps = campStates(states, war.campOf, war.plan.camps.length);
  return byName(campNames(war), (camp) => ({
    kingdoms: war.plan.camps[camp]?.kingdoms ?? [],
    governors: camps[camp]?.governors ?? 0,
    ...camps[camp]?.figures,
    doubted: camps[camp]?.doubted ?? {},
  }));
}

const kingdomsOf = (war: War, { states }: WholeSums) =>
  byName(war.keys, (key) => ({
    camp: war.plan.camps[war.campOf[key] as number]?.name ?? '',
    governors: states[key]?.governors ?? 0,
    ...states[key]?.figures,
    doubted: states[key]?.doubted ?? {},
  }));

/** A group's difference as the calls answer it: the guarded gains by their columns' keys, and the rest beside them. */
const flat = ({ gains, ...rest }: GroupGains) => ({ ...gains, ...rest });

const campDifferences = (war: War, { sums }: WholeSums) => {
  const camps = campSums(sums, war.campOf, war.plan.camps.length);
  return byName(campNames(war), (camp) => flat(camps[camp] as GroupGains));
};

const kingdomDifferences = (war: War, { sums }: WholeSums) => byName(war.keys, (key) => flat(sums[key] as GroupGains));
