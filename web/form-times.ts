import { message } from '../domain/language/text.ts';
import { momentOf as writtenMoment } from '../domain/moments.ts';

/** Parses and formats UTC times of form fields. Browsers accept years of five digits there; this file rejects them. */

/** Follows the field's name if its value is not a time. */
export const INVALID_TIME = message('write a day and a time, in UTC.');

/** Parses a typed time, '2026-03-01T12:00' or with a space, to epoch ms; null if invalid. */
export function parseTime(text: string): number | null {
  const [, day, time] = /^(\S+)[T ]([\d:]+)Z?$/.exec(text.trim()) ?? [];
  return day === undefined ? null : writtenMoment(`${day}T${time}Z`);
}

/** Formats a time for a form field. */
export const timeText = (ts: number): string => new Date(ts).toISOString().slice(0, 16);
