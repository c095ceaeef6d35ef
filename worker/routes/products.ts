import { Hono } from 'hono';
import { productGroups } from '../../domain/orders/answers.ts';
import { listing, productOf } from '../../domain/orders/catalogue.ts';
import { outlookAnswer, outlookQuery, productParam } from '../../domain/orders/outlook-contract.ts';
import { notFound } from '../errors.ts';
import { answer } from '../http/answer.ts';
import { answers } from '../middleware/answers.ts';
import { limitedByUser } from '../middleware/limits.ts';
import { anyone, keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { lookUpKingdoms } from '../services/orders/look-up-kingdoms.ts';

const ordersPerUser = limitedByUser('ORDER_USER');

export const products = new Hono<UserEnv>()
  .get('/products/list', anyone, answers('Products and prices', productGroups), async (context) =>
    answer(context, listing(context.env.READY_PRODUCTS)),
  )
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
