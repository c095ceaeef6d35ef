import { type Context, Hono } from 'hono';
import { done } from '../../domain/answers.ts';
import { compared, comparedTable, fightList, fightMade, governorLine } from '../../domain/compare/answers.ts';
import {
  compareQuery,
  exportQuery,
  fightId,
  fightPayload,
  fightsQuery,
  lineQuery,
} from '../../domain/compare/contract.ts';
import { notFound } from '../errors.ts';
import { answer, typed } from '../http/answer.ts';
import { answers, sends } from '../middleware/answers.ts';
import { limitedByUser } from '../middleware/limits.ts';
import { keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { speakingIn } from '../middleware/speaking.ts';
import { validate } from '../middleware/validate.ts';
import { dropFight, fightsOf } from '../models/compare/fights.ts';
import { compareFile, comparePlayers, compareTable } from '../services/compare/compare-library.ts';
import { EXPORT_MEDIA } from '../services/compare/export-compare.ts';
import { governorPoints } from '../services/compare/governor-line.ts';
import { keepFight } from '../services/compare/keep-ranges.ts';
import { studioOf } from './cards.ts';

const comparesPerUser = limitedByUser('COMPARE_USER');

const shelfOf = (context: Context<UserEnv>) => ({
  db: context.get('db'),
  store: context.env.STORE,
  userId: context.get('userId'),
});

/** Comparisons of scans in the library, and the fights that they add up. */
export const comparing = new Hono<UserEnv>()
  .get(
    '/compare',
    keyScope('compare'),
    signedIn,
    comparesPerUser,
    validate('query', compareQuery),
    answers('Compare scans of the library: gains, DKP, arrivals and departures', compared),
    (context) => comparePlayers(shelfOf(context), context.req.valid('query')),
  )
  .get(
    '/compare/table',
    keyScope('compare'),
    signedIn,
    comparesPerUser,
    validate('query', compareQuery),
    answers('The same comparison as columns', comparedTable),
    async (context) => typed(comparedTable, await compareTable(shelfOf(context), context.req.valid('query'))),
  )
  .get(
    '/compare/export',
    keyScope('compare'),
    signedIn,
    comparesPerUser,
    validate('query', exportQuery),
    speakingIn('headers'),
    sends('A comparison as CSV, xlsx, in-game mail text or image', ...EXPORT_MEDIA),
    (context) => {
      const { env, req } = context;
      const { headers, ...query } = req.valid('query');
      return compareFile(studioOf(env, req.raw), shelfOf(context), query, headers !== undefined);
    },
  )
  .get(
    '/compare/line',
    keyScope('compare'),
    signedIn,
    comparesPerUser,
    validate('query', lineQuery),
    answers('A governor’s figures over the scans of the library', governorLine),
    async (context) => {
      const [db, userId] = [context.get('db'), context.get('userId')];
      return answer(context, await governorPoints(context.env.STORE, db, userId, context.req.valid('query')));
    },
  )
  .get(
    '/fights',
    keyScope('compare'),
    signedIn,
    validate('query', fightsQuery),
    answers('Fights: named ranges of wars', fightList),
    async (context) =>
      answer(context, {
        fights: await fightsOf(context.get('db'), context.get('userId'), context.req.valid('query').game),
      }),
  )
  .post(
    '/fights',
    keyScope('report'),
    signedIn,
    validate('json', fightPayload),
    answers('Save a range as a fight', fightMade),
    async (context) => {
      const fight_id = await keepFight(context.get('db'), context.get('userId'), context.req.valid('json'));
      return answer(context, { fight_id });
    },
  )
  .delete(
    '/fights/:fight_id',
    keyScope('delete'),
    signedIn,
    validate('param', fightId),
    answers('Delete a fight', done),
    async (context) => {
      const { fight_id } = context.req.valid('param');
      if (!(await dropFight(context.get('db'), context.get('userId'), fight_id))) throw notFound('fight');
      return answer(context, {});
    },
  );
