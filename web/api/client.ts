import type { RefusalReason } from '../../domain/accounts/account.ts';
import { SETTINGS } from '../page-settings.ts';

/** One way to take an answer: what is wrong is always an ApiError with a sentence. */

/** The API's host; empty where it is the page's own. */
export const API_BASE: string = SETTINGS.api;

export class ApiError extends Error {
  override name = 'ApiError';
  /** HTTP status; 0 where no answer came at all. */
  readonly status: number;
  /** What a screen does besides showing the sentence. */
  readonly reason: RefusalReason | undefined;

  constructor(message: string, status: number, reason?: RefusalReason) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

interface Refused {
  success: 0;
  msg: string;
  reason?: RefusalReason;
  request_id?: string;
}

/** An answer of the API, as far as it is read here. */
interface Answer {
  status: number;
  json(): Promise<unknown>;
}

/** What a route answers when it succeeds, by the route's own type. */
type DataOf<Response extends Answer> = Extract<
  Awaited<ReturnType<Response['json']>>,
  { success: 1; data: unknown }
>['data'];

/**
 * The data of an answer, out of its envelope (specification, section 7).
 * @throws ApiError with the server's `msg` and status, or with status 0 when no answer came.
 */
export async function dataOf<Response extends Answer>(request: Promise<Response>): Promise<DataOf<Response>> {
  const response = await reached(request);
  // A refusal, or a page of some proxy between, is not in the route's type.
  const envelope = (await response.json().catch(() => null)) as { success: 1; data: DataOf<Response> } | Refused | null;
  if (envelope?.success === 1) return envelope.data;
  const said = envelope?.msg ?? `Something went wrong on our side (${response.status}). Try again in a minute.`;
  // Support finds a failure of ours in the log by it.
  const sentence = response.status === 500 && envelope?.request_id ? `${said} Request ${envelope.request_id}.` : said;
  throw new ApiError(sentence, response.status, envelope?.reason);
}

/**
 * The data of what everybody gets alike, fetched without the typed client's cookies and headers: so the page's head can
 * ask for it first (`preload` in worker/routes/pages.ts), and the edge answers every visitor.
 * @throws ApiError as `dataOf` does.
 */
export const publicData = <Data>(path: string, signal: AbortSignal): Promise<Data> => {
  const answer: Promise<{ status: number; json(): Promise<{ success: 1; data: Data }> }> = fetch(`${API_BASE}${path}`, {
    signal,
  });
  return dataOf(answer);
};

/**
 * An answer that is a text and no envelope: a file to be looked at.
 * @throws ApiError as `dataOf` does.
 */
export async function textOf(request: Promise<Response>): Promise<string> {
  const response = await reached(request);
  if (response.ok) return response.text();
  return dataOf(Promise.resolve(response));
}

const reached = <Reply>(request: Promise<Reply>): Promise<Reply> =>
  request.catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError('Muster could not be reached. Check your connection and try again.', 0);
  });

/** The sentence to show for anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
