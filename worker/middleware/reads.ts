import type { Context, MiddlewareHandler } from 'hono';
import { sentence } from '../../domain/language/text.ts';
import { Refusal } from '../errors.ts';

/** Media types that a route accepts if its body is not JSON of a schema. */

const readBy = new WeakMap<object, readonly string[]>();

/** Returns the media types that a handler accepts, if it is one of those below. */
export const readsOf = (handler: object): readonly string[] | undefined => readBy.get(handler);

const mediaTypeOf = ({ req }: Context): string => req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';

const refuse = (types: readonly string[], type: string): never => {
  throw new Refusal(
    'wrong_type',
    sentence("This call reads {types}: the body’s Content-Type says '{type}'.", { types: types.join(', '), type }),
  );
};

/** Refuses a body whose type is not JSON. Allows calls without a body. */
export function refuseOtherThanJson(context: Context): void {
  const type = mediaTypeOf(context);
  if (/^application\/([\w.-]+\+)?json$/.test(type)) return;
  if (type !== '' || context.req.raw.body) refuse(['application/json'], type);
}

/**
 * Declares that the route reads a raw body of one of these media types, or of the `unsaid` ones, which stay out of the
 * API description.
 */
export function reads(types: readonly string[], unsaid: readonly string[] = []): MiddlewareHandler {
  const pass: MiddlewareHandler = (context, next) => {
    const type = mediaTypeOf(context);
    // Clients that name no type send bytes.
    if (type !== '' && !types.includes(type) && !unsaid.includes(type)) refuse(types, type);
    return next();
  };
  readBy.set(pass, types);
  return pass;
}

/** Types of scan files. Windows labels CSV as Excel; clients that do not know a file's type send octet-stream. */
export const SCAN_BODY = [
  'application/octet-stream',
  'text/csv',
  'text/tab-separated-values',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.ms-excel',
  'application/x-ndjson',
  'application/jsonl',
  'text/plain',
  'application/zip',
] as const;

/** Not described, because generated clients serialize any body as JSON if a call describes JSON. */
export const SCAN_BODY_UNSAID = ['application/json'] as const;

/** Types of CSV files. */
export const CSV_BODY = ['text/csv', 'text/plain', 'application/vnd.ms-excel', 'application/octet-stream'] as const;
