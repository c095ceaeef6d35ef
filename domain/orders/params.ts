import { exact } from '../figures.ts';
import { MAX_KINGDOM } from '../games/game-names.ts';
import { MAX_ITEMS_PER_ORDER, type Product } from './catalogue.ts';
import { listOf, outOfBounds, type Params } from './pricing.ts';

/** Checks the values filled in for a product. */

/** The fields of a product that its order form needs; the browser gets them from the API. */
export type Orderable = Pick<Product, 'name' | 'fields' | 'kingdoms'>;

/** What is wrong with a parameter; `name` is its key. */
export interface ParamFlaw {
  name: string;
  text: string;
  /** True for the specification's alert, whose text already names the field. */
  named?: true;
}

/** Returns the first flaw in an entry's parameters, or null. */
export function paramFlaw(product: Orderable, params: Params): ParamFlaw | null {
  const known = new Set(product.fields.map((field) => field.name));
  const unknown = Object.keys(params).find((name) => !known.has(name));
  if (unknown !== undefined) return { name: unknown, text: `${product.name} has no such field.` };
  for (const field of product.fields) {
    const { name } = field;
    const value = params[name];
    const bounds = outOfBounds(field, value);
    if (bounds) return { name, text: bounds, named: true };
    if (field.type === 'boolean' && value !== undefined && typeof value !== 'boolean')
      return { name, text: 'must be true or false.' };
    if (field.type === 'list' && !Array.isArray(value) && typeof value !== 'string')
      return { name, text: 'must be a list.' };
    if (field.options && value !== undefined && !field.options.includes(String(value)))
      return { name, text: `must be one of ${field.options.join(', ')}.` };
    if (field.max !== undefined && !Number.isInteger(Number(String(value).replaceAll(',', ''))))
      return { name, text: 'must be a whole number.' };
  }
  return kingdomsFlaw(product, params);
}

function kingdomsFlaw(product: Orderable, params: Params): ParamFlaw | null {
  const name = product.kingdoms;
  const entries = listOf(params[name]);
  if (entries.length === 0) return { name, text: 'name at least one.' };
  if (entries.length > MAX_ITEMS_PER_ORDER)
    return { name, text: `more than ${exact(MAX_ITEMS_PER_ORDER)} in one order.` };
  const odd = entries.find((entry) => !/^[1-9]\d{0,4}$/.test(entry) || Number(entry) > MAX_KINGDOM);
  return odd === undefined ? null : { name, text: `'${odd.slice(0, 40)}' is not a number from 1 to 99,999.` };
}

/**
 * Returns the first flaw in an entry's parameters as a sentence that names the field, or null. Bounds use the
 * specification's alert text in both browser and server.
 */
export function checkParams(product: Orderable, params: Params): string | null {
  const flaw = paramFlaw(product, params);
  return flaw && (flaw.named ? flaw.text : `${flaw.name}: ${flaw.text}`);
}
