import { type Cents, dollars } from '../../../../domain/money/money.ts';
import { checkParams, type OrderEntry } from '../../../../domain/orders/contract.ts';
import { type Params, plainParams, priceOf, shownFields } from '../../../../domain/orders/pricing.ts';
import type { Offer } from '../../../api/products.ts';
import type { Timing } from './-timing.ts';

/** An order being filled in: what the form holds before it is submitted. */

/** What stands in an offer's fields: text as typed, switches as set. */
export type Values = Record<string, string | boolean>;

export interface DraftItem {
  id: string;
  name: string;
  price: Cents;
  entry: OrderEntry;
}

export interface Draft {
  items: DraftItem[];
  timing: Timing;
  /** Goes with every try to submit these very items at these times, so that they are charged once. */
  key: string;
}

export type DraftAction = { key: string } & (
  | { type: 'add'; item: DraftItem }
  | { type: 'remove'; id: string }
  | { type: 'fill'; items: DraftItem[] }
  | { type: 'time'; timing: Timing }
);

/** The draft after an action. Other items or times are another order, so every change takes the action's new key. */
export function draftReducer({ items, timing }: Draft, action: DraftAction): Draft {
  const { key } = action;
  switch (action.type) {
    case 'add':
      return { items: [...items, action.item], timing, key };
    case 'remove':
      return { items: items.filter((item) => item.id !== action.id), timing, key };
    case 'fill':
      return { items: action.items, timing, key };
    case 'time':
      return { items, timing: action.timing, key };
  }
}

/** The sum of the item prices. */
export const totalOf = (draft: Draft): Cents => draft.items.reduce((sum, item) => sum + item.price, 0);

/** What the fields of an offer start with. */
export const initialValues = (offer: Offer): Values =>
  Object.fromEntries(
    offer.fields.map((field) => [
      field.name,
      field.initial ?? (field.type === 'boolean' ? false : (field.options?.[0] ?? '')),
    ]),
  );

/** The parameters that filled-in fields stand for: lists split on commas, counts as numbers, switches as they are. */
export const paramsOf = (offer: Offer, values: Values): Params =>
  plainParams(offer.fields, Object.fromEntries(offer.fields.map(({ name }) => [name, values[name] ?? ''])));

/** The item that filled-in fields make, or the sentence that says why they make none. */
export const draftItem = (offer: Offer, values: Values, id: string): DraftItem | string =>
  itemOf(offer, paramsOf(offer, values), id);

/** An entry of an earlier order as an item at today's price, or the sentence that says why it can be none. */
export function reorderedItem(offers: readonly Offer[], entry: OrderEntry, id: string): DraftItem | string {
  const offer = offers.find((candidate) => candidate.id === entry.type);
  if (!offer?.ready) return `${entry.product_name ?? entry.type} cannot be ordered at present.`;
  return itemOf(offer, entry.params, id);
}

/** A sentence about a parameter, which the API names by its key, as one about the field that the customer sees. */
function named(offer: Offer, problem: string): string {
  const field = offer.fields.find(({ name }) => problem.startsWith(`${name}:`));
  return field ? field.display + problem.slice(field.name.length) : problem;
}

function itemOf(offer: Offer, params: Params, id: string): DraftItem | string {
  const problem = checkParams(offer, params);
  if (problem) return named(offer, problem);
  const price = priceOf(offer, params);
  return {
    id,
    name: offer.name,
    price,
    entry: {
      type: offer.id,
      group_name: offer.group,
      product_name: offer.name,
      params,
      fields: shownFields(offer.fields, params),
      price: dollars(price),
    },
  };
}
