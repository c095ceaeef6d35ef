import { gunzipSync } from 'node:zlib';
import { HEADERS } from './middleware/headers.ts';

/** Public answers that were made before: bytes with a tag, sent as they are to whoever takes them so. */

const TYPE = 'application/json; charset=UTF-8';

/** The platform asks every Worker for gzip and tells here what the visitor himself takes. */
function takesGzip({ cf, headers }: Request): boolean {
  const taken = (cf as IncomingRequestCfProperties | undefined)?.clientAcceptEncoding ?? headers.get('accept-encoding');
  return taken?.includes('gzip') ?? false;
}

/** True where the caller has what `etag` names. An edge that unpacks an answer marks its tag as weak. */
export const hasSame = (request: Request, etag: string): boolean =>
  request.headers
    .get('if-none-match')
    ?.split(',')
    .some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;

/** How an answer may be kept: its tag, and the `cache-control` header. */
export interface Kept {
  etag: string;
  control: string;
}

const headersOf = ({ etag, control }: Kept) => ({ ...HEADERS, 'content-type': TYPE, etag, 'cache-control': control });

/** Sends gzipped JSON: as it is to everyone who takes gzip, unpacked to the others; nothing to who has it. */
export function sendPacked(request: Request, bytes: ArrayBuffer, kept: Kept): Response {
  const headers = { ...headersOf(kept), vary: 'Accept-Encoding' };
  if (hasSame(request, kept.etag)) return new Response(null, { status: 304, headers });
  if (takesGzip(request))
    return new Response(bytes, { headers: { ...headers, 'content-encoding': 'gzip' }, encodeBody: 'manual' });
  return new Response(gunzipSync(bytes), { headers });
}

/** Sends JSON that is not packed; nothing to who has it. */
export function sendPlain(request: Request, body: BodyInit, kept: Kept): Response {
  const headers = headersOf(kept);
  return hasSame(request, kept.etag) ? new Response(null, { status: 304, headers }) : new Response(body, { headers });
}
