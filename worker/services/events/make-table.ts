import { DOUBTS, NO_DOUBT } from '../../../domain/difference/doubts.ts';
import { GONE } from '../../../domain/difference/pairs.ts';
import { renamedRows } from '../../../domain/difference/people.ts';
import { gainKeys, shownKeys } from '../../../domain/events/columns.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { type Numbers, numbersOf, textsOf } from '../../../domain/scans/rows.ts';
import { Bytes } from '../../files/bytes.ts';
import type { War } from './war.ts';
import { CHUNK_BYTES, type Range } from './write-data.ts';

/** The individual table as columns (`eventTable`), written as bytes: a hundred thousand rows as objects fill an isolate. */

/** The governors of an event in the table's order, those in both, who joined, who is gone: rows of each side, -1 for none. */
interface Places {
  from: Int32Array;
  to: Int32Array;
  common: number;
  joined: number;
  gone: number;
}

function placesOf({ difference, start, end }: War): Places {
  const { partner, joined: strangers } = difference;
  const [from, to] = [0, 1].map(() => new Int32Array(partner.length + strangers.length)) as [Int32Array, Int32Array];
  let count = 0;
  const add = (before: number, after: number) => {
    from[count] = before;
    to[count++] = after;
  };
  const ofEvent = (row: number) => (start[row] as number) >= 0;
  partner.forEach((place, row) => {
    if (place >= 0 && ofEvent(row)) add(row, place);
  });
  const common = count;
  for (const row of strangers) if ((end[row] as number) >= 0) add(-1, row);
  const joined = count - common;
  partner.forEach((place, row) => {
    if (place === GONE && ofEvent(row)) add(row, -1);
  });
  return {
    from: from.subarray(0, count),
    to: to.subarray(0, count),
    common,
    joined,
    gone: count - common - joined,
  };
}

type Pieces = Generator<Uint8Array<ArrayBuffer>, void, undefined>;

const COMMA = 0x2c;

/** Writes `"name":[…]` of `count` rows. */
function* column(out: Bytes, name: string, count: number, write: (row: number) => void): Pieces {
  out.text(`${JSON.stringify(name)}:[`);
  for (let row = 0; row < count; row++) {
    if (row > 0) out.byte(COMMA);
    write(row);
    if (out.length > CHUNK_BYTES) yield out.take();
  }
  out.text(']');
}

/** Writes columns between braces. */
function* columns(
  out: Bytes,
  keys: readonly string[],
  count: number,
  writer: (key: string) => (row: number) => void,
): Pieces {
  for (const [index, key] of keys.entries()) {
    out.text(index === 0 ? '{' : ',');
    yield* column(out, key, count, writer(key));
  }
  out.text(keys.length === 0 ? '{}' : '}');
}

/** The pieces of the envelope with the table, one after the other. */
export function* tableChunks(war: War, range: Range): Pieces {
  const { difference, plan, keys, campOf, start, end } = war;
  const { from, to } = difference;
  const { roles } = GAMES[plan.game];
  const places = placesOf(war);
  const { common, joined, gone } = places;
  const count = places.to.length;
  const out = new Bytes(CHUNK_BYTES + 64 * 1024);
  /** A figure at the end, of the start for those who are gone. */
  const latest = (after: Numbers | undefined, before: Numbers | undefined) => (row: number) => {
    const place = places.to[row] as number;
    if (place >= 0) out.figureAt(after, place);
    else out.figureAt(before, places.from[row] as number);
  };
  /** A figure at the start, of the end for those who joined. */
  const earliest = (before: Numbers | undefined, after: Numbers | undefined) => (row: number) => {
    const place = places.from[row] as number;
    if (place >= 0) out.figureAt(before, place);
    else out.figureAt(after, places.to[row] as number);
  };
  const latestText = (key: string) => {
    const [before, after] = [textsOf(from, key), textsOf(to, key)];
    return (row: number): string | null =>
      ((places.to[row] as number) >= 0 ? after[places.to[row] as number] : before[places.from[row] as number]) ?? null;
  };
  const [names, tagOf] = [latestText(roles.name), latestText(roles.tag)];
  const { tags, tagAt } = numbered(count, tagOf);
  const head = { range, kingdoms: keys, camp_of: campOf, camps: plan.camps.map(({ name }) => name), tags };
  const whole: Record<string, (row: number) => void> = {
    id: latest(numbersOf(to, roles.id), numbersOf(from, roles.id)),
    name: (row) => out.quoted(names(row) ?? ''),
    tag: (row) => out.number(tagAt[row] as number),
    kingdom: (row) => {
      const place = places.from[row] as number;
      out.number((place >= 0 ? start[place] : end[places.to[row] as number]) as number);
    },
    kingdom_now: (row) => {
      const place = places.to[row] as number;
      out.number(place >= 0 ? (end[place] as number) : -1);
    },
    power: earliest(from.numbers[roles.power], to.numbers[roles.power]),
  };
  out.text(`{"success":1,"data":${JSON.stringify({ ...head, common, joined, gone }).slice(0, -1)}`);
  for (const [name, write] of Object.entries(whole)) {
    out.text(',');
    yield* column(out, name, count, write);
  }
  out.text(',"now":');
  yield* columns(out, shownKeys(plan.game), count, (key) => latest(to.numbers[key], from.numbers[key]));
  const gained = gainKeys(plan.game, plan.weights).filter((key) => war.gains(key));
  out.text(',"gains":');
  yield* columns(out, gained, common, (key) => {
    const raw = war.gains(key)?.raw;
    return (row) => out.figureAt(raw, places.from[row] as number);
  });
  const doubts = gained.flatMap((key) => {
    const about = doubtedRows(war.gains(key)?.doubts ?? new Uint8Array(), places);
    return Object.keys(about).length > 0 ? [[key, about] as const] : [];
  });
  out.text(`,"doubts":${JSON.stringify(Object.fromEntries(doubts))}`);
  out.text(`,"renamed":${JSON.stringify(renamedOf(war, places))}}}`);
  yield out.take();
}

/** Texts as numbers into a list of them; -1 where a row has none. */
function numbered(count: number, textAt: (row: number) => string | null): { tags: string[]; tagAt: Int32Array } {
  const numbers = new Map<string, number>();
  const tagAt = new Int32Array(count).fill(-1);
  for (let row = 0; row < count; row++) {
    const text = textAt(row);
    if (text === null) continue;
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    tagAt[row] = number;
  }
  return { tags: [...numbers.keys()], tagAt };
}

/** By the reason of the doubt the rows of the table that it is about. */
function doubtedRows(doubts: Uint8Array, { from, common }: Places): Record<string, number[]> {
  const about: Record<string, number[]> = {};
  for (let row = 0; row < common; row++) {
    const doubt = doubts[from[row] as number] as number;
    if (doubt === NO_DOUBT) continue;
    const reason = DOUBTS[doubt - 1] as string;
    about[reason] ??= [];
    about[reason].push(row);
  }
  return about;
}

/** Rows of the table to the names at the start, where they are others now. */
function renamedOf({ difference }: War, { from: rows, common }: Places): Record<string, string> {
  const { from } = difference;
  const names = textsOf(from, GAMES[from.game].roles.name);
  const renamed = new Set(renamedRows(difference));
  const found: Record<string, string> = {};
  for (let row = 0; row < common; row++) {
    const place = rows[row] as number;
    if (renamed.has(place)) found[row] = names[place] ?? '';
  }
  return found;
}
