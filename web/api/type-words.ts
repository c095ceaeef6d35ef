import { listed, message, t, words } from '../../domain/language/text.ts';
import { exact } from '../format.ts';

interface Schema {
  type?: string | string[];
  enum?: readonly unknown[];
  const?: unknown;
  format?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  maxLength?: number;
  default?: unknown;
}

const NOUNS: Readonly<Record<string, string>> = {
  integer: message('whole number'),
  number: message('number'),
  string: message('text'),
};
const FORMATS: Readonly<Record<string, string>> = { date: message('date (YYYY-MM-DD)'), uuid: 'UUID' };

function bounded(what: string, { minimum, exclusiveMinimum, maximum, maxLength }: Schema): string {
  const low = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1);
  if (low !== undefined && maximum !== undefined)
    return t('{what}, {low} to {high}', { what, low: exact(low), high: exact(maximum) });
  if (low !== undefined) return t('{what}, {low} or more', { what, low: exact(low) });
  return maxLength === undefined ? what : t('{what}, up to {length} characters', { what, length: exact(maxLength) });
}

const either = (choices: readonly string[]): string =>
  choices.length < 2
    ? (choices[0] ?? '')
    : t('{choices} or {last}', { choices: listed(choices.slice(0, -1)), last: choices.at(-1) ?? '' });

/** Says in words what a parameter's JSON Schema accepts: 'whole number, 1 to 1,000', 'rok or cod'. */
export function typeWords(schema: Schema): string {
  const choices = (schema.enum ?? (schema.const === undefined ? [] : [schema.const])).map(String).filter(Boolean);
  const nouns = [schema.type ?? []].flat().map((type) => words(NOUNS[type] ?? type));
  const format = FORMATS[schema.format ?? ''];
  const what = choices.length > 0 ? either(choices) : format ? words(format) : bounded(either(nouns), schema);
  return schema.default === undefined
    ? what
    : t('{what}; {value} if left out', { what, value: String(schema.default) });
}
