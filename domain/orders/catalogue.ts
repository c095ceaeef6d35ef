import type { GameId } from '../games/games.ts';
import { message } from '../language/text.ts';
import type { Cents } from '../money/money.ts';
import type { Kind } from '../scans/layouts.ts';

/**
 * Products with their first prices. What admins set since is in sale.ts. Names and texts are marked messages, which the
 * API answers in English.
 */

type FieldType = 'boolean' | 'list' | 'text';

export interface Field {
  name: string;
  display: string;
  type: FieldType;
  /** The valid values, if the field has a closed set. */
  options?: readonly string[];
  min?: number;
  max?: number;
  /** A list in which each entry is a unit of the price. */
  price_per_unit?: true;
  /** Initial value in the form. */
  initial?: string | boolean;
  help?: string;
}

export interface Product {
  item_id: number;
  id: string;
  game: GameId;
  group: string;
  name: string;
  description: string;
  /** A `scan` sends bots; a `history` reads what earlier scans stored. */
  kind: Kind;
  price: Cents;
  price_field: string | null;
  price_extra: Cents | null;
  price_chunk: number | null;
  /** Names of the fields with the kingdoms and with the number of governors. */
  kingdoms: string;
  governors: string;
  fields: readonly Field[];
}

/** Limits of one order over all its entries, so that placing it takes a small part of a second. */
export const MAX_ITEMS_PER_ORDER = 5000;
export const MAX_RANKS_PER_ORDER = 2_000_000;
/** Ranks per subtask, and per price step. */
export const RANKS_PER_SUBTASK = 100;

const kingdomsField = (name: string, display: string): Field => ({
  name,
  display,
  type: 'list',
  price_per_unit: true,
  help: message('Several with commas, spaces or a line each; 1001-1004 is a range.'),
});
const countField = (name: string, display: string, help: string): Field => ({
  name,
  display,
  type: 'text',
  min: 100,
  max: 5000,
  initial: '300',
  help,
});
const TOP_GOVERNORS = message('The top governors by power, from 100 to 5,000.');
const TOP_LORDS = message('The top lords by power, from 100 to 5,000.');
const profileField: Field = {
  name: 'full_profile',
  display: message('Full profile'),
  type: 'boolean',
  initial: true,
  help: message(
    'Opens every profile: kills by tier, deads, resources and more. Without it only the ranking list is read.',
  ),
};

export const PRODUCTS: readonly Product[] = [
  {
    item_id: 1,
    id: 'rok-kingdom-scan',
    game: 'rok',
    group: 'Rise of Kingdoms',
    name: message('Kingdom scan'),
    description: message('The top governors of a kingdom as they are now.'),
    kind: 'scan',
    price: 50,
    price_field: 'governors',
    price_extra: null,
    price_chunk: 100,
    kingdoms: 'kingdoms',
    governors: 'governors',
    fields: [
      kingdomsField('kingdoms', message('Kingdoms')),
      countField('governors', message('Governors'), TOP_GOVERNORS),
      profileField,
    ],
  },
  {
    item_id: 2,
    id: 'cod-server-scan',
    game: 'cod',
    group: 'Call of Dragons',
    name: message('Server scan'),
    description: message('The top lords of a server as they are now.'),
    kind: 'scan',
    price: 50,
    price_field: 'lords',
    price_extra: null,
    price_chunk: 100,
    kingdoms: 'servers',
    governors: 'lords',
    fields: [
      kingdomsField('servers', message('Servers')),
      countField('lords', message('Lords'), TOP_LORDS),
      profileField,
    ],
  },
  {
    item_id: 3,
    id: 'rok-history',
    game: 'rok',
    group: message('History'),
    name: message('90-day history'),
    description: message('The figures of a kingdom’s top governors, day by day, over the last 90 days.'),
    kind: 'history',
    price: 200,
    price_field: 'governors',
    price_extra: null,
    price_chunk: 100,
    kingdoms: 'kingdoms',
    governors: 'governors',
    fields: [
      kingdomsField('kingdoms', message('Kingdoms')),
      countField('governors', message('Governors'), TOP_GOVERNORS),
    ],
  },
];

/** Returns the product with an id, or undefined. */
export const productOf = (id: string): Product | undefined => PRODUCTS.find((product) => product.id === id);
