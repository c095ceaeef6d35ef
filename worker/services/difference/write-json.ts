import { DOUBTS, NO_DOUBT } from '../../../domain/difference/doubts.ts';
import { renamedRows } from '../../../domain/difference/pairs.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { type Numbers, numbersOf, textsOf } from '../../../domain/scans/rows.ts';
import { Bytes, Phrase } from '../../files/bytes.ts';
import { type Comparison, doubtsAt, gainsOfAll, homesOf, namesOf } from './comparison.ts';

/** Writes comparisons as JSON bytes, because 100,000 governors as objects or as one string fill an isolate. */

export type Pieces = Generator<Uint8Array<ArrayBuffer>, void, undefined>;

/** About the size of the pieces that an answer is sent in. */
export const PIECE_BYTES = 256 * 1024;

export const newBytes = (): Bytes => new Bytes(PIECE_BYTES + 64 * 1024);

// --- Governors as objects -------------------------------------------------------------------------------------------

/** A value of a governor in both. */
export interface JsonField {
  write(out: Bytes, pair: number): void;
  /** True if a governor has the value. Without it every governor does. */
  has?(pair: number): boolean;
}

export const figures = (column: Numbers): JsonField => ({ write: (out, pair) => out.figureAt(column, pair) });
export const textField = (textOf: (pair: number) => string | null): JsonField => ({
  write: (out, pair) => {
    const text = textOf(pair);
    if (text === null) out.text('null');
    else out.quoted(text);
  },
});

/** Returns the fields of a governor that every comparison has. */
export function playerFields(comparison: Comparison) {
  const { compared, scores, gained } = comparison;
  const told = gainsOfAll(compared, gained);
  const home = homesOf(comparison);
  const { before } = namesOf(compared);
  return {
    gains: told.map(({ key, raw }): [string, JsonField] => [key, figures(raw)]),
    kingdom: textField((pair) => home(pair).kingdom),
    dkp: figures(scores.dkp),
    dkp_raw: figures(scores.raw),
    doubt: {
      has: (pair) => told.some(({ doubts }) => doubts[pair] !== NO_DOUBT),
      write: (out, pair) => out.text(JSON.stringify(doubtsAt(told, pair))),
    },
    renamed_from: { has: (pair) => before(pair) !== null, ...textField(before) },
    moved_to: {
      has: (pair) => {
        const { kingdom, now } = home(pair);
        return now !== kingdom && now !== '';
      },
      ...textField((pair) => home(pair).now),
    },
  } satisfies Record<string, JsonField | [string, JsonField][]>;
}

const END = 0x7d;

/** Writes `"id":{…}` for each governor, on lines of their own if `lines`. The first field must be without `has`. */
export function* playerObjects(
  out: Bytes,
  { compared }: Comparison,
  fields: ReadonlyMap<string, JsonField>,
  pairs: Iterable<number>,
  lines: boolean,
): Pieces {
  const { game, from, rows } = compared;
  const ids = numbersOf(from, GAMES[game].roles.id);
  const begin = lines ? '\n"' : '"';
  const [first, next] = [new Phrase(begin), new Phrase(`,${begin}`)];
  const writers = [...fields].map(([key, field], index) => ({
    name: new Phrase(`${index === 0 ? '":{' : ','}${JSON.stringify(key)}:`),
    ...field,
  }));
  let isFirst = true;
  for (const pair of pairs) {
    out.phrase(isFirst ? first : next);
    isFirst = false;
    out.numberAt(ids, rows.from[pair] as number);
    for (const { name, has, write } of writers) {
      if (has && !has(pair)) continue;
      out.phrase(name);
      write(out, pair);
    }
    out.byte(END);
    if (out.length > PIECE_BYTES) yield out.take();
  }
}

// --- Everybody as columns -------------------------------------------------------------------------------------------

const COMMA = 0x2c;

/** Writes `"name":[…]` of `count` rows. */
function* column(out: Bytes, name: string, count: number, write: (row: number) => void): Pieces {
  out.text(`${JSON.stringify(name)}:[`);
  for (let row = 0; row < count; row++) {
    if (row > 0) out.byte(COMMA);
    write(row);
    if (out.length > PIECE_BYTES) yield out.take();
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

/** The parts of a table in which events and own scans differ. */
interface TableParts {
  /** Fields before the columns. */
  head(tags: readonly string[]): Record<string, unknown>;
  /** Keys of the figures at the end. */
  now: readonly string[];
  /** The number of rows that have them: those in both, or all. */
  nowRows: number;
}

/** Writes the envelope with all governors as columns (`differenceColumns`): those in both, who joined, who are gone. */
export function* tablePieces(comparison: Comparison, { head, now, nowRows }: TableParts): Pieces {
  const { compared, start, end, gained } = comparison;
  const { game, from, to, rows } = compared;
  const { roles } = GAMES[game];
  const count = rows.from.length;
  const out = newBytes();
  /** Writes a figure of one side, or of the other for governors whom it lacks. */
  const figure = (first: 'from' | 'to', key: string) => {
    const [side, other] = first === 'to' ? [to, from] : [from, to];
    const [places, others] = first === 'to' ? [rows.to, rows.from] : [rows.from, rows.to];
    const [values, otherValues] = [side.numbers[key], other.numbers[key]];
    return (row: number) => {
      const place = places[row] as number;
      if (place >= 0) out.figureAt(values, place);
      else out.figureAt(otherValues, others[row] as number);
    };
  };
  const latestText = (key: string) => {
    const [before, after] = [textsOf(from, key), textsOf(to, key)];
    return (row: number): string | null =>
      ((rows.to[row] as number) >= 0 ? after[rows.to[row] as number] : before[rows.from[row] as number]) ?? null;
  };
  const nameOf = latestText(roles.name);
  const { tags, tagAt } = numbered(count, latestText(roles.tag));
  const whole: Record<string, (row: number) => void> = {
    id: figure('to', roles.id),
    name: (row) => out.quoted(nameOf(row) ?? ''),
    tag: (row) => out.number(tagAt[row] as number),
    kingdom: (row) => {
      const place = rows.from[row] as number;
      out.number((place >= 0 ? start[place] : end[rows.to[row] as number]) as number);
    },
    kingdom_now: (row) => {
      const place = rows.to[row] as number;
      out.number(place >= 0 ? (end[place] as number) : -1);
    },
    power: figure('from', roles.power),
  };
  out.text(`{"success":1,"data":${JSON.stringify(head(tags)).slice(0, -1)}`);
  for (const [name, write] of Object.entries(whole)) {
    out.text(',');
    yield* column(out, name, count, write);
  }
  out.text(',"now":');
  yield* columns(out, now, nowRows, (key) => figure('to', key));
  const told = gainsOfAll(compared, gained);
  out.text(',"gains":');
  yield* columns(
    out,
    told.map(({ key }) => key),
    rows.common,
    (key) => {
      const raw = compared.gains(key)?.raw;
      return (pair) => out.figureAt(raw, pair);
    },
  );
  const doubts = told.flatMap(({ key, doubts: about }) => {
    const doubted = doubtedRows(about);
    return Object.keys(doubted).length > 0 ? [[key, doubted] as const] : [];
  });
  const { before } = namesOf(compared);
  const renamed = renamedRows(compared).map((pair) => [pair, before(pair)] as const);
  out.text(`,"doubts":${JSON.stringify(Object.fromEntries(doubts))}`);
  out.text(`,"renamed":${JSON.stringify(Object.fromEntries(renamed))}}}`);
  yield out.take();
}

/** Numbers the distinct texts; -1 for rows without one. */
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

/** Lists the doubted rows by reason. */
function doubtedRows(doubts: Uint8Array): Record<string, number[]> {
  const about: Record<string, number[]> = {};
  for (let row = 0; row < doubts.length; row++) {
    const reason = DOUBTS[(doubts[row] as number) - 1];
    if (reason === undefined) continue;
    about[reason] ??= [];
    about[reason].push(row);
  }
  return about;
}
