import { env } from 'cloudflare:workers';
import type { LimitName } from '../../worker/gateways/rate-limits.ts';
import settings from '../../wrangler.toml?raw';

/** Calls and seconds of every rate limiter at the top of wrangler.toml. */
export const LIMITS = Object.fromEntries(
  [
    ...(settings.split('[env.', 1)[0] ?? '').matchAll(
      /\[\[ratelimits\]\]\nname = "(\w+)"\nnamespace_id = "\d+"\nsimple = \{ limit = (\d+), period = (\d+) \}/g,
    ),
  ].map(([, name, calls, seconds]) => [name, { calls: Number(calls), seconds: Number(seconds) }]),
) as Record<LimitName, { calls: number; seconds: number }>;

/**
 * A rate limiter like the platform's, on a clock that the test controls. The platform's own resets with the real
 * minute.
 */
export class ClockedLimit implements RateLimit {
  /** Milliseconds. */
  now = 0;
  readonly #calls: number;
  readonly #seconds: number;
  readonly #counts = new Map<string, number>();

  constructor({ calls, seconds }: { calls: number; seconds: number }) {
    this.#calls = calls;
    this.#seconds = seconds;
  }

  async limit({ key }: RateLimitOptions): Promise<RateLimitOutcome> {
    const name = `${Math.floor(this.now / (this.#seconds * 1000))} ${key}`;
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return { success: count <= this.#calls };
  }
}

/** Replaces a rate limiter for this test file by one with the same calls and seconds on a controlled clock. */
export function clocked(name: LimitName): ClockedLimit {
  const limit = new ClockedLimit(LIMITS[name]);
  (env as Record<LimitName, RateLimit>)[name] = limit;
  return limit;
}
