import { Hono } from 'hono';
import { done } from '../../domain/answers.ts';
import { productParam } from '../../domain/orders/outlook-contract.ts';
import { adminProducts, priceChange, readinessChange } from '../../domain/orders/product-contract.ts';
import { answer } from '../http/answer.ts';
import { admin, adminOf } from '../middleware/admin.ts';
import { answers } from '../middleware/answers.ts';
import { callerOf, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { changePrice, changeReadiness, showProducts } from '../services/orders/change-product.ts';

/** What is for sale, and at what price. */
export const adminProductsArea = new Hono<UserEnv>()
  .use(admin)
  .get('/products', answers('Products with their prices by day', adminProducts), async (context) =>
    answer(context, await showProducts(context.get('db'), context.env)),
  )
  .put(
    '/products/:product_id/price',
    validate('param', productParam),
    validate('json', priceChange),
    answers('Set the price of a product from a day on', done),
    async (context) => {
      const asked = { ...context.req.valid('param'), ...context.req.valid('json') };
      await changePrice(context.get('db'), context.env, await callerOf(context), asked);
      return answer(context, {});
    },
  )
  .put(
    '/products/:product_id/readiness',
    validate('param', productParam),
    validate('json', readinessChange),
    answers('Make a product available, or pause it', done),
    async (context) => {
      const asked = { ...context.req.valid('param'), ...context.req.valid('json') };
      await changeReadiness(context.get('db'), asked, adminOf(context));
      return answer(context, {});
    },
  );
