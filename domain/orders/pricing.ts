import { exact } from '../figures.ts';
import type { Cents } from '../money/money.ts';
import { type Field, MAX_ITEMS_PER_ORDER, type Product } from './catalogue.ts';

/** What a customer fills in for a product: lists of numbers as text, counts as numbers or text, switches. */
export type Params = Record<string, unknown>;

/** The parts of a product that decide its price: the same names as on the wire, amounts in whole cents. */
export interface Tariff {
  price: Cents;
  price_field: string | null;
  price_extra: Cents | null;
  price_chunk: number | null;
  fields: readonly Pick<Field, 'name' | 'type' | 'price_per_unit'>[];
}

/** Entries past the most that an order takes are refused in any case: a range from 1 to 99,999 is not written out for that. */
const MOST_LISTED = MAX_ITEMS_PER_ORDER + 1;

/** '1001-1004' as its numbers, at most so many; anything else is itself. */
function numbersOf(entry: string, most: number): string[] {
  const [, one, other] = /^([1-9]\d{0,4})-([1-9]\d{0,4})$/.exec(entry) ?? [];
  if (one === undefined || other === undefined) return [entry];
  const [first, last] = [Math.min(Number(one), Number(other)), Math.max(Number(one), Number(other))];
  return Array.from({ length: Math.min(last - first + 1, most) }, (_, index) => String(first + index));
}

/** What stands in a text between commas, semicolons, spaces and line ends, ranges written out. */
function writtenOut(text: string): string[] {
  const found = new Set<string>();
  for (const entry of text.replaceAll(/(\d)\s*[-–—]\s*(?=\d)/g, '$1-').split(/[\s,;]+/)) {
    if (found.size >= MOST_LISTED) break;
    for (const one of numbersOf(entry, MOST_LISTED)) found.add(one);
  }
  return [...found];
}

/**
 * The entries of a list field, each once: an array's, or what a text lists (the specification splits on commas; people
 * paste lists with spaces, semicolons and lines too, and write 1001-1004). Blanks are dropped.
 */
export function listOf(value: unknown): string[] {
  const entries = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? writtenOut(value) : [];
  return [...new Set(entries.map((entry) => entry.trim()))].filter((entry) => entry !== '');
}

/** The number in a text field, or null where it holds none. '1,200' and ' 300 ' are numbers, '3x' is not. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || !/^\s*-?\d[\d,]*(\.\d+)?\s*$/.test(value)) return null;
  return Number(value.replaceAll(',', ''));
}

/** How many units an entry buys: the product of the lengths of its per-unit lists, 1 where it has none. */
export const unitsOf = (tariff: Pick<Tariff, 'fields'>, params: Params): number =>
  tariff.fields
    .filter((field) => field.price_per_unit)
    .reduce((units, field) => units * listOf(params[field.name]).length, 1);

/**
 * The price of one entry in whole cents, by section 9 of the specification: the price times the units; with a price
 * field, `price_extra` is added once per unit where the field is set, or, without an extra, the field's number is
 * rounded up to a multiple of `price_chunk` and the price multiplied by the number of chunks. The browser shows this
 * and the server charges it.
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

/** The specification's alert where a field's value lies outside its bounds or is no number; null where it fits. */
export function outOfBounds(field: Field, value: unknown): string | null {
  if (field.min === undefined && field.max === undefined) return null;
  const number = numberOf(value);
  const fits = number !== null && number >= (field.min ?? -Infinity) && number <= (field.max ?? Infinity);
  return fits ? null : `The following value is out-of-bounds for ${field.display}: ${String(value ?? '')}`;
}

/** The kingdoms of an entry, in the order given. */
export const kingdomsOf = (product: Pick<Product, 'kingdoms'>, params: Params): string[] =>
  listOf(params[product.kingdoms]);

/** What a customer reads in place of a parameter: Yes and No for switches, commas between the entries of a list. */
function shownOf(param: unknown): string {
  if (typeof param === 'boolean') return param ? 'Yes' : 'No';
  if (typeof param === 'number') return exact(param);
  return Array.isArray(param) ? param.join(', ') : String(param);
}

/** Display names to display values of the parameters that are set. */
export const shownFields = (
  fields: readonly Pick<Field, 'name' | 'display'>[],
  params: Params,
): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap(({ name, display }) => (params[name] == null ? [] : [[display, shownOf(params[name])]])),
  );

/** Parameters as they are kept and shown, however they were sent: lists as lists of texts, counts as numbers. */
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
