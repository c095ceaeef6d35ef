import { ApiError } from './client.ts';
import type { Operation } from './openapi.ts';

/** An answer as it came. */
export interface Tried {
  /** Path and query that were called. */
  path: string;
  status: number;
  type: string;
  ms: number;
  /** The text of the answer, or of its beginning; null for files that are no text. */
  text: string | null;
  /** True if the answer is longer than what was read. */
  cut: boolean;
}

/** More is neither read nor drawn: a whole board has 100 MB. */
export const MOST_READ_BYTES = 200_000;

const IS_TEXT = /^text\/|json/;

/** A call can be tried if it reads something, and a key or nobody at all opens it. */
export const canTry = (method: string, { security, responses }: Operation): boolean =>
  method === 'GET' && (security.length === 0 || security.some((way) => way.key)) && !('101' in responses);

/** Returns path and query of a call with these values; what is empty is left out. */
export function addressOf(path: string, { parameters }: Operation, values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: where } of parameters) {
    const value = (values[name] ?? '').trim();
    // The browser would take these for folders and call another address.
    if (where === 'path' && (value === '' || /^\.{1,2}$/.test(value))) throw new ApiError(`${name}: is missing.`, 0);
    if (where === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    if (where === 'query' && value !== '') query.set(name, value);
  }
  return query.size > 0 ? `${filled}?${query}` : filled;
}

/** Returns the beginning of an answer; the rest is not fetched. */
async function beginningOf({ body }: Response): Promise<{ text: string; cut: boolean }> {
  const decoder = new TextDecoder();
  let text = '';
  let read = 0;
  for (const reader = body?.getReader(); reader; ) {
    const { done, value } = await reader.read();
    if (done) break;
    text += decoder.decode(value.subarray(0, MOST_READ_BYTES - read), { stream: true });
    read += value.length;
    if (read <= MOST_READ_BYTES) continue;
    await reader.cancel();
    return { text, cut: true };
  }
  return { text: text + decoder.decode(), cut: false };
}

/** Lays out a JSON text in lines. */
function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/**
 * Calls an address of this page's own origin with a key, or without one, and never with the user's cookies.
 * @throws ApiError if the key cannot be one, or no answer came.
 */
export async function tryCall(path: string, key: string): Promise<Tried> {
  if (!/^[\x21-\x7e]*$/.test(key)) throw new ApiError('The key has characters that no key has.', 0);
  const start = performance.now();
  const unreached = () => {
    throw new ApiError('No answer came. Check your connection and try again.', 0);
  };
  const response = await fetch(new URL(path, location.origin), {
    headers: key === '' ? {} : { authorization: `Bearer ${key}` },
    credentials: 'omit',
    redirect: 'error',
    cache: 'no-store',
  }).catch(unreached);
  const type = response.headers.get('content-type') ?? '';
  const told = { path, status: response.status, type, ms: Math.round(performance.now() - start) };
  if (!IS_TEXT.test(type)) {
    await response.body?.cancel();
    return { ...told, text: null, cut: false };
  }
  const { text, cut } = await beginningOf(response).catch(unreached);
  return { ...told, text: cut ? text : laidOut(text), cut };
}
