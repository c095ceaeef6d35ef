import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { RefusalReason } from '../domain/accounts/account.ts';
import { ScanFileRefused } from '../scan-files/limits.ts';

/** Why a call is refused. Each has one HTTP status; the message is a sentence that the caller can act on. */
const STATUS = {
  invalid: 400,
  signed_out: 401,
  unpaid: 402,
  forbidden: 403,
  not_found: 404,
  wrong_method: 405,
  conflict: 409,
  too_large: 413,
  wrong_type: 415,
  unsatisfiable: 416,
  too_many: 429,
  unavailable: 503,
} as const satisfies Record<string, ContentfulStatusCode>;

export type RefusalCode = keyof typeof STATUS;

/** An expected refusal, thrown by verbs and routes and turned into an answer by the app's one error handler. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  /** Tells a page what to do besides showing the sentence. */
  readonly reason: RefusalReason | undefined;
  /** Headers of the answer that say the same to a program. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: RefusalCode, message: string, reason?: RefusalReason, headers = {}) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.reason = reason;
    this.headers = headers;
  }

  get status(): ContentfulStatusCode {
    return STATUS[this.code];
  }
}

/** Something that an outside service told and that cannot be used, however often it is told. */
export class Unusable extends Error {}

/** Refuses for so many seconds, which programs read in Retry-After. */
export const refusedFor = (seconds: number, message: string, reason?: RefusalReason, headers = {}): Refusal =>
  new Refusal('too_many', message, reason, { 'retry-after': String(seconds), ...headers });

/** What a caller reads when something unforeseen broke; the log has the rest under the request's id. */
export const UNEXPECTED = 'Something went wrong on our side. Please try again; if it happens again, tell support.';

/** What anybody reads where the configuration is not fit to work with. */
export const NOT_SET_UP = 'The service is being set up. Please try again later.';

/** What a caller reads at an unknown path, and at one that is not for him to know of. */
export const NOTHING_HERE = 'There is nothing at this address.';

export const notFound = (what: string): Refusal => new Refusal('not_found', `There is no such ${what}.`);

/** True where D1's own words are such: Drizzle wraps the error that has them. */
const databaseSaid = (error: unknown, such: (message: string) => boolean): boolean => {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) if (such(cause.message)) return true;
  return false;
};

/** True where D1 refused a write because of a constraint whose text contains `part`. */
export const brokeConstraint = (error: unknown, part: string): boolean =>
  databaseSaid(error, (message) => /constraint failed/i.test(message) && message.includes(part));

/** True where a table is missing, as all are until the database is migrated. */
export const lacksTable = (error: unknown): boolean =>
  databaseSaid(error, (message) => message.includes('no such table'));

/** What a user is told of a file that cannot be read; any other error as it is. */
export const refusalOfFile = (error: unknown): unknown =>
  error instanceof ScanFileRefused ? new Refusal('invalid', error.message) : error;
