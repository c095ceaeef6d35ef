import { gunzipSync } from 'node:zlib';
import type { Env } from '../../env.ts';
import { answerOf, OtherRevision, type Question } from '../../gateways/dashboard-answers.ts';
import type { EventRoom } from './make-room.ts';
import { changesSince, type EventMeta, snapshotRange } from './public-event.ts';

/** Parses an answer's bytes: bare JSON, or a gzipped response with its envelope. */
function parsed(bytes: Uint8Array): unknown {
  if (bytes[0] !== GZIP) return JSON.parse(new TextDecoder().decode(bytes));
  return (JSON.parse(gunzipSync(bytes).toString()) as { data: unknown }).data;
}

/** First byte of a gzip file. */
const GZIP = 0x1f;

/**
 * Returns an answer about an event from its first snapshot to `end`, by default the latest. Null if there is no
 * snapshot, if its subject is unknown, or if the event changes meanwhile: the next call then has it.
 */
export async function readAnswer<Answer>(
  env: Env,
  meta: EventMeta,
  asked: Pick<Question, 'kind' | 'kingdom' | 'governor_id' | 'since'> & Partial<Pick<Question, 'end'>>,
  before: () => Promise<void> = async () => {},
): Promise<Answer | null> {
  const range = snapshotRange(meta, {});
  if (!range) return null;
  try {
    const question = { ...range, whole: asked.end === undefined, revision: meta.revision, ...asked };
    const bytes = await answerOf(env, meta.dashboard_id, question, before);
    return bytes && (parsed(new Uint8Array(bytes)) as Answer);
  } catch (error) {
    if (error instanceof OtherRevision) return null;
    throw error;
  }
}

/** Returns a kingdom's war room as its page shows it first, or null as `readAnswer` does. */
export function readRoom(
  env: Env,
  meta: EventMeta,
  kingdom: string,
  before?: () => Promise<void>,
): Promise<EventRoom | null> {
  const range = snapshotRange(meta, {});
  const since = range && changesSince(meta, range);
  return readAnswer(env, meta, { kind: 'room', kingdom, ...(since !== null && { since }) }, before);
}
