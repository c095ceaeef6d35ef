import { type Cents, dollars } from '../../../../domain/money/money.ts';
import type { OrderEntry } from '../../../../domain/orders/contract.ts';
import { paramFlaw } from '../../../../domain/orders/params.ts';
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
  | { type: 'fill'; items: DraftItem[]; timing: Timing }
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
      return { items: action.items, timing: action.timing, key };
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

/** What is wrong with a field: `name` is its key, the sentence says what the customer calls it. */
export interface FieldFlaw {
  name: string;
  text: string;
}

/** The item that filled-in fields make, or why they make none. */
export const draftItem = (offer: Offer, values: Values, id: string): DraftItem | FieldFlaw =>
  itemOf(offer, paramsOf(offer, values), id);

/** True where fields make no item. */
export const isFlaw = (made: DraftItem | FieldFlaw): made is FieldFlaw => 'text' in made;

/** What of an entry says what was ordered; its price then is nothing to go by. */
export type OrderedEntry = Pick<OrderEntry, 'type' | 'params' | 'product_name'>;

/** An entry of an earlier order as an item at today's price, or the sentence that says why it can be none. */
export function reorderedItem(offers: readonly Offer[], entry: OrderedEntry, id: string): DraftItem | string {
  const offer = offers.find((candidate) => candidate.id === entry.type);
  if (!offer?.ready) return `${entry.product_name ?? entry.type} cannot be ordered at present.`;
  const made = itemOf(offer, entry.params, id);
  return isFlaw(made) ? made.text : made;
}

function itemOf(offer: Offer, params: Params, id: string): DraftItem | FieldFlaw {
  const flaw = paramFlaw(offer, params);
  if (flaw) {
    const display = offer.fields.find(({ name }) => name === flaw.name)?.display ?? flaw.name;
    return { name: flaw.name, text: flaw.named ? flaw.text : `${display}: ${flaw.text}` };
  }
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
