import { createHash } from 'node:crypto';
import type { Locale } from '../../domain/language/locales.ts';
import { besideDatabase, type Env } from '../env.ts';
import { keepObject, nearestObject } from './board-cache.ts';
import { despiteReset } from './despite-reset.ts';
import { keepExport } from './snapshot-store.ts';

/**
 * Caches in front of the dashboard objects: this isolate's memory, then R2, where an answer outlives its object. An
 * object in R2 is named from the question and marked with the event's revision, so that it can be read while the
 * revision is looked up.
 */

/** A question about an event. `kind` names the answer. */
export interface Question {
  kind: 'board' | 'table' | 'lines' | 'governor' | 'room' | 'changes' | 'record' | 'data' | 'file';
  /** The revision that the caller has seen. Any other is refused, so that a page never mixes two. */
  revision: number;
  start: number;
  end: number;
  /** True for the range of all snapshots, which callers can request without knowing its times. */
  whole?: boolean;
  metrics?: readonly string[];
  governor_id?: number;
  /** A kingdom of the event, or a domain of one. */
  kingdom?: string;
  /** The snapshot that changes count from. */
  since?: number;
  type?: 'csv' | 'xlsx';
  /** Language of a file's header row, if one is asked for. */
  headers?: Locale | undefined;
}

type Objects = Pick<Env, 'DASHBOARD_CACHE' | 'LOCATION'>;
type Bindings = Objects & Pick<Env, 'STORE'>;

const objectOf = (env: Objects, id: number) => env.DASHBOARD_CACHE.getByName(String(id), besideDatabase(env));

/** Drops what the event's object has cached of its head. */
export const forgetInObject = (env: Objects, id: number): Promise<void> =>
  despiteReset(() => objectOf(env, id).forget());

/** Thrown if the event changed between the head and the answer. */
export class OtherRevision extends Error {}

/** Incremented when an answer to the same question changes. */
export const ANSWERS_VERSION = 5;
/** The bucket's lifecycle deletes what lies here a month (docs/operating.md). */
const FOLDER = 'answers/dashboards/';
const TYPE = 'application/octet-stream';

/** A question as it can be asked before the event is looked up. */
export type Named = Omit<Question, 'revision' | 'start' | 'end'> & Partial<Pick<Question, 'start' | 'end'>>;

const keyOf = (id: number, question: Named): string => {
  const { kind, start, end, whole, metrics, governor_id, kingdom, since, type, headers } = question;
  const asked = [
    kind,
    whole ? 'whole' : `${start}-${end}`,
    metrics?.join('.'),
    governor_id,
    kingdom && `k${kingdom}`,
    since && `s${since}`,
    type,
    headers,
  ].filter((part) => part !== undefined);
  return `${FOLDER}${id}/v${ANSWERS_VERSION}-${asked.join('-')}`;
};

/** Returns what an answer depends on besides its question. */
const markOf = ({ revision, start, end }: Question): string => `r${revision}-${start}-${end}`;

const marked = (mark: string): Pick<R2PutOptions, 'httpMetadata' | 'customMetadata'> => ({
  httpMetadata: { contentType: TYPE },
  customMetadata: { mark },
});

const nameInMemory = (key: string, mark: string): string => `${key}#${mark}`;

/** Returns the stored object if it has this mark. */
async function storedWith(store: R2Bucket, key: string, mark: string): Promise<R2ObjectBody | null> {
  const kept = await store.get(key);
  if (kept?.customMetadata?.mark === mark) return kept;
  // An unread body would be held open.
  await kept?.body.cancel();
  return null;
}

/** Larger answers are streamed and never in memory. */
const MOST_AHEAD_BYTES = 4 * 1024 * 1024;

/** Loads the object under a key into memory. It is used if its mark is the current one. */
async function loadAhead(store: R2Bucket, key: string): Promise<void> {
  const kept = await store.get(key);
  const mark = kept?.customMetadata?.mark;
  if (!kept || mark === undefined || kept.size > MOST_AHEAD_BYTES) await kept?.body.cancel();
  else keepObject(nameInMemory(key, mark), await kept.arrayBuffer());
}

/**
 * Loads a stored answer while its event is looked up, for the first visitor that an isolate has: one trip instead of
 * two. If it fails, the answer is read again.
 */
export const readAhead = (store: R2Bucket, id: number, question: Named): Promise<void> =>
  loadAhead(store, keyOf(id, question)).catch(() => undefined);

/** Returns the key of an event's picture, without language and ending. It expires with the answers. */
export const eventPictureKey = (id: number, name: string): string => `${FOLDER}${id}/cards/${name}`;

/** Answers about one governor, and changes since any snapshot, are cheap, and there are too many to store them. */
const UNSTORED: readonly Question['kind'][] = ['governor', 'record', 'changes'];
const isStored = ({ kind }: Question): boolean => !UNSTORED.includes(kind);

/** Stores a finished answer. */
export async function storeAnswer(store: R2Bucket, id: number, question: Question, bytes: Uint8Array): Promise<void> {
  if (isStored(question)) await store.put(keyOf(id, question), bytes, marked(markOf(question)));
}

async function asked(env: Objects, id: number, question: Question): Promise<Response> {
  const body = JSON.stringify(question);
  const response = await despiteReset(() =>
    objectOf(env, id).fetch('https://dashboard.invalid/', { method: 'POST', body }),
  );
  if (response.ok) return response;
  // An unread body would be held open.
  await response.body?.cancel();
  if (response.status === 409) throw new OtherRevision();
  return response;
}

const stored = async (store: R2Bucket, id: number, question: Question): Promise<R2ObjectBody | null> =>
  isStored(question) ? storedWith(store, keyOf(id, question), markOf(question)) : null;

/**
 * Returns an answer's bytes from the nearest cache or the object, which stores it, or null if its subject is unknown.
 * Calls `before` before the object computes it.
 */
export const answerOf = (
  env: Bindings,
  id: number,
  question: Question,
  before: () => Promise<void>,
): Promise<ArrayBuffer | null> =>
  nearestObject(nameInMemory(keyOf(id, question), markOf(question)), async () => {
    const kept = await stored(env.STORE, id, question);
    if (kept) return kept.arrayBuffer();
    await before();
    const response = await asked(env, id, question);
    return response.status === 404 ? null : response.arrayBuffer();
  });

/** Streams an answer too large for memory, from R2 or from the object while it computes it, and stores it. */
export async function streamedAnswer(
  env: Bindings,
  id: number,
  question: Question,
  before: () => Promise<void>,
): Promise<ReadableStream<Uint8Array>> {
  const kept = await stored(env.STORE, id, question);
  if (kept) return kept.body;
  await before();
  const { body } = await asked(env, id, question);
  if (!body) throw new Error(`dashboard ${id} gave no ${question.kind}`);
  return keepExport(env.STORE, keyOf(id, question), TYPE, body, { mark: markOf(question) });
}

interface MadeList {
  text: string;
  /** False if something is missing that is there the next time. */
  isWhole: boolean;
}

const listKey = (list: string): string => `${FOLDER}lists/v${ANSWERS_VERSION}-${list}`;

/** Names of lists that this isolate has requested. */
const listsAhead = new Set<string>();

/** Loads a stored list while the events in it are looked up, once in an isolate. */
export async function readListAhead(store: R2Bucket, list: string): Promise<void> {
  if (listsAhead.has(list)) return;
  listsAhead.add(list);
  await loadAhead(store, listKey(list)).catch(() => undefined);
}

/** Returns what a list shows of several events, stored under the list's name with a mark of what it depends on. */
export async function listAnswer(
  store: R2Bucket,
  list: string,
  of: unknown,
  make: () => Promise<MadeList>,
): Promise<ArrayBuffer> {
  const key = listKey(list);
  const mark = createHash('sha256').update(JSON.stringify(of)).digest('base64url');
  const encoded = ({ text }: MadeList) => new TextEncoder().encode(text).buffer as ArrayBuffer;
  let partial: ArrayBuffer | undefined;
  const whole = await nearestObject(nameInMemory(key, mark), async () => {
    const kept = await storedWith(store, key, mark);
    if (kept) return kept.arrayBuffer();
    const made = await make();
    const bytes = encoded(made);
    if (made.isWhole) await store.put(key, bytes, marked(mark));
    else partial = bytes;
    return made.isWhole ? bytes : null;
  });
  return whole ?? partial ?? encoded(await make());
}
