import type * as z from 'zod';
import { message, type Sentence, sentence } from '../language/text.ts';

/**
 * Sentences about invalid fields of a call. A schema writes one in English with its limits in it. To translate it, it
 * is taken apart into a message and its values. Rules that pages check too give theirs as `flawIssue`.
 */

const FLAWS = [
  message('must be one of {options}.'),
  message('must have {count} characters at most.'),
  message('must have at most {count} characters.'),
  message('must be at most {count} characters.'),
  message('must be {count} characters at most.'),
  message('must be at least {count} characters.'),
  message('must have {count} characters or more.'),
  message('must have {count} entries at most.'),
  message('must have {count} entries or more.'),
  message('must be {count} orders at most.'),
  message('must be {count} minutes (a week) at most.'),
  message('must be {count} minutes or more.'),
  message('must be {count} hours (a week) at most.'),
  message('must be {count} hours or more.'),
  message('must be numbers from {from} to {to}, separated by commas.'),
  message('must be from {from} to {to}.'),
  message('must be a multiple of {number}.'),
  message('must be above {number}.'),
  message('must be below {number}.'),
  message('must be {number} or more.'),
  message('must be {number} or less.'),
  message('must be {number} at most.'),
  message('must be at least {number}.'),
  message('must be the address of a {service} webhook: {looks}.'),
  message('must be "all" or a list of {count} kingdom numbers at most.'),
  message("'{value}' is not a whole number."),
  message("'{value}' is not a day such as 2026-01-31."),
  message('{name} cannot be used as a name.'),
  message('has unknown fields: {names}.'),
  message('The request has unknown fields: {names}.'),
].map((text) => ({ text, pieces: text.split(/\{(\w+)\}/) }));

/** Names of values that are numbers. */
const NUMBERS = new Set(['count', 'number', 'from', 'to']);

/** Returns the values of a message in a text, or null if the text is not made of it. `pieces` alternate with names. */
function valuesIn(text: string, pieces: readonly string[]): Record<string, string | number> | null {
  const [first = '', ...rest] = pieces;
  if (!text.startsWith(first)) return null;
  const values: Record<string, string | number> = {};
  let at = first.length;
  for (let index = 0; index < rest.length; index += 2) {
    const [name = '', piece = ''] = rest.slice(index, index + 2);
    const end = index + 2 === rest.length ? text.length - piece.length : text.indexOf(piece, at);
    if (end < at || !text.startsWith(piece, end)) return null;
    const value = text.slice(at, end);
    if (NUMBERS.has(name) && !/^-?[\d,.]+$/.test(value)) return null;
    values[name] = NUMBERS.has(name) ? Number(value.replaceAll(',', '')) : value;
    at = end + piece.length;
  }
  return values;
}

/** Ends a text as a sentence. */
export const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Returns what a schema says about a field, so that it can be said in another language. */
export function flawSentence(said: string): Sentence {
  const text = ended(said);
  for (const { text: known, pieces } of FLAWS) {
    const values = valuesIn(text, pieces);
    if (values) return sentence(known, values);
  }
  return { message: text };
}

/** Returns the sentence of an issue, which a `flawIssue` carries. */
export const issueSentence = (issue: z.core.$ZodIssue): Sentence =>
  (issue.code === 'custom' && (issue.params?.flaw as Sentence | undefined)) || flawSentence(issue.message);
