import * as z from 'zod';
import { exact } from './figures.ts';

/** Records of the API whose keys the caller chooses. */

const UNREAL_KEY = '__proto__';

/**
 * A record as `schema` has it, without the one key that JSON may name and that zod and object literals drop in silence:
 * what was sent is refused, never lost.
 */
export const ownRecord = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value, context) => {
    if (typeof value === 'object' && value !== null && Object.hasOwn(value, UNREAL_KEY))
      context.addIssue({ code: 'custom', message: `${UNREAL_KEY} cannot be used as a name.` });
    return value;
  }, schema);

export const MAX_RECORD_KEYS = 20;
/** Characters of all keys and values together: twice what the longest order's list of kingdoms takes. */
export const MAX_RECORD_LENGTH = 80_000;

const isPlain = (value: unknown): boolean =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

const lengthOf = (value: unknown): number =>
  Array.isArray(value) ? value.reduce<number>((sum, each) => sum + String(each).length + 1, 0) : String(value).length;

/** Why a record is too large or too deep to look into, as a sentence; null where it is not. */
function recordFlaw(record: Record<string, unknown>): string | null {
  const keys = Object.keys(record);
  if (keys.length > MAX_RECORD_KEYS) return `has ${keys.length} entries; ${MAX_RECORD_KEYS} are the most.`;
  let length = 0;
  for (const key of keys) {
    const value = record[key];
    if (!(isPlain(value) || (Array.isArray(value) && value.every(isPlain))))
      return `${key}: must be a text, a number, true or false, or a list of such.`;
    length += key.length + lengthOf(value);
  }
  return length > MAX_RECORD_LENGTH
    ? `has ${exact(length)} characters; ${exact(MAX_RECORD_LENGTH)} are the most.`
    : null;
}

/** What a form's fields hold, by the fields' names: texts, numbers, switches and lists of them, within bounds. */
export const formRecord = ownRecord(
  z.record(z.string().max(100), z.unknown()).superRefine((record, context) => {
    const message = recordFlaw(record);
    if (message) context.addIssue({ code: 'custom', message });
  }),
);
