import { isDay } from './days.ts';

const WRITTEN =
  /^(\d{4}-\d\d-\d\d)(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;

/** How far the clocks of bots, callers and files may be ahead of ours. */
export const CLOCK_SKEW_MS = 5 * 60_000;

/** True if nothing can have been read at this time yet (both in epoch milliseconds). */
export const isFuture = (time: number, now: number): boolean => time > now + CLOCK_SKEW_MS;

/**
 * Parses an ISO day or time to epoch milliseconds, in UTC if it names no zone. Null for anything else, including 30
 * February, which `Date.parse` alone takes for 2 March.
 */
export function momentOf(text: string): number | null {
  const [, day, zone] = WRITTEN.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return null;
  return Date.parse(zone || text === day ? text : `${text}Z`);
}
