import type { GameId } from '../../domain/games/games.ts';
import {
  emptyHistory,
  type Head,
  type History,
  headLength,
  historyBytes,
  readHead,
  readHistory,
} from '../../domain/history/history.ts';
import type { Env } from '../env.ts';

/** Packed histories of kingdoms in R2, one object each, beside the snapshots from which they are made. */

export interface HistoryName {
  game: GameId;
  kingdom_id: number;
}

/** The bucket of the histories that answers are read from; null if the setting says that tables answer. */
export type Histories = R2Bucket | null;

export const historiesOf = ({ STORE, HISTORIES }: Pick<Env, 'STORE' | 'HISTORIES'>): Histories =>
  HISTORIES === 'tables' ? null : STORE;

/** Folder of all packed histories. */
export const HISTORY_FOLDER = 'kingdom-histories/';

/** Returns the key of a kingdom's history. */
export const historyKey = ({ game, kingdom_id }: HistoryName): string =>
  `${HISTORY_FOLDER}game=${game}/kingdom=${kingdom_id}.bin`;

/** Returns a kingdom's history; null if it has none, or one of another version. */
export async function storedHistory(store: R2Bucket, name: HistoryName): Promise<History | null> {
  const object = await store.get(historyKey(name));
  return object && readHistory(new Uint8Array(await object.arrayBuffer()));
}

/** Two digests of a kingdom at once are rare, so more conflicts in a row than this are a fault. */
const ATTEMPTS = 8;

/**
 * Changes a kingdom's history: reads it, lets `change` alter it, and writes it unless another writer was faster; then
 * it starts over. Writes nothing if `change` returns false. A history of another version starts empty; then `isOther` is
 * true.
 */
export async function changeHistory(
  store: R2Bucket,
  name: HistoryName,
  change: (history: History, isOther: boolean) => Promise<boolean> | boolean,
): Promise<void> {
  const key = historyKey(name);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const object = await store.get(key);
    const known = object && readHistory(new Uint8Array(await object.arrayBuffer()));
    const history = known ?? emptyHistory();
    if (!(await change(history, object !== null && known === null))) return;
    const onlyIf: R2Conditional = object ? { etagMatches: object.etag } : { etagDoesNotMatch: '*' };
    if (await store.put(key, historyBytes(history), { onlyIf })) return;
  }
  throw new Error(`${key} was changed by others ${ATTEMPTS} times in a row`);
}

/** Enough for the head of 1,500 governors, so that one request finds a line. */
const HEAD_BYTES = 64 * 1024;

/**
 * Returns one governor's line, and the scans of the kingdom, by range requests: the head, then the line. Null if there
 * is no history, or one of another version, or none of this governor in it.
 */
export async function storedLine(store: R2Bucket, name: HistoryName, governor: number): Promise<History | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const first = await rangeOf(store, name, { offset: 0, length: HEAD_BYTES });
    if (!first) return null;
    const length = headLength(first.bytes);
    if (length === null) return null;
    const rest =
      length > first.bytes.length && (await rangeOf(store, name, restOf(first.bytes.length, length), first.etag));
    if (rest === null) continue;
    const { scans, lines }: Head = readHead(rest ? joined(first.bytes, rest.bytes) : first.bytes, length);
    const line = lines.get(governor);
    if (!line) return null;
    const { newest, offset, length: size } = line;
    const older = await lineBytes(store, name, first, offset, size);
    if (older) return { scans, lines: new Map([[governor, { newest, older }]]) };
  }
  throw new Error(`${historyKey(name)} was changed by others ${ATTEMPTS} times in a row`);
}

interface Part {
  bytes: Uint8Array;
  etag: string;
}

const restOf = (offset: number, end: number): R2Range => ({ offset, length: end - offset });

/** Returns a line's older entries; null if the object has changed since its head was read. */
async function lineBytes(store: R2Bucket, name: HistoryName, { bytes, etag }: Part, offset: number, length: number) {
  if (offset + length <= bytes.length) return bytes.subarray(offset, offset + length);
  return (await rangeOf(store, name, { offset, length }, etag))?.bytes ?? null;
}

/** Returns a part of an object; null if there is none, or none with this etag. */
async function rangeOf(store: R2Bucket, name: HistoryName, range: R2Range, etag?: string): Promise<Part | null> {
  const object = await store.get(historyKey(name), { range, ...(etag && { onlyIf: { etagMatches: etag } }) });
  if (!object || !('body' in object)) return null;
  return { bytes: new Uint8Array(await object.arrayBuffer()), etag: object.etag };
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
