import { Hono } from 'hono';
import { productGroups } from '../../domain/orders/answers.ts';
import { productOf } from '../../domain/orders/catalogue.ts';
import { outlookAnswer, outlookQuery, productParam } from '../../domain/orders/outlook-contract.ts';
import { listing, nextChange } from '../../domain/orders/sale.ts';
import { openDb } from '../db/open.ts';
import { notFound } from '../errors.ts';
import { PRODUCTS_TAG } from '../gateways/workers-cache.ts';
import { answer } from '../http/answer.ts';
import { keep } from '../http/kept.ts';
import { answers } from '../middleware/answers.ts';
import { limitedByUser } from '../middleware/limits.ts';
import { anyone, keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { readSale } from '../models/orders/sale.ts';
import { lookUpKingdoms } from '../services/orders/look-up-kingdoms.ts';

/** How long caches keep the prices, in s, unless they change sooner. */
const KEPT_SECONDS = 300;

const ordersPerUser = limitedByUser('ORDER_USER');

export const products = new Hono<UserEnv>()
  .get('/products/list', anyone, answers('Products and prices', productGroups), async (context) => {
    // Reads the primary, because a replica may lag behind the change that purged the caches.
    const sale = await readSale(openDb(context.env), context.env);
    const now = Date.now();
    const left = Math.ceil(((nextChange(sale, now) ?? Infinity) - now) / 1000);
    keep(context, { browser: 0, edge: Math.min(KEPT_SECONDS, left), stale: 0, tags: [PRODUCTS_TAG] });
    return answer(context, listing(sale, now));
  })
  .get(
    '/products/:product_id/kingdoms',
    keyScope('read'),
    signedIn,
    ordersPerUser,
    validate('param', productParam),
    validate('query', outlookQuery),
    answers(
      'Outlook for kingdoms before ordering them: known, new or not found recently, and stored data',
      outlookAnswer,
    ),
    async (context) => {
      const product = productOf(context.req.valid('param').product_id);
      if (!product) throw notFound('product');
      const { kingdoms } = context.req.valid('query');
      return answer(context, await lookUpKingdoms(context.get('db'), context.env.STORE, product, kingdoms));
    },
  );
