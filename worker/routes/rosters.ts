import { type Context, Hono } from 'hono';
import { kingdomGoalsAnswer, rosterAnswer, rosterHistory } from '../../domain/compare/answers.ts';
import { kingdomGoals, rosterPlace } from '../../domain/compare/contract.ts';
import { roster, rosterSeen } from '../../domain/compare/roster.ts';
import { answer } from '../http/answer.ts';
import { attachment } from '../http/attachment.ts';
import { addressOf } from '../middleware/address.ts';
import { answers, sends } from '../middleware/answers.ts';
import { CSV_BODY, reads } from '../middleware/reads.ts';
import { keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { goalsOf } from '../models/compare/kingdom-goals.ts';
import { rosterOf } from '../models/compare/rosters.ts';
import { type Editor, replaceGoals, replaceRoster, rosterEdits } from '../services/compare/edit-roster.ts';
import { downloadRoster, importRoster } from '../services/compare/roster-file.ts';

const editorOf = (context: Context<UserEnv>): Editor => {
  const key = context.get('keyId');
  return { userId: context.get('userId'), actor: key ? `key:${key}` : 'user', address: addressOf(context) };
};

/** A kingdom's mains, farms, exempt governors and those who left, and the goals that its leader sets. */
export const rosters = new Hono<UserEnv>()
  .get(
    '/rosters/:game/:kingdom',
    keyScope('compare'),
    signedIn,
    validate('param', rosterPlace),
    answers('A kingdom’s roster of mains and farms', rosterAnswer),
    async (context) => {
      const { game, kingdom } = context.req.valid('param');
      return answer(context, await rosterOf(context.get('db'), context.get('userId'), game, kingdom));
    },
  )
  .put(
    '/rosters/:game/:kingdom',
    keyScope('report'),
    signedIn,
    validate('param', rosterPlace),
    validate('query', rosterSeen),
    validate('json', roster),
    answers('Replace a kingdom’s roster of mains and farms', rosterAnswer),
    async (context) => {
      const { seen } = context.req.valid('query');
      const entries = context.req.valid('json');
      const place = context.req.valid('param');
      return answer(context, await replaceRoster(context.get('db'), editorOf(context), place, entries, seen));
    },
  )
  .get(
    '/rosters/:game/:kingdom/goals',
    keyScope('compare'),
    signedIn,
    validate('param', rosterPlace),
    answers('Your own goals of a kingdom, with which its wars begin', kingdomGoalsAnswer),
    async (context) =>
      answer(context, await goalsOf(context.get('db'), context.get('userId'), context.req.valid('param'))),
  )
  .put(
    '/rosters/:game/:kingdom/goals',
    keyScope('report'),
    signedIn,
    validate('param', rosterPlace),
    validate('json', kingdomGoals),
    answers('Replace your own goals of a kingdom', kingdomGoalsAnswer),
    async (context) => {
      const goals = context.req.valid('json');
      const place = context.req.valid('param');
      return answer(context, await replaceGoals(context.get('db'), editorOf(context), place, goals));
    },
  )
  .get(
    '/rosters/:game/:kingdom/history',
    keyScope('compare'),
    signedIn,
    validate('param', rosterPlace),
    answers('Who changed a kingdom’s roster, when and what', rosterHistory),
    async (context) =>
      answer(context, await rosterEdits(context.get('db'), context.get('userId'), context.req.valid('param'))),
  )
  .get(
    '/rosters/:game/:kingdom/download',
    keyScope('compare'),
    signedIn,
    validate('param', rosterPlace),
    sends('A kingdom’s roster as CSV', 'text/csv'),
    async (context) => {
      const place = context.req.valid('param');
      const csv = await downloadRoster(context.get('db'), context.get('userId'), place);
      return new Response(csv, {
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': attachment(`roster_${place.kingdom}`, 'csv'),
          'cache-control': 'private, no-store',
        },
      });
    },
  )
  .post(
    '/rosters/:game/:kingdom/import',
    keyScope('report'),
    signedIn,
    validate('param', rosterPlace),
    validate('query', rosterSeen),
    reads(CSV_BODY),
    answers('Replace a kingdom’s roster by a CSV file (the body)', rosterAnswer),
    async (context) => {
      const { seen } = context.req.valid('query');
      const place = context.req.valid('param');
      const csv = new Uint8Array(await context.req.arrayBuffer());
      return answer(context, await importRoster(context.get('db'), editorOf(context), place, csv, seen));
    },
  );
