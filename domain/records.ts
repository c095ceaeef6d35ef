import * as z from 'zod';
import { exact } from './figures.ts';

/** API records whose keys the caller chooses. */

const UNREAL_KEY = '__proto__';

/**
 * Refuses the key `__proto__`, which JSON allows but zod and object literals silently drop, so that no input is lost.
 */
export const ownRecord = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value, context) => {
    if (typeof value === 'object' && value !== null && Object.hasOwn(value, UNREAL_KEY))
      context.addIssue({ code: 'custom', message: `${UNREAL_KEY} cannot be used as a name.` });
    return value;
  }, schema);

export const MAX_RECORD_KEYS = 20;
/** Total characters of all keys and values: twice the longest list of kingdoms in an order. */
export const MAX_RECORD_LENGTH = 80_000;

const isPlain = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

const lengthOf = (value: unknown): number =>
  Array.isArray(value) ? value.reduce<number>((sum, each) => sum + String(each).length + 1, 0) : String(value).length;

/** Returns why a record is too large or nested, as a sentence; null if it is not. */
function recordFlaw(record: Record<string, unknown>): string | null {
  const keys = Object.keys(record);
  if (keys.length > MAX_RECORD_KEYS) return `has ${keys.length} entries; at most ${MAX_RECORD_KEYS} are allowed.`;
  let length = 0;
  for (const key of keys) {
    const value = record[key];
    if (!(isPlain(value) || (Array.isArray(value) && value.every(isPlain))))
      return `${key}: must be a text, a number, true or false, or a list of such.`;
    length += key.length + lengthOf(value);
  }
  return length > MAX_RECORD_LENGTH
    ? `has ${exact(length)} characters; at most ${exact(MAX_RECORD_LENGTH)} are allowed.`
    : null;
}

/** Values of a form by field name: texts, numbers, switches and lists of them, within limits. */
export const formRecord = ownRecord(
  z.record(z.string().max(100), z.unknown()).superRefine((record, context) => {
    const message = recordFlaw(record);
    if (message) context.addIssue({ code: 'custom', message });
  }),
);
