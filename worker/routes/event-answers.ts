import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { dashboardId } from '../../domain/events/contract.ts';
import { sentence } from '../../domain/language/text.ts';
import type { Env } from '../env.ts';
import { notFound, Refusal } from '../errors.ts';
import {
  ANSWERS_VERSION,
  answerOf,
  type Named,
  OtherRevision,
  type Question,
  readAhead,
  streamedAnswer,
} from '../gateways/dashboard-answers.ts';
import { eventTag } from '../gateways/workers-cache.ts';
import { keptFor } from '../http/kept.ts';
import { hasSame, sendPacked, sendPlain } from '../http/send-bytes.ts';
import { countCaller } from '../middleware/address.ts';
import { validate } from '../middleware/validate.ts';
import { eventHeadOf, forgetHead } from '../services/events/find-event.ts';
import { type EventMeta, metaOf, snapshotRange } from '../services/events/public-event.ts';

/**
 * Answers about one public event. An answer depends only on the event's revision and two snapshots, so it is computed
 * once and cached under them. Only the latest snapshot is looked up again, every few seconds.
 */

// biome-ignore lint/suspicious/noExplicitAny: any route's context will do, whatever its variables.
export type PublicContext = Pick<Context<{ Bindings: Env; Variables: any }>, 'env' | 'req'>;

/**
 * Returns caching headers. Together with the cached head, which is at most 8 s old, no answer is older than half a
 * minute.
 */
export const cachingOf = (tag: string): Record<string, string> =>
  keptFor({ browser: 5, edge: 5, stale: 10, tags: [tag] });

/** Returns the ETag of an answer's text. */
export const tagOf = (text: string): string =>
  `"${createHash('sha256').update(text).digest('base64url').slice(0, 24)}"`;

/** Counts callers for whom an answer has to be computed. */
export const counted = (context: PublicContext) => () => countCaller(context);

const TRIES = 3;

/**
 * Calls `ask` with the public view of the event. Retries if the event changes meanwhile. `asked`: the question that
 * `ask` will put, to read its answer during the look-up.
 */
export async function withMeta<Made>(
  { env }: PublicContext,
  id: number,
  ask: (meta: EventMeta) => Promise<Made>,
  asked?: Named,
): Promise<Made> {
  const ahead = async () => {
    if (asked) await readAhead(env.STORE, id, asked);
  };
  for (let attempt = 1; ; attempt++) {
    const now = Date.now();
    try {
      return await ask(metaOf(await eventHeadOf(env, id, now, ahead), now));
    } catch (error) {
      if (!(error instanceof OtherRevision) || attempt === TRIES) throw error;
      forgetHead(id);
    }
  }
}

export type Wanted = { start?: number | undefined; end?: number | undefined };

/** Identifies a question by the range in the caller's request. */
export const namedOf = (kind: Question['kind'], { start, end }: Wanted): Named =>
  start !== undefined && end !== undefined ? { kind, start, end } : { kind, whole: true };

/** Returns the question about a range of the event. Refuses if there is no snapshot yet. */
export function questionOf(
  meta: EventMeta,
  wanted: Wanted,
  more: Omit<Question, 'start' | 'end' | 'revision'>,
): Question {
  const range = snapshotRange(meta, wanted);
  if (!range) throw new Refusal('not_found', 'There is no snapshot of this event yet.');
  const whole = wanted.start === undefined && wanted.end === undefined;
  return { ...range, ...(whole && { whole }), revision: meta.revision, ...more };
}

/** Returns the ETag of an answer without computing the answer. */
const etagOf = (
  id: number,
  { revision, kind, start, end, metrics = [], governor_id, kingdom = '', since }: Question,
): string => {
  const asked = [kind, start, end, ...metrics, governor_id ?? '', kingdom, since ?? ''];
  return `"${[`v${ANSWERS_VERSION}`, id, revision, ...asked].join('-')}"`;
};

/** Returns a kingdom of the event. Refuses if the event has no such kingdom. */
export function kingdomIn(meta: EventMeta, kingdom: string): string {
  if (!meta.kingdoms.includes(kingdom))
    throw new Refusal(
      'not_found',
      sentence('{game, select, cod {Server {id}} other {Kingdom {id}}} is not in this event. It has {kingdoms}.', {
        game: meta.game,
        id: kingdom,
        kingdoms: meta.kingdoms.join(', '),
      }),
    );
  return kingdom;
}

/** How the event's object gives an answer: gzipped, as plain JSON, or as a stream, because it is too large for memory. */
type Form = 'packed' | 'plain' | 'streamed';

/** Sends an answer of the event's object. It is not even computed if the caller has it. */
export async function answered(
  context: PublicContext,
  id: number,
  question: Question,
  form: Form = 'packed',
): Promise<Response> {
  const { env, req } = context;
  const kept = { etag: etagOf(id, question), caching: cachingOf(eventTag(id)) };
  const isKnown = hasSame(req.header('if-none-match'), kept.etag);
  if (form === 'streamed')
    return sendPlain(req.raw, isKnown ? '' : await streamedAnswer(env, id, question, counted(context)), kept);
  const bytes = isKnown ? new ArrayBuffer(0) : await answerOf(env, id, question, counted(context));
  if (!bytes) throw notFound('governor in these snapshots');
  return form === 'packed' ? sendPacked(req.raw, bytes, kept) : sendPlain(req.raw, bytes, kept);
}

/** Checks the event's id in the path. */
export const idParam = validate('param', dashboardId);
