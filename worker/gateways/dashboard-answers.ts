import { createHash } from 'node:crypto';
import { besideDatabase, type Env } from '../env.ts';
import { nearestObject } from './board-cache.ts';
import { despiteReset } from './despite-reset.ts';
import { keepExport } from './snapshot-store.ts';

/**
 * Caches in front of the dashboard objects: this isolate's memory, then R2, where an answer outlives its object. An
 * answer never changes under its key, which holds the event's revision.
 */

/** A question about an event. `kind` names the answer. */
export interface Question {
  kind: 'board' | 'table' | 'lines' | 'governor' | 'room' | 'changes' | 'record' | 'data' | 'file';
  /** The revision that the caller has seen. Any other is refused, so that a page never mixes two. */
  revision: number;
  start: number;
  end: number;
  metrics?: readonly string[];
  governor_id?: number;
  /** A kingdom of the event, or a domain of one. */
  kingdom?: string;
  /** The snapshot that changes count from. */
  since?: number;
  type?: 'csv' | 'xlsx';
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
const ANSWERS_VERSION = 2;
/** The bucket's lifecycle deletes what lies here a month (docs/operating.md). */
const FOLDER = 'answers/dashboards/';
const TYPE = 'application/octet-stream';

const keyOf = (
  id: number,
  { revision, kind, start, end, metrics, governor_id, kingdom, since, type }: Question,
): string => {
  const asked = [
    kind,
    start,
    end,
    metrics?.join('.'),
    governor_id,
    kingdom && `k${kingdom}`,
    since && `s${since}`,
    type,
  ].filter((part) => part !== undefined);
  return `${FOLDER}${id}/r${revision}/v${ANSWERS_VERSION}-${asked.join('-')}`;
};

/** Returns the key of an event's picture. It expires with the answers. */
export const eventPictureKey = (id: number, name: string): string => `${FOLDER}${id}/cards/${name}.png`;

/** Answers about one governor, and changes since any snapshot, are cheap, and there are too many to store them. */
const UNSTORED: readonly Question['kind'][] = ['governor', 'record', 'changes'];
const isStored = ({ kind }: Question): boolean => !UNSTORED.includes(kind);

/** Stores a finished answer. */
export async function storeAnswer(store: R2Bucket, id: number, question: Question, bytes: Uint8Array): Promise<void> {
  if (isStored(question)) await store.put(keyOf(id, question), bytes, { httpMetadata: { contentType: TYPE } });
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
  isStored(question) ? store.get(keyOf(id, question)) : null;

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
  nearestObject(keyOf(id, question), async () => {
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
  return keepExport(env.STORE, keyOf(id, question), TYPE, body);
}

interface MadeList {
  text: string;
  /** False if something is missing that is there the next time. */
  isWhole: boolean;
}

/** Returns what a list shows of several events, stored under what it depends on. */
export async function listAnswer(store: R2Bucket, name: string, make: () => Promise<MadeList>): Promise<ArrayBuffer> {
  const key = `${FOLDER}lists/v${ANSWERS_VERSION}-${createHash('sha256').update(name).digest('base64url')}`;
  const encoded = ({ text }: MadeList) => new TextEncoder().encode(text).buffer as ArrayBuffer;
  let partial: ArrayBuffer | undefined;
  const whole = await nearestObject(key, async () => {
    const kept = await store.get(key);
    if (kept) return kept.arrayBuffer();
    const made = await make();
    const bytes = encoded(made);
    if (made.isWhole) await store.put(key, bytes, { httpMetadata: { contentType: TYPE } });
    else partial = bytes;
    return made.isWhole ? bytes : null;
  });
  return whole ?? partial ?? encoded(await make());
}
