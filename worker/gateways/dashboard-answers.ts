import type { Question } from '../../durable-objects/dashboard-cache.ts';
import { besideDatabase, type Env } from '../env.ts';
import { notFound } from '../errors.ts';
import type { EventHead } from '../models/events/event-snapshots.ts';
import { nearestObject } from './board-cache.ts';

/**
 * Caches in front of the dashboard objects: heads in this isolate's memory for some seconds; answers, which are
 * immutable under their names, in memory and the edge cache.
 */

/** With five seconds each in the object and the browser, a new snapshot is visible everywhere within half a minute. */
const HEAD_MS = 8000;
const MOST_HEADS = 200;

const heads = new Map<number, { head: EventHead; until: number }>();

type Objects = Pick<Env, 'DASHBOARD_CACHE' | 'LOCATION'>;

const objectOf = (env: Objects, id: number) => env.DASHBOARD_CACHE.getByName(String(id), besideDatabase(env));

/** Returns the event with its snapshots, at most some seconds old. Refuses an unknown event. */
export async function headOf(env: Objects, id: number, now = Date.now()): Promise<EventHead> {
  const held = heads.get(id);
  if (held && now < held.until && held.until - now <= HEAD_MS) return held.head;
  const head = (await objectOf(env, id).head()) as EventHead | null;
  if (!head) throw notFound('event');
  if (heads.size >= MOST_HEADS) heads.clear();
  heads.set(id, { head, until: now + HEAD_MS });
  return head;
}

/** True if this isolate has seen the event. */
export const isKnown = (id: number): boolean => heads.has(id);

/** Drops this isolate's cached data of an event. */
export const forgetHead = (id: number): void => {
  heads.delete(id);
};

/** Drops the cached data of an event here and in its object, so that whoever changed it sees the change. */
export async function forgetEvent(env: Objects, id: number): Promise<void> {
  forgetHead(id);
  await objectOf(env, id).forget();
}

/** Thrown if the event changed between the head and the answer. */
export class OtherRevision extends Error {}

const nameOf = (
  id: number,
  { revision, kind, start, end, metrics, governor_id, kingdom, since, type }: Question,
): string =>
  `dashboards/${id}/r${revision}/${[kind, start, end, metrics?.join('.'), governor_id, kingdom && `k${kingdom}`, since && `s${since}`, type].filter((part) => part !== undefined).join('-')}`;

async function asked(env: Objects, id: number, question: Question): Promise<Response> {
  const response = await objectOf(env, id).fetch('https://dashboard.invalid/', {
    method: 'POST',
    body: JSON.stringify(question),
  });
  if (response.ok) return response;
  // An unread body would be held open.
  await response.body?.cancel();
  if (response.status === 409) throw new OtherRevision();
  return response;
}

/**
 * Returns an answer's bytes from the nearest cache or the object, or null if its subject is unknown. Calls `before`
 * before the object computes it.
 */
export const answerOf = (
  env: Objects,
  id: number,
  question: Question,
  before: () => Promise<void>,
): Promise<ArrayBuffer | null> =>
  nearestObject(nameOf(id, question), async () => {
    await before();
    const response = await asked(env, id, question);
    return response.status === 404 ? null : response.arrayBuffer();
  });

/** Never fetched; only names entries in the cache. */
const EDGE = 'https://dashboards.invalid/';
const KEPT_SECONDS = 86_400;

/**
 * Streams an answer too large for memory, from the edge cache or from the object while it computes it. Caches it at the
 * edge.
 */
export async function streamedAnswer(
  env: Objects,
  context: Pick<ExecutionContext, 'waitUntil'>,
  id: number,
  question: Question,
  before: () => Promise<void>,
): Promise<ReadableStream> {
  const address = `${EDGE}${nameOf(id, question)}`;
  const kept = await caches.default.match(address);
  if (kept?.body) return kept.body;
  await before();
  const { body } = await asked(env, id, question);
  if (!body) throw new Error(`dashboard ${id} gave no ${question.kind}`);
  const { readable, writable } = new IdentityTransformStream();
  const copy = new Response(readable, {
    headers: { 'content-type': 'application/octet-stream', 'cache-control': `max-age=${KEPT_SECONDS}` },
  });
  const { pieces, isWhole } = alongside(body, writable);
  const put = caches.default.put(address, copy).catch(() => undefined);
  // A truncated copy could pass for the whole.
  context.waitUntil(put.then(() => isWhole() || caches.default.delete(address)));
  return pieces;
}

const PIECE_BYTES = 256 * 1024;

/**
 * Passes a stream on and writes each piece to `writable` first. Also tells whether all of it was written. A tee would
 * buffer what the slower side has not read, possibly everything; here one buffer is reused once both sides have its
 * content.
 */
function alongside(
  body: ReadableStream<Uint8Array>,
  writable: WritableStream<Uint8Array>,
): { pieces: ReadableStream<Uint8Array>; isWhole: () => boolean } {
  const reader = body.getReader({ mode: 'byob' });
  const copy = writable.getWriter();
  const through = new IdentityTransformStream();
  const out = through.writable.getWriter();
  // Errors surface in each write.
  for (const { closed } of [copy, out]) closed.catch(() => undefined);
  let [goesOn, whole] = [true, false];
  const copied = async (act: () => Promise<void>): Promise<void> => {
    if (goesOn)
      await act().catch(() => {
        goesOn = false;
      });
  };
  const send = async (): Promise<void> => {
    let room = new Uint8Array(PIECE_BYTES);
    try {
      for (;;) {
        const { done, value } = await reader.read(room);
        if (done) break;
        await copied(() => copy.write(value));
        await out.write(value);
        room = new Uint8Array(value.buffer);
      }
      // Set before closing, because the closed copy may be cached at once.
      whole = goesOn;
      await copied(() => copy.close());
      await out.close();
    } catch (error) {
      // The source failed or the reader left.
      await copied(() => copy.abort(error));
      await out.abort(error).catch(() => undefined);
      await reader.cancel(error).catch(() => undefined);
    }
  };
  void send();
  return { pieces: through.readable, isWhole: () => whole };
}
