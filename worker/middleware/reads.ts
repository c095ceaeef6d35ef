import type { Context, MiddlewareHandler } from 'hono';
import { Refusal } from '../errors.ts';

/** What a route reads a body as, when it is not JSON of a schema. */

const readBy = new WeakMap<object, readonly string[]>();

/** Media types of the bodies that a handler of a route reads, if it is one of those below. */
export const readsOf = (handler: object): readonly string[] | undefined => readBy.get(handler);

const mediaTypeOf = ({ req }: Context): string => req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';

const listed = (types: readonly string[]): string =>
  types.length === 1 ? `${types[0]}` : `${types.slice(0, -1).join(', ')} or ${types.at(-1)}`;

const refuse = (types: readonly string[], type: string): never => {
  throw new Refusal('wrong_type', `This call reads ${listed(types)}: the body's Content-Type says '${type}'.`);
};

/** Refuses a body that does not call itself JSON. A call without a body is no body of another type. */
export function refuseOtherThanJson(context: Context): void {
  const type = mediaTypeOf(context);
  if (/^application\/([\w.-]+\+)?json$/.test(type)) return;
  if (type !== '' || context.req.raw.body) refuse(['application/json'], type);
}

/** The route reads a body of one of these media types as it is. */
export function reads(...types: readonly string[]): MiddlewareHandler {
  const pass: MiddlewareHandler = (context, next) => {
    const type = mediaTypeOf(context);
    // A program that names no type sends bytes.
    if (type !== '' && !types.includes(type)) refuse(types, type);
    return next();
  };
  readBy.set(pass, types);
  return pass;
}

/** Scan files. Windows calls a csv a sheet of Excel; a program that does not know its file sends bytes. */
export const SCAN_BODY = [
  'application/octet-stream',
  'text/csv',
  'text/tab-separated-values',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.ms-excel',
  'application/json',
  'application/x-ndjson',
  'application/jsonl',
  'text/plain',
  'application/zip',
] as const;

/** Tables as csv. */
export const CSV_BODY = ['text/csv', 'text/plain', 'application/vnd.ms-excel', 'application/octet-stream'] as const;
