import { type Context, Hono } from 'hono';
import { done } from '../../domain/answers.ts';
import {
  compared,
  comparedTable,
  fightList,
  fightMade,
  governorLine,
  rosterAnswer,
} from '../../domain/compare/answers.ts';
import {
  type CompareQuery,
  compareQuery,
  exportQuery,
  fightId,
  fightPayload,
  fightsQuery,
  lineQuery,
  rosterPlace,
  weightsOf,
} from '../../domain/compare/contract.ts';
import { roster } from '../../domain/compare/roster.ts';
import { answer } from '../answer.ts';
import { notFound, Refusal } from '../errors.ts';
import { answers, sends } from '../middleware/answers.ts';
import { limited } from '../middleware/limits.ts';
import { keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { addFight, dropFight, fightsOf, MAX_FIGHTS } from '../models/compare/fights.ts';
import { keepRoster, rosterOf, rosterOver } from '../models/compare/rosters.ts';
import { comparedPieces, tableOfCompared } from '../services/compare/answer-compare.ts';
import { inPlace, untilSent } from '../services/compare/compare-place.ts';
import { EXPORT_MEDIA, exportCompared } from '../services/compare/export-compare.ts';
import { governorPoints } from '../services/compare/governor-line.ts';
import { compareScans, rangesOf, scansOfRanges } from '../services/compare/load-ranges.ts';
import { rosterCsv, rosterFrom } from '../services/compare/roster-file.ts';
import { kingdomsOf, score } from '../services/compare/score.ts';
import { studioOf } from './cards.ts';

const comparesPerUser = limited<UserEnv>('COMPARE_USER', (context) => context.get('user').id);

/** What a query compares, scored by its weights. */
async function comparedBy(context: Context<UserEnv>, query: CompareQuery) {
  const [db, userId] = [context.get('db'), context.get('user').id];
  const ranges = await rangesOf(db, userId, query);
  const loaded = await compareScans(context.env.STORE, db, userId, ranges);
  return inPlace(loaded.place, async () => {
    const entries = await rosterOver(db, userId, loaded.game, kingdomsOf(loaded.compared));
    const { power_off = 0, zeroed = {}, farms = null, goals = [] } = query;
    const scoring = { weights: weightsOf(loaded.game, query), power_off, zeroed, farms };
    return { loaded, entries, goals, scored: score(loaded.compared, scoring, entries) };
  });
}

/** Pieces of text as the body of an answer. */
function streamed(pieces: Generator<string, void, undefined>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done: over, value } = pieces.next();
      if (over) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
  });
  return new Response(body, {
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private, no-store' },
  });
}

/** Scans of the library side by side, and what a leader keeps to score them by. */
export const comparing = new Hono<UserEnv>({ strict: false })
  .get(
    '/compare',
    keyScope('compare'),
    signedIn,
    comparesPerUser,
    validate('query', compareQuery),
    answers(compared),
    async (context) => {
      const { loaded, scored, goals } = await comparedBy(context, context.req.valid('query'));
      return untilSent(streamed(comparedPieces(loaded, scored, goals)), loaded.place);
    },
  )
  .get(
    '/compare/table',
    keyScope('compare'),
    signedIn,
    comparesPerUser,
    validate('query', compareQuery),
    answers(comparedTable),
    async (context) => {
      const { loaded, scored, entries } = await comparedBy(context, context.req.valid('query'));
      try {
        return answer(context, tableOfCompared(loaded, scored, entries));
      } finally {
        loaded.place.leave();
      }
    },
  )
  .get(
    '/compare/export',
    keyScope('compare'),
    signedIn,
    comparesPerUser,
    validate('query', exportQuery),
    sends(...EXPORT_MEDIA),
    async (context) => {
      const { type, ...query } = context.req.valid('query');
      const { loaded, scored, goals } = await comparedBy(context, query);
      return exportCompared(
        studioOf(context.env, context.req.raw),
        { loaded, scored, goals, name: null, columns: null },
        type,
      );
    },
  )
  .get(
    '/compare/line',
    keyScope('compare'),
    signedIn,
    comparesPerUser,
    validate('query', lineQuery),
    answers(governorLine),
    async (context) => {
      const { game, governor } = context.req.valid('query');
      const [db, userId] = [context.get('db'), context.get('user').id];
      return answer(context, { points: await governorPoints(context.env.STORE, db, userId, game, governor) });
    },
  )
  .get('/fights', keyScope('compare'), signedIn, validate('query', fightsQuery), answers(fightList), async (context) =>
    answer(context, {
      fights: await fightsOf(context.get('db'), context.get('user').id, context.req.valid('query').game),
    }),
  )
  .post(
    '/fights',
    keyScope('import'),
    signedIn,
    validate('json', fightPayload),
    answers(fightMade),
    async (context) => {
      const [db, userId] = [context.get('db'), context.get('user').id];
      const { name, from, to } = context.req.valid('json');
      const [made] = await scansOfRanges(db, userId, [{ from, to }]);
      const game = made?.from[0]?.game;
      if (!game) throw notFound('scan');
      const fight_id = await addFight(db, userId, { game, name, from, to });
      if (!fight_id)
        throw new Refusal('too_large', `An account keeps ${MAX_FIGHTS} fights at most: delete some first.`);
      return answer(context, { fight_id });
    },
  )
  .delete(
    '/fights/:fight_id',
    keyScope('import'),
    signedIn,
    validate('param', fightId),
    answers(done),
    async (context) => {
      const { fight_id } = context.req.valid('param');
      if (!(await dropFight(context.get('db'), context.get('user').id, fight_id))) throw notFound('fight');
      return answer(context, {});
    },
  )
  .get(
    '/rosters/:game/:kingdom',
    keyScope('compare'),
    signedIn,
    validate('param', rosterPlace),
    answers(rosterAnswer),
    async (context) => {
      const { game, kingdom } = context.req.valid('param');
      return answer(context, await rosterOf(context.get('db'), context.get('user').id, game, kingdom));
    },
  )
  .put(
    '/rosters/:game/:kingdom',
    keyScope('import'),
    signedIn,
    validate('param', rosterPlace),
    validate('json', roster),
    answers(rosterAnswer),
    async (context) => {
      const [db, userId] = [context.get('db'), context.get('user').id];
      const { game, kingdom } = context.req.valid('param');
      await keepRoster(db, userId, game, kingdom, context.req.valid('json'));
      return answer(context, await rosterOf(db, userId, game, kingdom));
    },
  )
  .get(
    '/rosters/:game/:kingdom/download',
    keyScope('compare'),
    signedIn,
    validate('param', rosterPlace),
    sends('text/csv'),
    async (context) => {
      const { game, kingdom } = context.req.valid('param');
      const { entries } = await rosterOf(context.get('db'), context.get('user').id, game, kingdom);
      return new Response(rosterCsv(entries), {
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="roster_${kingdom}.csv"`,
          'cache-control': 'private, no-store',
        },
      });
    },
  )
  .post(
    '/rosters/:game/:kingdom/import',
    keyScope('import'),
    signedIn,
    validate('param', rosterPlace),
    answers(rosterAnswer),
    async (context) => {
      const [db, userId] = [context.get('db'), context.get('user').id];
      const { game, kingdom } = context.req.valid('param');
      await keepRoster(db, userId, game, kingdom, rosterFrom(await context.req.text()));
      return answer(context, await rosterOf(db, userId, game, kingdom));
    },
  );
