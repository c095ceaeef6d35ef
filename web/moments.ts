import { momentOf as writtenMoment } from '../domain/moments.ts';

/** Moments and days in UTC as the fields of forms have them. A year of five digits can be typed there, and is none of ours. */

/** What is said, after a field's name, where what stands in it is no moment. */
export const NO_MOMENT = 'write a day and a time, in UTC.';

/** A moment as it is typed, '2026-03-01T12:00' or with a space, in epoch milliseconds; null where it is none. */
export function momentOf(text: string): number | null {
  const [, day, time] = /^(\S+)[T ]([\d:]+)Z?$/.exec(text.trim()) ?? [];
  return day === undefined ? null : writtenMoment(`${day}T${time}Z`);
}

/** What a field shows for a moment. */
export const momentText = (ts: number): string => new Date(ts).toISOString().slice(0, 16);
