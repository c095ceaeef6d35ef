import { Hono } from 'hono';
import { listing } from '../../domain/orders/catalogue.ts';
import { answer } from '../answer.ts';
import type { AppEnv } from '../middleware/session.ts';

export const products = new Hono<AppEnv>({ strict: false }).get('/products/list', async (context) =>
  answer(context, listing(context.env.READY_PRODUCTS)),
);
