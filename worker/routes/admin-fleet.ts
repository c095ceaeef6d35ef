import { Hono } from 'hono';
import { acted } from '../../domain/accounts/admin-contract.ts';
import {
  botAct,
  botActParam,
  botParam,
  botsAct,
  botsActed,
  botsActParam,
  botWork,
  fleetState,
  groupAct,
  groupActParam,
  groupList,
  groupParam,
  groupToken,
  newGroup,
  tokenRotation,
} from '../../domain/fleet/admin-contract.ts';
import { answer } from '../http/answer.ts';
import { admin, adminOf } from '../middleware/admin.ts';
import { answers } from '../middleware/answers.ts';
import { callerOf, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { listGroups } from '../models/fleet/groups.ts';
import {
  makeGroup,
  replaceToken,
  runBot,
  runBots,
  runGroup,
  showBotWork,
  showFleet,
} from '../services/fleet/run-fleet.ts';

/** The fleet: its state, its groups, and what admins do to bots. */
export const adminFleet = new Hono<UserEnv>()
  .use(admin)
  .get('/fleet', answers('State of the fleet and its queues', fleetState), async (context) =>
    answer(context, await showFleet(context.get('db'))),
  )
  .get(
    '/bots/:bot_id/work',
    validate('param', botParam),
    answers('What the bots of a name did lately', botWork),
    async (context) => answer(context, await showBotWork(context.get('db'), context.req.valid('param').bot_id)),
  )
  .post(
    '/bots/:bot_id/:act{pause|resume|retire}',
    validate('param', botActParam),
    validate('json', botAct),
    answers('Pause, resume or retire a bot', acted),
    async (context) => {
      const asked = { ...context.req.valid('param'), ...context.req.valid('json') };
      return answer(context, { msg: await runBot(context.get('db'), context.env, adminOf(context), asked) });
    },
  )
  .post(
    '/fleet/bots/:act{pause|resume}',
    validate('param', botsActParam),
    validate('json', botsAct),
    answers('Pause or resume all bots of a list', botsActed),
    async (context) => {
      const asked = { ...context.req.valid('param'), ...context.req.valid('json') };
      return answer(context, { bots: await runBots(context.get('db'), adminOf(context), asked) });
    },
  )
  .get('/groups', answers('Groups of bots', groupList), async (context) =>
    answer(context, { groups: await listGroups(context.get('db'), Date.now()) }),
  )
  .post(
    '/groups',
    validate('json', newGroup),
    answers('Create a group; its token is shown once', groupToken),
    async (context) =>
      answer(context, await makeGroup(context.get('db'), await callerOf(context), context.req.valid('json'))),
  )
  .post(
    '/groups/:group_id/token',
    validate('param', groupParam),
    validate('json', tokenRotation),
    answers('Replace the token of a group; the new one is shown once', groupToken),
    async (context) => {
      const asked = { ...context.req.valid('param'), ...context.req.valid('json') };
      return answer(context, await replaceToken(context.get('db'), context.env, await callerOf(context), asked));
    },
  )
  .post(
    '/groups/:group_id/:act{pause|resume|retire}',
    validate('param', groupActParam),
    validate('json', groupAct),
    answers('Pause, resume or retire a group', acted),
    async (context) => {
      const asked = { ...context.req.valid('param'), ...context.req.valid('json') };
      return answer(context, { msg: await runGroup(context.get('db'), context.env, adminOf(context), asked) });
    },
  );
