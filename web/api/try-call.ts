import { message, t } from '../../domain/language/text.ts';
import { ApiError, fieldError } from './client.ts';
import type { Operation } from './openapi.ts';

/** A received answer. */
export interface Tried {
  /** Path and query. */
  path: string;
  status: number;
  type: string;
  ms: number;
  /** The text, possibly cut; null for binary files. */
  text: string | null;
  /** True if the answer was longer than the text read. */
  cut: boolean;
}

/** Maximum read and shown, because a whole board is 100 MB. */
export const MOST_READ_BYTES = 200_000;

const IS_TEXT = /^text\/|json/;

/** Returns whether the page can try a call: it only reads, and needs an API key or no authentication. */
export const canTry = (method: string, { security, responses }: Operation): boolean =>
  method === 'GET' && (security.length === 0 || security.some((way) => way.key)) && !('101' in responses);

/** Builds the path and query of a call; omits empty values. */
export function addressOf(path: string, { parameters }: Operation, values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, in: where } of parameters) {
    const value = (values[name] ?? '').trim();
    // Browsers resolve `.` and `..` segments, which would call another URL.
    if (where === 'path' && (value === '' || /^\.{1,2}$/.test(value)))
      throw fieldError(name, message('is missing.'), 0);
    if (where === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    if (where === 'query' && value !== '') query.set(name, value);
  }
  return query.size > 0 ? `${filled}?${query}` : filled;
}

/** Reads the beginning of an answer and cancels the rest. */
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

/** Formats a JSON text; returns other texts unchanged. */
function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/**
 * Calls a URL on this page's origin with the given key, or without one if it is empty. Never sends the user's cookies.
 * @throws ApiError if the key has invalid characters or no answer arrives.
 */
export async function tryCall(path: string, key: string): Promise<Tried> {
  if (!/^[\x21-\x7e]*$/.test(key)) throw new ApiError(t('The key has characters that no key has.'), 0);
  const start = performance.now();
  const unreached = () => {
    throw new ApiError(t('No answer came. Check your connection and try again.'), 0);
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
