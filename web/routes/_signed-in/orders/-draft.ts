import { labelled, say, t, words } from '../../../../domain/language/text.ts';
import { type Cents, dollars } from '../../../../domain/money/money.ts';
import type { OrderEntry } from '../../../../domain/orders/contract.ts';
import { paramFlaw } from '../../../../domain/orders/params.ts';
import { type Params, plainParams, priceOf, shownFields } from '../../../../domain/orders/pricing.ts';
import type { Offer } from '../../../api/products.ts';
import type { Timing } from './-timing.ts';

/** A draft order: the state of the order form. */

/** Form values of an offer: text as typed, and booleans. */
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
  /** Idempotency key of this draft, so that it is charged once. */
  key: string;
}

export type DraftAction = { key: string } & (
  | { type: 'add'; item: DraftItem }
  | { type: 'remove'; id: string }
  | { type: 'fill'; items: DraftItem[]; timing: Timing }
  | { type: 'time'; timing: Timing }
);

/** Applies an action. Every change makes it another order, so it takes the action's new key. */
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

export const totalOf = (draft: Draft): Cents => draft.items.reduce((sum, item) => sum + item.price, 0);

/** Initial form values of an offer. */
export const initialValues = (offer: Offer): Values =>
  Object.fromEntries(
    offer.fields.map((field) => [
      field.name,
      field.initial ?? (field.type === 'boolean' ? false : (field.options?.[0] ?? '')),
    ]),
  );

/** Converts form values to parameters: lists are split on commas, numbers parsed. */
export const paramsOf = (offer: Offer, values: Values): Params =>
  plainParams(offer.fields, Object.fromEntries(offer.fields.map(({ name }) => [name, values[name] ?? ''])));

/** A validation error: the field's key, and a message with the field's label. */
export interface FieldFlaw {
  name: string;
  text: string;
}

/** Builds an item from form values, or returns the validation error. */
export const draftItem = (offer: Offer, values: Values, id: string): DraftItem | FieldFlaw =>
  itemOf(offer, paramsOf(offer, values), id);

/** Returns whether building an item failed. */
export const isFlaw = (made: DraftItem | FieldFlaw): made is FieldFlaw => 'text' in made;

/** The parts of an entry that identify what was ordered; its old price does not count. */
export type OrderedEntry = Pick<OrderEntry, 'type' | 'params' | 'product_name'>;

/** Rebuilds an entry of an earlier order at today's price, or returns a message why it cannot be ordered. */
export function reorderedItem(offers: readonly Offer[], entry: OrderedEntry, id: string): DraftItem | string {
  const offer = offers.find((candidate) => candidate.id === entry.type);
  if (offer?.paused) return offer.paused;
  if (!offer?.ready)
    return t('{product} cannot be ordered at present.', { product: words(entry.product_name ?? entry.type) });
  const made = itemOf(offer, entry.params, id);
  return isFlaw(made) ? made.text : made;
}

/** Returns items at the offers' prices. Those that cannot be ordered now stay, because the order's refusal says why. */
export const repriced = (offers: readonly Offer[], items: readonly DraftItem[]): DraftItem[] =>
  items.map((item) => {
    const made = reorderedItem(offers, item.entry, item.id);
    return typeof made === 'string' ? item : made;
  });

function itemOf(offer: Offer, params: Params, id: string): DraftItem | FieldFlaw {
  const flaw = paramFlaw(offer, params);
  if (flaw) {
    const display = offer.fields.find(({ name }) => name === flaw.name)?.display ?? flaw.name;
    return { name: flaw.name, text: flaw.named ? say(flaw.text) : labelled(words(display), say(flaw.text)) };
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
