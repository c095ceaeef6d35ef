import { setTimeout as sleep } from 'node:timers/promises';
import type * as z from 'zod';
import type { Failure, HandIn, HandInOutcome, heartbeat, lease, Preparation, Task } from '../domain/fleet/contract.ts';
import type { folderReport } from '../domain/scans/file-report.ts';

/** The calls of docs/fleet-api.md. Each returns its data or throws a `CallError`. */
export interface FleetClient {
  /** Returns the service's time in epoch milliseconds and the length of a lease. */
  heartbeat(beat: z.input<typeof heartbeat>): Promise<{ now: number; lease_seconds: number }>;
  lease(wish: z.input<typeof lease>): Promise<LeaseAnswer>;
  handIn(rows: HandIn): Promise<HandedIn>;
  fail(failure: Failure): Promise<void>;
  prepare(preparation: Preparation): Promise<void>;
  tellFiles(report: z.input<typeof folderReport>): Promise<void>;
}

export interface LeaseAnswer {
  tasks: Task[];
  /** Longest wait before a bot that got nothing asks again, in ms. */
  ask_again_ms: number;
}

export interface HandedIn {
  results: { subtask_id: number; outcome: HandInOutcome }[];
  /** Subtasks leased with the same call; empty if `next` was omitted. */
  tasks: Task[];
  /** When to ask for work, in ms. Set only if the service was too busy to lease any. */
  ask_again_ms?: number;
}

/** A call without data: refused (`status` 400 and up) or unanswered (`status` 0). */
export class CallError extends Error {
  readonly status: number;
  /** The answer's `Retry-After`. */
  readonly retryAfter: string | null;

  constructor(status: number, message: string, retryAfter: string | null = null) {
    super(message);
    this.name = 'CallError';
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** True if the service understood the call and refused it, so that a retry is pointless. */
  get refused(): boolean {
    return this.status >= 400 && this.status < 500 && this.status !== 429;
  }
}

export interface ClientOptions {
  /** Address of the service, such as `http://localhost:8787`. */
  url: string;
  /** Bearer token of the bot's group. */
  token: string;
  /** Replaces the global fetch. */
  fetch?: (input: string, init: RequestInit) => Promise<Response>;
  /** Aborts pending calls. */
  signal?: AbortSignal;
  /** How often a call is attempted before it fails. */
  tries?: number;
}

/** Long, because repeating a call adds load to a slow service. In ms. */
const TIMEOUT_MS = 90_000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
/** If the service asks for a longer wait, the call fails and the caller retries later. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/**
 * Returns the wait before the next attempt, in ms, or null if retrying is pointless. Only calls without an answer, with
 * status 500 and up, or with 429 are retried. `tried` counts the attempts so far. `chance` (0 up to 1) adds jitter for
 * bots that failed together.
 */
export function waitBefore(
  tried: number,
  { status, retryAfter }: Pick<CallError, 'status' | 'retryAfter'>,
  chance: number,
  now: number,
): number | null {
  if (status !== 0 && status !== 429 && status < 500) return null;
  const asked = retryAfterMs(retryAfter, now);
  if (asked !== null) return asked > LONGEST_RETRY_AFTER_MS ? null : asked * (1 + chance / 4);
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tried - 1)) * (0.5 + chance / 2);
}

/** Parses `Retry-After`, a number of seconds or a date (RFC 9110, 10.2.3), into ms. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null || header.trim() === '') return null;
  const at = /^\s*\d+\s*$/.test(header) ? now + Number(header) * 1000 : Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/**
 * Creates a client of the fleet API. Retries are safe: a hand-in counts once, and a lease whose answer was lost
 * expires.
 */
export function fleetClient({ url, token, fetch: send = fetch, signal, tries = 5 }: ClientOptions): FleetClient {
  const base = url.replace(/(?<!\/)\/+$/, '');

  async function attempt<Data>(path: string, body: string): Promise<Data> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const response = await send(`${base}/v1/fleet/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const envelope = (await response.json().catch(() => null)) as { success?: number; data: Data; msg?: string } | null;
    if (response.ok && envelope?.success === 1) return envelope.data;
    const message = envelope?.msg ?? `The service answered ${response.status} without a reason.`;
    throw new CallError(response.ok ? 502 : response.status, message, response.headers.get('retry-after'));
  }

  async function call<Data>(path: string, payload: unknown): Promise<Data> {
    const body = JSON.stringify(payload);
    for (let tried = 1; ; tried++) {
      try {
        return await attempt<Data>(path, body);
      } catch (error) {
        signal?.throwIfAborted();
        const failed = error instanceof CallError ? error : unanswered(error);
        const wait = waitBefore(tried, failed, Math.random(), Date.now());
        if (wait === null || tried >= tries) throw failed;
        await sleep(wait, undefined, { signal });
      }
    }
  }

  return {
    heartbeat: (beat) => call('heartbeat', beat),
    lease: (wish) => call('lease', wish),
    handIn: (rows) => call('rows', rows),
    fail: (failure) => call('fail', failure),
    prepare: (preparation) => call('prepare', preparation),
    tellFiles: (report) => call('files', report),
  };
}

function unanswered(error: unknown): CallError {
  const { message, cause, name } = error as Error & { cause?: { code?: string; message?: string } };
  const why = name === 'TimeoutError' ? 'no answer in time' : (cause?.code ?? cause?.message ?? message);
  return new CallError(0, `The service could not be reached (${why}). The agent tries again until it can be.`);
}
