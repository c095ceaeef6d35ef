import type { Context, MiddlewareHandler } from 'hono';
import { isLocal } from '../env.ts';
import { pathInLog } from '../errors.ts';
import type { AppEnv } from './session.ts';

/** The response header with the request id. Refusals repeat it in the body, and the log has it. */
export const REQUEST_ID = 'x-request-id';

export const newRequestId = (): string => crypto.randomUUID();

/** Sets the id on the response in place, because a copy would compress a compressed body again. */
function name(context: Context<AppEnv>, id: string): void {
  const { res } = context;
  // The headers of an upgrade are immutable.
  if (res.status === 101) return;
  try {
    res.headers.set(REQUEST_ID, id);
  } catch {
    // Responses of other bindings have immutable headers.
    context.res = new Response(res.body, res);
    context.res.headers.set(REQUEST_ID, id);
  }
}

/** Assigns every request an id and logs one line for it. A local copy logs only statuses of 500 and above. */
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
