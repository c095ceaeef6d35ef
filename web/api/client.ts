import type { QueryFunctionContext } from '@tanstack/react-query';
import type { RefusalReason } from '../../domain/accounts/account.ts';
import { BOOKMARK_HEADER } from '../../domain/bookmark.ts';
import { locale } from '../../domain/language/current.ts';
import { type Locale, preferredLocale } from '../../domain/language/locales.ts';
import { say, t } from '../../domain/language/text.ts';
import type { AnsweredCode } from '../../domain/service/refusals.ts';
import { headSettings } from '../page-settings.ts';

/** Unwraps API answers. Every failure becomes an ApiError with a message for the user. */

/** Returns the API's origin; empty if it is the page's own. Only in a browser. */
export const apiBase = (): string => headSettings().api;

/** Sends a public read. */
export type Ask = (path: string, signal: AbortSignal) => Promise<Response>;

/** The language of refusals whose call names none. */
const browserLocale = (): Locale => preferredLocale(navigator.languages.join(','));

/**
 * Without cookies and own headers, so that the edge can cache the answer and the browser can use what it preloaded.
 * A refusal is then in the browser's language. If the page's is another, it is asked for again in that. Failures of the
 * service are not, because they are retried anyway.
 */
const askApi: Ask = async (path, signal) => {
  const address = `${apiBase()}${path}`;
  const answer = await fetch(address, { signal });
  if (answer.ok || answer.status >= 500 || browserLocale() === locale()) return answer;
  const again = await fetch(address, { headers: languageHeader(), signal }).catch(() => null);
  signal.throwIfAborted();
  if (again) void answer.body?.cancel();
  return again ?? answer;
};

declare module '@tanstack/react-query' {
  interface Register {
    /** `ask` replaces requests to the API, for pages that the Worker renders (web/server.tsx). */
    queryMeta: { ask?: Ask };
  }
}

export class ApiError extends Error {
  override name = 'ApiError';
  /** HTTP status; 0 if no answer arrived. */
  readonly status: number;
  /** Tells a page what to do besides showing the message. */
  readonly reason: RefusalReason | undefined;
  /** Why the call was refused; undefined if the service did not say. */
  readonly code: AnsweredCode | undefined;

  constructor(message: string, status: number, reason?: RefusalReason, code?: AnsweredCode) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.code = code;
  }
}

/** Returns the error of a form's field. `flaw` is a marked message. */
export const fieldError = (name: string, flaw: string, status = 400): ApiError =>
  new ApiError(say({ message: flaw, at: name }), status);

let seen = '';

/** Remembers a position in the database's history. Later reads see at least that. */
export function noteBookmark(bookmark: string | null): void {
  // Later positions sort last.
  if (bookmark && bookmark > seen) seen = bookmark;
}

/** Returns the header with the latest known position, if there is one. */
export const bookmarkHeader = (): Record<string, string> => (seen ? { [BOOKMARK_HEADER]: seen } : {});

/** Returns the header with the page's language, for refusals. */
export const languageHeader = (): Record<string, string> => ({ 'accept-language': locale() });

/** Returns the headers of a user's calls. */
export const callHeaders = (): Record<string, string> => ({ ...languageHeader(), ...bookmarkHeader() });

interface Refused {
  success: 0;
  msg: string;
  code?: AnsweredCode;
  reason?: RefusalReason;
  request_id?: string;
}

/** The part of a response that this file reads. */
interface Answer {
  status: number;
  json(): Promise<unknown>;
}

/** The success data of a route's response type. */
type DataOf<Response extends Answer> = Extract<
  Awaited<ReturnType<Response['json']>>,
  { success: 1; data: unknown }
>['data'];

/**
 * Returns the data from an answer's envelope (specification, section 7).
 * @throws ApiError with the server's `msg` and status, or status 0 if no answer arrived.
 */
export async function dataOf<Response extends Answer>(request: Promise<Response>): Promise<DataOf<Response>> {
  const response = await reached(request);
  // The route's type includes neither refusals nor error pages of a proxy.
  const envelope = (await response.json().catch(() => null)) as { success: 1; data: DataOf<Response> } | Refused | null;
  if (envelope?.success === 1) return envelope.data;
  const said =
    envelope?.msg ??
    t('Something went wrong on our side ({status}). Try again in a minute.', { status: String(response.status) });
  // Support can find the failure in the log by this id.
  const sentence =
    response.status === 500 && envelope?.request_id
      ? t('{said} Request {id}.', { said, id: envelope.request_id })
      : said;
  throw new ApiError(sentence, response.status, envelope?.reason, envelope?.code);
}

/**
 * Returns public data, in the browser or while the Worker renders the page.
 * @throws ApiError like `dataOf`.
 */
export const publicData = <Data>(
  path: string,
  { signal, meta }: Pick<QueryFunctionContext, 'signal' | 'meta'>,
): Promise<Data> => {
  const answer: Promise<{ status: number; json(): Promise<{ success: 1; data: Data }> }> = (meta?.ask ?? askApi)(
    path,
    signal,
  );
  return dataOf(answer);
};

/** Sends a user's call without the typed client, which first pages do not load. A body that is text is sent as JSON. */
export function send<Data>(path: string, init: RequestInit = {}): Promise<Data> {
  const answer: Promise<{ status: number; json(): Promise<{ success: 1; data: Data }> }> = fetch(
    `${apiBase()}${path}`,
    {
      credentials: 'include',
      ...init,
      headers: {
        ...callHeaders(),
        ...(typeof init.body === 'string' && { 'content-type': 'application/json' }),
        ...init.headers,
      },
    },
  );
  return dataOf(answer);
}

/** Returns an answer that is plain text without an envelope. @throws ApiError like `dataOf`. */
export async function textOf(request: Promise<Response>): Promise<string> {
  const response = await reached(request);
  if (response.ok) return response.text();
  return dataOf(Promise.resolve(response));
}

const reached = <Reply>(request: Promise<Reply>): Promise<Reply> =>
  request.catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(t('Muster could not be reached. Check your connection and try again.'), 0);
  });

/** Returns the message to show for any thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
