import { Hono } from 'hono';
import * as z from 'zod';
import { done, nextOf, rowId } from '../../domain/answers.ts';
import {
  newRemoval,
  REMOVALS_PER_PAGE,
  removalAsked,
  removalDecision,
  removalList,
  removalsQuery,
} from '../../domain/boards/removal.ts';
import { answer } from '../http/answer.ts';
import { callerNetwork } from '../middleware/address.ts';
import { admin, adminOf } from '../middleware/admin.ts';
import { answers } from '../middleware/answers.ts';
import { limited } from '../middleware/limits.ts';
import { type AppEnv, anyone, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { listRemovals } from '../models/boards/removals.ts';
import { askToHide, decideToHide } from '../services/boards/hide-governors.ts';

/** Requests of players not to be shown on public pages. */
export const removals = new Hono<AppEnv>().post(
  '/removals',
  anyone,
  limited('REGISTER_ADDRESS', callerNetwork),
  validate('json', newRemoval),
  answers('Ask for removal of a governor from public pages', removalAsked),
  async (context) => answer(context, await askToHide(context.get('db'), context.req.valid('json'))),
);

export const adminRemovals = new Hono<UserEnv>()
  .get(
    '/removals',
    admin,
    validate('query', removalsQuery),
    answers('Requests for removal from public pages', removalList),
    async (context) => {
      const { open, before } = context.req.valid('query');
      const rows = await listRemovals(context.get('db'), { open: open === 'true', ...(before && { before }) });
      return answer(context, {
        removals: rows.map(({ id, ...row }) => ({ removal_id: id, ...row })),
        next: nextOf(rows, REMOVALS_PER_PAGE, ({ id }) => id),
      });
    },
  )
  .post(
    '/removals/:id',
    admin,
    validate('param', z.object({ id: rowId })),
    validate('json', removalDecision),
    answers('Accept or refuse a removal, also after an earlier decision', done),
    async (context) => {
      const { id } = context.req.valid('param');
      await decideToHide(
        context.get('db'),
        context.env.STORE,
        id,
        context.req.valid('json').decision,
        adminOf(context),
      );
      return answer(context, {});
    },
  );
