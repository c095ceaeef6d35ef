import type { MiddlewareHandler } from 'hono';
import type * as z from 'zod';

/**
 * What a call answers, said on its route beside what it validates: `answer` is typed by it, the API's description is
 * made from it, and the tests hold every answer to it.
 */
export interface Promised {
  /** What the call is for, in a line. */
  summary: string;
  /** The schema of `data`; null where nothing comes in the envelope. */
  schema: z.ZodType | null;
  /** Media types of what comes without the envelope. */
  files: readonly string[];
  /** 101 opens a WebSocket, 303 leads to another page. */
  status: 200 | 101 | 303;
}

const promisedBy = new WeakMap<object, Promised>();

/** What a handler of a route promises, where it is one of those below. */
export const promiseOf = (handler: object): Promised | undefined => promisedBy.get(handler);

/** The route answers with data of that schema, or, if media types are named, with a file of one of these. */
export function answers<Schema extends z.ZodType>(
  summary: string,
  schema: Schema,
  ...files: readonly string[]
): MiddlewareHandler<{ Variables: { answers?: Schema } }> {
  const pass: MiddlewareHandler<{ Variables: { answers?: Schema } }> = (_context, next) => next();
  promisedBy.set(pass, { summary, schema, files, status: 200 });
  return pass;
}

function without(promised: Omit<Promised, 'schema'>): MiddlewareHandler {
  const pass: MiddlewareHandler = (_context, next) => next();
  promisedBy.set(pass, { schema: null, ...promised });
  return pass;
}

/** The route answers with a file of one of these media types. */
export const sends = (summary: string, ...files: readonly string[]): MiddlewareHandler =>
  without({ summary, files, status: 200 });

/** The route opens a WebSocket. */
export const opensSocket = (summary: string): MiddlewareHandler => without({ summary, files: [], status: 101 });

/** The route leads a browser on to another page. */
export const leadsOn = (summary: string): MiddlewareHandler => without({ summary, files: [], status: 303 });
