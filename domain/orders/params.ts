import { MAX_KINGDOM } from '../games/game-names.ts';
import { message, type Sentence, sentence } from '../language/text.ts';
import { MAX_ITEMS_PER_ORDER, type Product } from './catalogue.ts';
import { listOf, numberOf, outOfBounds, type Params } from './pricing.ts';

/** Checks the values filled in for a product. */

/** The fields of a product that its order form needs; the browser gets them from the API. */
type Orderable = Pick<Product, 'name' | 'fields' | 'kingdoms'>;

/** What is wrong with a parameter; `name` is its key. */
interface ParamFlaw {
  name: string;
  text: Sentence;
  /** True for the specification's alert, whose text already names the field. */
  named?: true;
}

/** Returns the first flaw in an entry's parameters, or null. */
export function paramFlaw(product: Orderable, params: Params): ParamFlaw | null {
  const known = new Set(product.fields.map((field) => field.name));
  const unknown = Object.keys(params).find((name) => !known.has(name));
  if (unknown !== undefined)
    return { name: unknown, text: sentence('{product} has no such field.', { product: { message: product.name } }) };
  for (const field of product.fields) {
    const { name } = field;
    const value = params[name];
    const bounds = outOfBounds(field, value);
    if (bounds) return { name, text: bounds, named: true };
    if (field.type === 'boolean' && value !== undefined && typeof value !== 'boolean')
      return { name, text: { message: message('must be true or false.') } };
    if (field.type === 'list' && !Array.isArray(value) && typeof value !== 'string')
      return { name, text: { message: message('must be a list.') } };
    if (field.options && value !== undefined && !field.options.includes(String(value)))
      return { name, text: sentence('must be one of {options}.', { options: field.options.join(', ') }) };
    if (field.max !== undefined && !Number.isInteger(numberOf(value)))
      return { name, text: { message: message('must be a whole number.') } };
  }
  return kingdomsFlaw(product, params);
}

function kingdomsFlaw(product: Orderable, params: Params): ParamFlaw | null {
  const name = product.kingdoms;
  const entries = listOf(params[name]);
  if (entries.length === 0) return { name, text: { message: message('name at least one.') } };
  if (entries.length > MAX_ITEMS_PER_ORDER)
    return { name, text: sentence('more than {count} in one order.', { count: MAX_ITEMS_PER_ORDER }) };
  const odd = entries.find((entry) => !/^[1-9]\d{0,4}$/.test(entry) || Number(entry) > MAX_KINGDOM);
  return odd === undefined
    ? null
    : {
        name,
        text: sentence("'{text}' is not a number from {from} to {to}.", {
          text: odd.slice(0, 40),
          from: 1,
          to: MAX_KINGDOM,
        }),
      };
}

/**
 * Returns the first flaw in an entry's parameters as a sentence that names the field, or null. Bounds use the
 * specification's alert text in both browser and server.
 */
export function checkParams(product: Orderable, params: Params): Sentence | null {
  const flaw = paramFlaw(product, params);
  return flaw && (flaw.named ? flaw.text : { ...flaw.text, at: flaw.name });
}
