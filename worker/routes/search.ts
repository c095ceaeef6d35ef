import { Hono } from 'hono';
import { searchAnswer, searchQuery } from '../../domain/kingdoms/contract.ts';
import { searchKey } from '../../domain/search.ts';
import { answer } from '../answer.ts';
import { edgeKept } from '../gateways/edge-cache.ts';
import { answers } from '../middleware/answers.ts';
import { addressOf, limited } from '../middleware/limits.ts';
import { type AppEnv, anyone } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { type Found, search } from '../models/kingdoms/search.ts';

const EDGE_SECONDS = 60;
const NOTHING: Found = { governors: [], alliances: [], kingdoms: [] };

export const searching = new Hono<AppEnv>({ strict: false }).get(
  '/search',
  anyone,
  limited('SEARCH_ADDRESS', addressOf),
  validate('query', searchQuery),
  answers(searchAnswer),
  async (context) => {
    const { q } = context.req.valid('query');
    // What is written differently and means the same is looked for once.
    const name = `search/${encodeURIComponent(searchKey(q))}`;
    const found = await edgeKept(context, name, EDGE_SECONDS, () => search(context.get('db'), q));
    return answer(context, found ?? NOTHING);
  },
);
