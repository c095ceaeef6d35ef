import { Hono } from 'hono';
import * as z from 'zod';
import { searchKey } from '../../domain/search.ts';
import { answer } from '../answer.ts';
import { edgeKept } from '../gateways/edge-cache.ts';
import type { AppEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { type Found, search } from '../models/kingdoms/search.ts';

const EDGE_SECONDS = 60;
const NOTHING: Found = { governors: [], alliances: [], kingdoms: [] };

const query = z.object({
  q: z
    .string('must say what to look for')
    .trim()
    .min(1, 'must say what to look for')
    .max(200, 'is too long for a name'),
});

export const searching = new Hono<AppEnv>({ strict: false }).get(
  '/search',
  validate('query', query),
  async (context) => {
    const { q } = context.req.valid('query');
    // What is written differently and means the same is looked for once.
    const name = `search/${encodeURIComponent(searchKey(q))}`;
    const found = await edgeKept(context, name, EDGE_SECONDS, () => search(context.get('db'), q));
    return answer(context, found ?? NOTHING);
  },
);
