import { type Context, Hono } from 'hono';
import { done } from '../../domain/answers.ts';
import {
  failure,
  handIn,
  heard,
  heartbeat,
  type LeaseWish,
  lease,
  postponed,
  preparation,
  returned,
  rowsAccepted,
  tasksLeased,
} from '../../domain/fleet/contract.ts';
import { message } from '../../domain/language/text.ts';
import { folderReport } from '../../domain/scans/file-report.ts';
import { Refusal } from '../errors.ts';
import { putFolderReport } from '../gateways/folder-reports.ts';
import { answer } from '../http/answer.ts';
import { handingIn, secondsOfHandIns } from '../isolate/hand-ins.ts';
import { addressOf } from '../middleware/address.ts';
import { answers } from '../middleware/answers.ts';
import { type BotEnv, bot } from '../middleware/bot.ts';
import { limited } from '../middleware/limits.ts';
import { validate } from '../middleware/validate.ts';
import type { Wish } from '../models/fleet/subtasks.ts';
import { acceptRows } from '../services/fleet/accept-rows.ts';
import { hearHeartbeat, leaseWork } from '../services/fleet/leases.ts';
import { giveUpWork, postponeWork } from '../services/fleet/return-work.ts';

// Calls per counted answer of the limiter. Its limit in calls is this many times the number in wrangler.toml.
const CALLS_PER_ANSWER = 10;

const HAND_INS_FIRST = message('Rows of other bots are taken in first. Ask for work again in a moment.');

/** Returns a bot's name including its group. */
const botOf = (context: Context<BotEnv>, botId: string): string => `${context.get('group')}/${botId}`;

const wishOf = (context: Context<BotEnv>, botId: string, wish: LeaseWish, idle = false): Wish => ({
  ...wish,
  idle,
  bot: botOf(context, botId),
  seconds: Number(context.env.LEASE_SECONDS),
});

export const fleet = new Hono<BotEnv>()
  .use(
    bot,
    limited('FLEET_GROUP', (context) => context.get('group'), CALLS_PER_ANSWER),
  )
  .post('/heartbeat', validate('json', heartbeat), answers('Report a bot’s state', heard), async (context) => {
    const now = Date.now();
    const beat = context.req.valid('json');
    const said = { group: context.get('group'), address: addressOf(context), now, beat };
    await hearHeartbeat(context.get('db'), context.env, said);
    return answer(context, { now, lease_seconds: Number(context.env.LEASE_SECONDS) });
  })
  .post(
    '/files',
    validate('json', folderReport),
    answers('Report what a bot read from each scan file in its folder', done),
    async (context) => {
      const { bot_id, files } = context.req.valid('json');
      await putFolderReport(context.env.STORE, context.get('group'), bot_id, files);
      return answer(context, {});
    },
  )
  .post('/lease', validate('json', lease), answers('Lease work to a bot', tasksLeased), async (context) => {
    const { bot_id, ...wish } = context.req.valid('json');
    const busy = secondsOfHandIns();
    if (busy > 0) throw new Refusal('unavailable', HAND_INS_FIRST, undefined, { 'retry-after': String(busy) });
    return answer(context, await leaseWork(context.get('db'), context.env, wishOf(context, bot_id, wish)));
  })
  .post('/rows', validate('json', handIn), answers('Hand in rows', rowsAccepted), async (context) => {
    const { bot_id, results, next } = context.req.valid('json');
    const name = botOf(context, bot_id);
    const busy = next ? secondsOfHandIns() : 0;
    const wish = next && busy === 0 ? wishOf(context, bot_id, next, true) : null;
    const db = context.get('db');
    const accepted = await handingIn(() => acceptRows(db, context.env, { bot: name, results, next: wish }));
    return answer(context, busy > 0 ? { ...accepted, ask_again_ms: busy * 1000 } : accepted);
  })
  .post(
    '/fail',
    validate('json', failure),
    answers('Return work that a bot could not do', returned),
    async (context) => {
      const { bot_id, ...claim } = context.req.valid('json');
      const state = await giveUpWork(context.get('db'), context.env, botOf(context, bot_id), claim);
      return answer(context, { state });
    },
  )
  .post(
    '/prepare',
    validate('json', preparation),
    answers('Delay work until a kingdom is prepared', postponed),
    async (context) => {
      const { bot_id, ...claim } = context.req.valid('json');
      const until = await postponeWork(context.get('db'), context.env, botOf(context, bot_id), claim);
      return answer(context, { until });
    },
  );
