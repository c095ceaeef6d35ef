import type { MiddlewareHandler } from 'hono';
import type * as z from 'zod';

/**
 * Declares a route's response beside its validation. `answer` is typed by it, the API description is generated from it,
 * and tests check responses against it.
 */
export interface Promised {
  /** One line that says what the call does. */
  summary: string;
  /** Schema of `data`; null if the response has no envelope. */
  schema: z.ZodType | null;
  /** Media types of responses without the envelope. */
  files: readonly string[];
  /** True if the files also come in parts (`Range`). */
  parts: boolean;
  /** 101: opens a WebSocket; 303: redirects to another page. */
  status: 200 | 101 | 303;
}

const promisedBy = new WeakMap<object, Promised>();

/** Returns what a handler declares, if it is one of those below. */
export const promiseOf = (handler: object): Promised | undefined => promisedBy.get(handler);

/** Declares that the route returns data of this schema or, if media types are given, a file of one of them or a part of it. */
export function answers<Schema extends z.ZodType>(
  summary: string,
  schema: Schema,
  ...files: readonly string[]
): MiddlewareHandler<{ Variables: { answers?: Schema } }> {
  const pass: MiddlewareHandler<{ Variables: { answers?: Schema } }> = (_context, next) => next();
  promisedBy.set(pass, { summary, schema, files, parts: files.length > 0, status: 200 });
  return pass;
}

function without(promised: Pick<Promised, 'summary' | 'status'> & Partial<Promised>): MiddlewareHandler {
  const pass: MiddlewareHandler = (_context, next) => next();
  promisedBy.set(pass, { schema: null, files: [], parts: false, ...promised });
  return pass;
}

/** Declares that the route returns a file of one of these media types. */
export const sends = (summary: string, ...files: readonly string[]): MiddlewareHandler =>
  without({ summary, files, status: 200 });

/** Declares that the route returns a file of one of these media types, or a part of it. */
export const sendsParts = (summary: string, ...files: readonly string[]): MiddlewareHandler =>
  without({ summary, files, parts: true, status: 200 });

/** Declares that the route opens a WebSocket. */
export const opensSocket = (summary: string): MiddlewareHandler => without({ summary, status: 101 });

/** Declares that the route redirects the browser to another page. */
export const leadsOn = (summary: string): MiddlewareHandler => without({ summary, status: 303 });
