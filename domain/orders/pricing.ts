import { separated } from '../amounts.ts';
import { exact } from '../figures.ts';
import { message, type Sentence, sentence } from '../language/text.ts';
import type { Cents } from '../money/money.ts';
import { entriesOf, narrow, ungrouped } from '../narrow.ts';
import { type Field, MAX_ITEMS_PER_ORDER, type Product } from './catalogue.ts';

/** Values filled in for a product: lists of numbers as text, counts as numbers or text, switches. */
export type Params = Record<string, unknown>;

/** The fields of a product that decide its price. Names are those of the API, amounts whole cents. */
export interface Tariff {
  price: Cents;
  price_field: string | null;
  price_extra: Cents | null;
  price_chunk: number | null;
  fields: readonly Pick<Field, 'name' | 'type' | 'price_per_unit'>[];
}

/**
 * Parsing stops here, because longer lists are refused anyway. This keeps a range from 1 to 99,999 from being expanded.
 */
const MOST_LISTED = MAX_ITEMS_PER_ORDER + 1;

/** Expands '1001-1004' to at most `most` numbers. Returns any other entry unchanged. */
function numbersOf(entry: string, most: number): string[] {
  const [, one, other] = /^([1-9]\d{0,4})-([1-9]\d{0,4})$/.exec(entry) ?? [];
  if (one === undefined || other === undefined) return [entry];
  const [first, last] = [Math.min(Number(one), Number(other)), Math.max(Number(one), Number(other))];
  return Array.from({ length: Math.min(last - first + 1, most) }, (_, index) => String(first + index));
}

/** Splits a text into its entries, and expands ranges. */
function writtenOut(text: string): string[] {
  const found = new Set<string>();
  for (const entry of entriesOf(narrow(text).replaceAll(/(\d)\s*[-\u2013\u2014~\u301c]\s*(?=\d)/g, '$1-'))) {
    if (found.size >= MOST_LISTED) break;
    for (const one of numbersOf(entry, MOST_LISTED)) found.add(one);
  }
  return [...found];
}

/**
 * Returns the distinct entries of a list field, from an array or a text, without blanks. The specification splits on
 * commas; people also paste lists with spaces, semicolons and lines, and ranges like 1001-1004.
 */
export function listOf(value: unknown): string[] {
  const entries = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? writtenOut(value) : [];
  return [...new Set(entries.map((entry) => entry.trim()))].filter((entry) => entry !== '');
}

/**
 * Parses the count in a text field; null if it is not one. '1,200' is 1200, and so are '1.200' and '1 200', because
 * pages write it so in other languages. '3x' is none.
 */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  const [, minus, digits] = /^(-?)(\d(?:[\d.,]*\d)?)$/.exec(ungrouped(value)) ?? [];
  const number = digits === undefined ? null : separated(digits, null);
  return number && minus ? -number : number;
}

/** Returns how many units an entry buys: the product of the lengths of its per-unit lists, 1 without such lists. */
export const unitsOf = (tariff: Pick<Tariff, 'fields'>, params: Params): number =>
  tariff.fields
    .filter((field) => field.price_per_unit)
    .reduce((units, field) => units * listOf(params[field.name]).length, 1);

/**
 * Returns the price of one entry in whole cents (specification, section 9): the price times the units. If there is a
 * price field with `price_extra`, the extra is added per unit when the field is set. Without an extra, the price is
 * multiplied by the field's number divided by `price_chunk`, rounded up. The browser shows this price and the server
 * charges it.
 */
export function priceOf(tariff: Tariff, params: Params): Cents {
  const units = unitsOf(tariff, params);
  if (tariff.price_field === null) return tariff.price * units;
  const value = params[tariff.price_field];
  if (tariff.price_extra !== null) {
    const set = value === true || (typeof value !== 'boolean' && value != null && String(value).trim() !== '');
    return (tariff.price + (set ? tariff.price_extra : 0)) * units;
  }
  const count = numberOf(value) ?? 0;
  const chunks = tariff.price_chunk ? Math.ceil(Math.max(0, count) / tariff.price_chunk) : 1;
  return tariff.price * chunks * units;
}

/** Returns the specification's alert if a value is out of bounds or not a number; null if it is valid. */
export function outOfBounds(field: Field, value: unknown): Sentence | null {
  if (field.min === undefined && field.max === undefined) return null;
  const number = numberOf(value);
  const fits = number !== null && number >= (field.min ?? -Infinity) && number <= (field.max ?? Infinity);
  return fits
    ? null
    : sentence('The following value is out-of-bounds for {field}: {value}', {
        field: { message: field.display },
        value: String(value ?? ''),
      });
}

/** Returns the kingdoms of an entry, in the given order. */
export const kingdomsOf = (product: Pick<Product, 'kingdoms'>, params: Params): string[] =>
  listOf(params[product.kingdoms]);

/** Formats a parameter for customers, in English: Yes and No for switches, commas between list entries. */
function shownOf(param: unknown): string {
  if (typeof param === 'boolean') return param ? message('Yes') : message('No');
  if (typeof param === 'number') return exact(param);
  return Array.isArray(param) ? param.join(', ') : String(param);
}

/** Returns display names and values of the parameters that are set. */
export const shownFields = (
  fields: readonly Pick<Field, 'name' | 'display'>[],
  params: Params,
): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap(({ name, display }) => (params[name] == null ? [] : [[display, shownOf(params[name])]])),
  );

/** Normalises parameters for storage and display: lists as lists of texts, counts as numbers. */
export const plainParams = (fields: readonly Field[], params: Params): Params =>
  Object.fromEntries(
    fields.flatMap((field) =>
      params[field.name] == null ? [] : [[field.name, plainParam(field, params[field.name])]],
    ),
  );

function plainParam(field: Field, value: unknown): unknown {
  if (field.type === 'list') return listOf(value);
  if (field.min === undefined && field.max === undefined) return value;
  return numberOf(value) ?? value;
}
