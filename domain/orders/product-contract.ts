import * as z from 'zod';
import { GAME_IDS } from '../games/game-names.ts';
import { centsOf } from '../money/money.ts';
import { code, reason } from '../reason.ts';
import { READINESS } from './sale.ts';

/** Calls of admins about products, and their answers. Amounts are in dollars, days in UTC. */

const datedPrice = z.object({ from: z.string().describe('The day from which it holds.'), price: z.number() });

/** Products with what admins set for them. */
export const adminProducts = z.object({
  today: z.string().describe('The day now.'),
  products: z
    .array(
      z.object({
        id: z.string(),
        game: z.enum(GAME_IDS),
        group: z.string(),
        name: z.string(),
        price: z.number().describe('The price today.'),
        price_chunk: z.number().nullable(),
        first_price: z.number().describe('The price before the first of `prices`.'),
        prices: z.array(datedPrice).describe('Prices that admins set, oldest first.'),
        ready: z.boolean().describe('Whether it can be ordered now.'),
        ready_from: z.number().nullable().describe('When it opens; null if it is open already or the date is unknown.'),
        readiness: z
          .enum(READINESS)
          .nullable()
          .describe("What admins set; null if the deployment's setting READY_PRODUCTS decides."),
        sentence: z.string().describe('Why it is paused, for customers; empty otherwise.'),
        version: z.int().describe('Number of changes by admins.'),
      }),
    )
    .describe('All products, in the order of the shop.'),
});

const version = z.int().min(0).describe('The version as it was shown. If it changed meanwhile, nothing happens.');

const MOST_DOLLARS = 1000;
const PRICE = `must be whole cents, from 0.01 to ${MOST_DOLLARS}.00 dollars.`;

/** Body of PUT /v1/admin/products/{id}/price. */
export const priceChange = z.strictObject({
  from: z.iso.date('must be a day, such as 2026-12-01.').describe('The day from which the price holds.'),
  price: z
    .number(PRICE)
    .refine((dollars) => (centsOf(dollars) ?? 0) > 0 && dollars <= MOST_DOLLARS, PRICE)
    .transform((dollars) => centsOf(dollars) ?? 0)
    .nullable()
    .describe('Null removes the price of that day.'),
  version,
  reason,
  code,
});

/** Body of PUT /v1/admin/products/{id}/readiness. */
export const readinessChange = z
  .strictObject({
    readiness: z
      .enum(READINESS, `must be one of ${READINESS.join(', ')}`)
      .describe('available: customers can order it; paused: they cannot.'),
    sentence: z
      .string()
      .trim()
      .max(200, 'must have at most 200 characters.')
      .default('')
      .describe('Tells customers why it is paused.'),
    version,
    reason,
  })
  .refine(({ readiness, sentence }) => readiness === 'available' || sentence.length >= 5, {
    message: 'tell customers why, in 5 characters or more.',
    path: ['sentence'],
  })
  .transform((wanted) => ({ ...wanted, sentence: wanted.readiness === 'available' ? '' : wanted.sentence }));
