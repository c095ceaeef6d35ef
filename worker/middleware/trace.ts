import type { Context, MiddlewareHandler } from 'hono';
import { isLocal } from '../env.ts';
import { pathInLog } from '../log.ts';
import type { AppEnv } from './session.ts';

/** The header that names a request. Refusals carry the same id in their body, and the log has it. */
export const REQUEST_ID = 'x-request-id';

export const newRequestId = (): string => crypto.randomUUID();

/** Puts the id onto the answer as it stands: a copy would pack again what is packed already. */
function name(context: Context<AppEnv>, id: string): void {
  const { res } = context;
  // The headers of an upgrade cannot be written to.
  if (res.status === 101) return;
  try {
    res.headers.set(REQUEST_ID, id);
  } catch {
    // Answers of other bindings have headers of their own that are fixed.
    context.res = new Response(res.body, res);
    context.res.headers.set(REQUEST_ID, id);
  }
}

/**
 * Names every request, whatever becomes of it, and writes one line about it to the log. In a local copy only answers of
 * 500 and more are logged.
 */
export const traced: MiddlewareHandler<AppEnv> = async (context, next) => {
  const began = Date.now();
  const id = newRequestId();
  context.set('requestId', id);
  await next();
  name(context, id);
  const { status } = context.res;
  if (status < 500 && isLocal(context.env)) return;
  const line = { request: id, method: context.req.method, path: pathInLog(context.req.path), status };
  console.log(JSON.stringify({ ...line, ms: Date.now() - began }));
};
