import { gunzipSync } from 'node:zlib';
import { HEADERS } from '../middleware/headers.ts';

/** Responses for public answers made in advance: bytes with an ETag. */

const TYPE = 'application/json; charset=UTF-8';

/** Cloudflare requests gzip from every Worker; `clientAcceptEncoding` holds what the visitor accepts. */
function takesGzip({ cf, headers }: Request): boolean {
  const taken = (cf as IncomingRequestCfProperties | undefined)?.clientAcceptEncoding ?? headers.get('accept-encoding');
  return taken?.includes('gzip') ?? false;
}

/**
 * True if a caller with this If-None-Match already has the version with this ETag. An edge that decompresses a response
 * weakens its tag.
 */
export const hasSame = (ifNoneMatch: string | null | undefined, etag: string): boolean =>
  ifNoneMatch?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;

const callerHas = ({ headers }: Request, etag: string): boolean => hasSame(headers.get('if-none-match'), etag);

/** A response's ETag, the headers that say how long caches keep it, and its type. */
interface Kept {
  etag: string;
  caching: Readonly<Record<string, string>>;
  /** Media type; JSON if not given. */
  type?: string;
}

const headersOf = ({ etag, caching, type = TYPE }: Kept) => ({ ...HEADERS, ...caching, 'content-type': type, etag });

/** Sends gzipped JSON, decompressed if the client does not accept gzip. Sends 304 if the client has it. */
export function sendPacked(request: Request, bytes: ArrayBuffer, kept: Kept): Response {
  const headers = { ...headersOf(kept), vary: 'Accept-Encoding' };
  if (callerHas(request, kept.etag)) return new Response(null, { status: 304, headers });
  if (takesGzip(request))
    return new Response(bytes, { headers: { ...headers, 'content-encoding': 'gzip' }, encodeBody: 'manual' });
  return new Response(gunzipSync(bytes), { headers });
}

/** Sends uncompressed JSON. Sends 304 if the client has it. */
export function sendPlain(request: Request, body: BodyInit, kept: Kept): Response {
  const headers = headersOf(kept);
  return callerHas(request, kept.etag) ? new Response(null, { status: 304, headers }) : new Response(body, { headers });
}
