import { Hono } from 'hono';
import { searchAnswer, searchQuery } from '../../domain/kingdoms/contract.ts';
import { answer } from '../http/answer.ts';
import { callerNetwork } from '../middleware/address.ts';
import { answers } from '../middleware/answers.ts';
import { limited } from '../middleware/limits.ts';
import { type AppEnv, anyone } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { searchScans } from '../services/kingdoms/search-scans.ts';

export const searching = new Hono<AppEnv>().get(
  '/search',
  anyone,
  limited('SEARCH_ADDRESS', callerNetwork),
  validate('query', searchQuery),
  answers('Governors, alliances and kingdoms by name, tag or number', searchAnswer),
  async (context) =>
    answer(
      context,
      await searchScans(context.get('db'), { store: context.env.STORE, edge: context }, context.req.valid('query').q),
    ),
);
