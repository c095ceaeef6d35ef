import * as z from 'zod';
import { message } from '../../domain/language/text.ts';

/**
 * Sentences for zod issues whose schema has none of its own. They follow the field's name ('password: is missing.').
 */

const TYPES: Readonly<Record<string, string>> = {
  string: message('must be a text.'),
  number: message('must be a number.'),
  int: message('must be a whole number.'),
  boolean: message('must be true or false.'),
  array: message('must be a list.'),
  object: message('must be an object.'),
  record: message('must be an object.'),
};

const FORMATS: Readonly<Record<string, string>> = {
  email: message('must be an e-mail address.'),
  url: message('must be an address such as https://muster.example/page.'),
  uuid: message('must be an id such as 0f8fad5b-d9cb-469f-a165-70867728950e.'),
  date: message('must be a day such as 2026-11-21.'),
  datetime: message('must be a time such as 2026-11-21T18:00:00Z.'),
};

const exact = (count: number | bigint): string => count.toLocaleString('en-US', { maximumFractionDigits: 20 });

/** Units of limits, by kind of value. Numbers and units are English: `flawSentence` translates the whole sentence. */
const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  object: ['entry', 'entries'],
  record: ['entry', 'entries'],
  set: ['entry', 'entries'],
};

const lengthOf = (limit: number | bigint, [one, many]: readonly [one: string, many: string]): string =>
  `${exact(limit)} ${Number(limit) === 1 ? one : many}`;

type Limit = { origin: string; limit: number | bigint; inclusive: boolean | undefined };

function tooSmall({ origin, limit, inclusive }: Limit): string {
  const unit = UNITS[origin];
  if (unit) return Number(limit) === 1 ? message('must not be empty.') : `must have ${lengthOf(limit, unit)} or more.`;
  return inclusive === false ? `must be above ${exact(limit)}.` : `must be ${exact(limit)} or more.`;
}

function tooBig({ origin, limit, inclusive }: Limit): string {
  const unit = UNITS[origin];
  if (unit) return `must have ${lengthOf(limit, unit)} at most.`;
  return inclusive === false ? `must be below ${exact(limit)}.` : `must be ${exact(limit)} at most.`;
}

/** Joins the sentences of a union: 'must be a text or a number.' */
function eitherOf(kinds: readonly (readonly z.core.$ZodIssue[])[]): string {
  const told = new Set(kinds.map(([first]) => first?.message.replace(/^must be |\.$/g, '') ?? ''));
  return `must be ${[...told].join(' or ')}.`;
}

const written = (value: unknown): string => String(value);

/** Returns the sentence for an issue whose schema has none. */
function sentenceOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined && issue.code !== 'custom') return message('is missing.');
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? message('has the wrong type.');
    case 'too_small':
      return tooSmall({ origin: issue.origin, limit: issue.minimum, inclusive: issue.inclusive });
    case 'too_big':
      return tooBig({ origin: issue.origin, limit: issue.maximum, inclusive: issue.inclusive });
    case 'not_multiple_of':
      return `must be a multiple of ${exact(issue.divisor)}.`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? message('has the wrong format.');
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${written(issue.values[0])}.`
        : `must be one of ${issue.values.map(written).join(', ')}.`;
    case 'unrecognized_keys':
      return `has unknown fields: ${issue.keys.slice(0, 5).join(', ').slice(0, 200)}.`;
    case 'invalid_union':
      return eitherOf(issue.errors);
    case 'invalid_key':
      return issue.issues[0]?.message ?? message('has an invalid name.');
    case 'invalid_element':
      return issue.issues[0]?.message ?? message('has an invalid entry.');
    default:
      return message('is invalid.');
  }
}

z.config({ customError: sentenceOf });
