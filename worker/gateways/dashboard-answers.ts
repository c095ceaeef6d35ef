import type { Question } from '../../durable-objects/dashboard-cache.ts';
import type { Env } from '../env.ts';
import { notFound } from '../errors.ts';
import type { EventHead } from '../models/events/event-snapshots.ts';
import { nearestObject } from './board-cache.ts';

/**
 * Dashboards as they are read before their objects are asked: heads from this isolate's memory for some seconds, answers
 * (which never change under their names) from its memory and the edge's cache.
 */

/** With the object's own five seconds and the browsers' five, a new snapshot is seen everywhere within half a minute. */
const HEAD_MS = 8000;
const MOST_HEADS = 200;

const heads = new Map<number, { head: EventHead; until: number }>();

type Objects = Pick<Env, 'DASHBOARD_CACHE'>;

const objectOf = (env: Objects, id: number) => env.DASHBOARD_CACHE.getByName(String(id));

/** The event with its snapshots, some seconds old at most; refuses one that is not there. */
export async function headOf(env: Objects, id: number, now = Date.now()): Promise<EventHead> {
  const held = heads.get(id);
  if (held && now < held.until && held.until - now <= HEAD_MS) return held.head;
  const head = (await objectOf(env, id).head()) as EventHead | null;
  if (!head) throw notFound('event');
  if (heads.size >= MOST_HEADS) heads.clear();
  heads.set(id, { head, until: now + HEAD_MS });
  return head;
}

/** True of an event that this isolate has seen. */
export const isKnown = (id: number): boolean => heads.has(id);

/** Forgets what is held of an event here. */
export const forgetHead = (id: number): void => {
  heads.delete(id);
};

/** Forgets what is held of an event, here and in its object: whoever changed it wants to see it. */
export async function forgetEvent(env: Objects, id: number): Promise<void> {
  forgetHead(id);
  await objectOf(env, id).forget();
}

/** The event changed between the head and the answer: what was asked for is of another revision. */
export class OtherRevision extends Error {}

const nameOf = (id: number, { revision, kind, start, end, metrics, governor_id, type }: Question): string =>
  `dashboards/${id}/r${revision}/${[kind, start, end, metrics?.join('.'), governor_id, type].filter((part) => part !== undefined).join('-')}`;

async function asked(env: Objects, id: number, question: Question): Promise<Response> {
  const response = await objectOf(env, id).fetch('https://dashboard.invalid/', {
    method: 'POST',
    body: JSON.stringify(question),
  });
  if (response.ok) return response;
  // A body that nobody reads is held until somebody does.
  await response.body?.cancel();
  if (response.status === 409) throw new OtherRevision();
  return response;
}

/** An answer's bytes from wherever they are nearest, or null where nothing is known of what is asked. `before` is called before the object has to make it. */
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

/** Never fetched: only names inside the cache. */
const EDGE = 'https://dashboards.invalid/';
const KEPT_SECONDS = 86_400;

/** An answer that is too large to be held: from the edge's cache, or sent on while the object makes it and kept there. */
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
  // What was cut off on the way may pass for all of it.
  context.waitUntil(put.then(() => isWhole() || caches.default.delete(address)));
  return pieces;
}

const PIECE_BYTES = 256 * 1024;

/**
 * The same bytes, each piece of which is also written to `writable` before it is handed on, and whether all of it was. A
 * tee would hold whatever the slower of the two has not read, which may be all of it; here one piece of memory is read
 * into again once both have what was in it.
 */
function alongside(
  body: ReadableStream<Uint8Array>,
  writable: WritableStream<Uint8Array>,
): { pieces: ReadableStream<Uint8Array>; isWhole: () => boolean } {
  const reader = body.getReader({ mode: 'byob' });
  const copy = writable.getWriter();
  const through = new IdentityTransformStream();
  const out = through.writable.getWriter();
  // Their ends are told by each write.
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
      // Before the end is written: once it is, the copy may be kept.
      whole = goesOn;
      await copied(() => copy.close());
      await out.close();
    } catch (error) {
      // Broken off on the way, or nobody reads it any more.
      await copied(() => copy.abort(error));
      await out.abort(error).catch(() => undefined);
      await reader.cancel(error).catch(() => undefined);
    }
  };
  void send();
  return { pieces: through.readable, isWhole: () => whole };
}
