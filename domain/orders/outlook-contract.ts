import * as z from 'zod';
import { MAX_KINGDOM } from '../games/game-names.ts';
import { MAX_LOOKED_UP, OUTLOOKS } from './outlook.ts';

/**
 * The call about kingdoms before they are ordered. It is separate from outlook.ts so that pages can import its texts
 * without zod.
 */

export const productParam = z.object({
  product_id: z
    .string()
    .meta({ description: 'A product: `id` of GET /v1/products/list.', examples: ['rok-kingdom-scan'] }),
});

export const outlookQuery = z.object({
  kingdoms: z
    .string()
    .regex(/^[1-9]\d{0,4}(,[1-9]\d{0,4})*$/, `must be numbers from 1 to ${MAX_KINGDOM}, separated by commas`)
    .transform((text) => [...new Set(text.split(',').map(Number))])
    .refine((ids) => ids.length <= MAX_LOOKED_UP.scan, `must have ${MAX_LOOKED_UP.scan} entries at most`)
    .describe('Numbers of kingdoms, separated by commas.'),
});

export const outlookAnswer = z.array(
  z.object({
    kingdom_id: z.number(),
    outlook: z.enum(OUTLOOKS),
    scanned_at: z.number().nullable().describe('Time of the newest scan in epoch milliseconds; null if there is none.'),
    missed_at: z
      .number()
      .nullable()
      .describe('When bots last found nobody, within seven days, in epoch milliseconds; null if they did not.'),
    stored: z
      .object({ governors: z.number(), days: z.number() })
      .nullable()
      .describe('The stored data that a history would contain; null if the product sends bots.'),
  }),
);

export type KingdomOutlook = z.infer<typeof outlookAnswer>[number];
