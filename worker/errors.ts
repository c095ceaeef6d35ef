import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { RefusalReason } from '../domain/accounts/account.ts';
import { message, type Sentence, say } from '../domain/language/text.ts';
import { type AnsweredCode, noSuch, REFUSALS } from '../domain/service/refusals.ts';
import { ScanFileRefused } from '../scan-files/limits.ts';

/** Reasons of refusals that services and routes throw. */
type RefusalCode = Exclude<AnsweredCode, 'failed'>;

/**
 * An expected error, thrown by services and routes. The app's error handler turns it into a response. Its message is a
 * sentence that the caller can act on. It is translated for callers of other languages.
 */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly sentence: Sentence;
  /** Tells the page what to do in addition to showing the sentence. */
  readonly reason: RefusalReason | undefined;
  /** Response headers that say the same to programs. */
  readonly headers: Readonly<Record<string, string>>;

  /** @param said a sentence without values, or `sentence(…)` */
  constructor(code: RefusalCode, said: string | Sentence, reason?: RefusalReason, headers = {}) {
    const whole = typeof said === 'string' ? { message: said } : said;
    super(say(whole));
    this.name = 'Refusal';
    this.code = code;
    this.sentence = whole;
    this.reason = reason;
    this.headers = headers;
  }

  get status(): ContentfulStatusCode {
    return REFUSALS[this.code];
  }
}

/** Returns the refusal in an error or its causes, or null. Drizzle wraps what the database of a call throws. */
export function refusalIn(error: unknown): Refusal | null {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof Refusal) return cause;
  return null;
}

/** A message of an outside service that cannot be used, even if it is sent again. */
export class Unusable extends Error {}

/** Returns a 'too many' refusal with Retry-After in `seconds`. */
export const refusedFor = (seconds: number, said: string | Sentence, reason?: RefusalReason, headers = {}): Refusal =>
  new Refusal('too_many', said, reason, { 'retry-after': String(seconds), ...headers });

/** Returns the refusal above a limit of calls a minute, with the headers of draft-ietf-httpapi-ratelimit-headers-10. */
export function tooOften(limit: string, calls: number): Refusal {
  const seconds = 60;
  return refusedFor(seconds, 'Too many attempts. Please wait a minute, then try again.', undefined, {
    'ratelimit-policy': `"${limit}";q=${calls};w=${seconds}`,
    // The start of the window is unknown, so the whole window is given.
    ratelimit: `"${limit}";r=0;t=${seconds}`,
  });
}

/** The message for an unexpected error. The log has the details under the request id. */
export const UNEXPECTED = message(
  'Something went wrong on our side. Please try again. If it happens again, contact support.',
);

/** The message while the configuration is invalid. */
export const NOT_SET_UP = message('The service is being set up. Please try again later.');

/** The message for an unknown path, and for a path that the caller must not know about. */
export const NOTHING_HERE = message('There is nothing at this address.');

export const notFound = (what: string): Refusal => new Refusal('not_found', noSuch(what));

/** True if D1's own message matches. Drizzle wraps the error that carries it. */
const databaseSaid = (error: unknown, such: (said: string) => boolean): boolean => {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) if (such(cause.message)) return true;
  return false;
};

/** True if D1 refused a write because of a constraint whose text contains `part`. */
export const brokeConstraint = (error: unknown, part: string): boolean =>
  databaseSaid(error, (said) => /constraint failed/i.test(said) && said.includes(part));

/** True if a table is missing, as all are before the database is migrated. */
export const lacksTable = (error: unknown): boolean => databaseSaid(error, (said) => said.includes('no such table'));

/**
 * What the database, the buckets and the objects say if they are full, busy or away, in Cloudflare's words
 * (https://developers.cloudflare.com/d1/observability/debug-d1, https://developers.cloudflare.com/r2/api/error-codes)
 * and in those of SQLite and of a local disk.
 */
const STORAGE_FAILURE =
  /SQLITE_(?:FULL|IOERR|BUSY|NOMEM|READONLY)|readonly database|disk is full|no space left|ENOSPC|maximum (?:DB size|account storage)|storage operation exceeded timeout|caused object to be reset|reset because its code was updated|transient issue|overloaded|queued for too long|Network connection lost|\((?:0|10001|10043|10058)\)$/i;

/**
 * True if a Durable Object ended in the middle of a call
 * (https://developers.cloudflare.com/durable-objects/best-practices/error-handling).
 */
export const wasReset = (error: unknown): boolean =>
  error instanceof Error && 'durableObjectReset' in error && error.durableObjectReset === true;

/** True if storage failed, so that the same call may go well later. */
export const isStorageFailure = (error: unknown): boolean =>
  wasReset(error) || databaseSaid(error, (said) => STORAGE_FAILURE.test(said));

/** What a caller reads if storage failed. */
export const STORAGE_FAILED = message('Our storage cannot take this right now. Please try again in a minute.');

/** Turns an unreadable scan file into a refusal for the user. Returns any other error unchanged. */
export const refusalOfFile = (error: unknown): unknown =>
  error instanceof ScanFileRefused ? new Refusal('invalid', error.message) : error;

// Log lines: one JSON object each, without the callers' queries, bodies or secret paths.

/** The parameters that Drizzle appends to the message of a failed statement. */
const PARAMS = /\nparams: [\s\S]*?(?=\n {4}at |$)/g;
const QUERY = /(\bhttps?:\/\/[^\s?'"]+)\?[^\s'"]*/g;

const withoutValues = (text: string): string => text.replace(PARAMS, '\nparams: …').replace(QUERY, '$1?…');

/** Returns the message of an error and its causes, without statement parameters or URL queries. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return withoutValues(String(error));
  return withoutValues(error.cause ? `${error.message}: ${messageOf(error.cause)}` : error.message);
}

/** Like `messageOf`, with the stack. */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return withoutValues(String(error));
  const stack = withoutValues(error.stack ?? error.message);
  return error.cause ? `${stack}\ncaused by: ${stackOf(error.cause)}` : stack;
}

/** Hides tokens in the paths of shared links and invites, because a token grants access. */
export const pathInLog = (path: string): string => path.replace(/\/(shared|s|invites)\/[^/]+/g, '/$1/…');

export const logError = (about: Readonly<Record<string, unknown>>, error: unknown): void =>
  console.error(JSON.stringify({ ...about, error: stackOf(error) }));
