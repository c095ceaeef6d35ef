import { Hono } from 'hono';
import * as z from 'zod';
import { newAccessCode, signOut } from '../../domain/accounts/account.ts';
import { accessCodeList, accessCodeMade, accessCodeUsers, sessionsEnded } from '../../domain/accounts/answers.ts';
import { done, pageQuery, rowId } from '../../domain/answers.ts';
import { rebuildable } from '../../domain/boards/leaderboard.ts';
import { GAMES } from '../../domain/games/games.ts';
import { sentence } from '../../domain/language/text.ts';
import { proof } from '../../domain/reason.ts';
import { folderSeen } from '../../domain/scans/file-report.ts';
import {
  adminFigures,
  adminOutbox,
  adminTrends,
  boardList,
  boardsAgain,
  boardsPublished,
  botListing,
  botsOfId,
  botsQuery,
  mailsAgain,
  mailsDue,
  outboxQuery,
  setbackList,
  setbackNamed,
} from '../../domain/service/admin.ts';
import { notFound, Refusal } from '../errors.ts';
import { answer } from '../http/answer.ts';
import { admin, adminOf, proved } from '../middleware/admin.ts';
import { answers } from '../middleware/answers.ts';
import { callerOf, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { createAccessCode, listAccessCodes, revokeAccessCode, usersOfCode } from '../models/accounts/access-codes.ts';
import { listMails, sendAgain } from '../models/messages/outbox.ts';
import { listJobFailures, tryAgainNow } from '../models/service/job-failures.ts';
import { endSessions } from '../services/accounts/end-sessions.ts';
import { listBoards, publishDayAgain } from '../services/boards/publish-boards.ts';
import { showBot, showBotFiles, showBots } from '../services/fleet/show-bots.ts';
import { showFigures, showTrends } from '../services/service/show-figures.ts';

const botParam = z.object({ bot_id: z.string().describe('A bot by its own name: `bot_id` of GET /v1/admin/bots.') });

const codeParam = z.object({ code_id: rowId.describe('A code: `id` of GET /v1/admin/access-codes.') });

/** Shown to support instead of a mail, which may hold a link that resets a password. */
const FOR_ADMINS = 'Only admins read what mails say.';

export const adminArea = new Hono<UserEnv>()
  .use(admin)
  .get(
    '/bots',
    validate('query', botsQuery),
    answers('Bots by group, and how many per address', botListing),
    async (context) => answer(context, await showBots(context.get('db'), context.req.valid('query'))),
  )
  .get(
    '/bots/:bot_id',
    validate('param', botParam),
    answers('One bot in each group that has it', botsOfId),
    async (context) => answer(context, await showBot(context.get('db'), context.req.valid('param').bot_id)),
  )
  .get(
    '/bots/:bot_id/files',
    validate('param', botParam),
    answers('What the bots of a name read from each scan file in their folders', z.array(folderSeen)),
    async (context) =>
      answer(context, await showBotFiles(context.get('db'), context.env.STORE, context.req.valid('param').bot_id)),
  )
  .get('/figures', answers('Figures of the service', adminFigures), async (context) =>
    answer(context, await showFigures(context.get('db'))),
  )
  .get('/trends', answers('Figures per day and use of the limits of the platform', adminTrends), async (context) =>
    answer(context, await showTrends(context.get('db'), context.env.BACKUP)),
  )
  .get('/setbacks', answers('Retry queue: failed work of the crons', setbackList), async (context) =>
    answer(context, await listJobFailures(context.get('db'))),
  )
  .post(
    '/setbacks/try',
    validate('json', setbackNamed),
    answers('Retry failed work at the next round of its job', done),
    async (context) => {
      if (!(await tryAgainNow(context.get('db'), context.req.valid('json'), adminOf(context), Date.now())))
        throw new Refusal('conflict', 'This is no longer in the retry queue, or is retried automatically.');
      return answer(context, {});
    },
  )
  .get('/outbox', validate('query', outboxQuery), answers('Mails and their delivery', adminOutbox), async (context) => {
    const [{ mails, ...rest }, { user }] = await Promise.all([
      listMails(context.get('db'), context.req.valid('query')),
      callerOf(context),
    ]);
    return answer(context, {
      mails: mails.map(({ reference: _, text, ...mail }) => ({
        ...mail,
        text: user.role === 'admin' ? text : FOR_ADMINS,
      })),
      ...rest,
    });
  })
  .post(
    '/outbox/again',
    validate('json', mailsAgain),
    answers('Send one failed mail again, or all of them', mailsDue),
    async (context) => {
      const asked = context.req.valid('json');
      const mails = await sendAgain(context.get('db'), asked, adminOf(context), Date.now());
      if (mails === 0)
        throw new Refusal(
          'conflict',
          asked.id === 'all' ? 'No mail failed.' : 'This mail has not failed, or is being sent.',
        );
      return answer(context, { mails });
    },
  )
  .post(
    '/sign-out',
    validate('json', signOut),
    answers('End every session of a user, or of everybody', sessionsEnded),
    async (context) => {
      const { username } = context.req.valid('json');
      return answer(context, { ended: await endSessions(context.get('db'), context.env, username, adminOf(context)) });
    },
  )
  .get('/boards', answers('Published boards by day', boardList), async (context) =>
    answer(context, await listBoards(context.env.STORE)),
  )
  .post(
    '/boards/publish',
    validate('json', boardsAgain),
    answers('Rebuild and publish the boards of a game and day', boardsPublished),
    async (context) => {
      const { game, day } = context.req.valid('json');
      const { from, to } = rebuildable(Date.now());
      if (day < from || day > to)
        throw new Refusal('invalid', sentence('must be from {from} to {to}.', { from, to }, 'day'));
      const { id, address } = adminOf(context);
      const again = { game, day, actor: `admin:${id}`, address };
      const published = await publishDayAgain(context.get('db'), context.env.STORE, again);
      if (!published)
        throw new Refusal(
          'not_found',
          sentence('Nothing of {game} had been scanned by {day}.', { game: GAMES[game].name, day }),
        );
      return answer(context, { game, day, ...published });
    },
  )
  .get(
    '/access-codes',
    validate('query', pageQuery),
    answers('Access codes, newest first', accessCodeList),
    async (context) => answer(context, await listAccessCodes(context.get('db'), context.req.valid('query').before)),
  )
  .post(
    '/access-codes',
    validate('json', newAccessCode),
    answers('Create an access code', accessCodeMade),
    async (context) => {
      const body = context.req.valid('json');
      if (body.expires_at && body.expires_at <= Date.now()) throw new Refusal('invalid', 'expires_at: is in the past.');
      const code = await createAccessCode(context.get('db'), body, adminOf(context));
      if (!code) throw new Refusal('conflict', 'code: exists already.');
      return answer(context, { code });
    },
  )
  .get(
    '/access-codes/:code_id/users',
    validate('param', codeParam),
    answers('Accounts that were registered with an access code', accessCodeUsers),
    async (context) => {
      const users = await usersOfCode(context.get('db'), context.req.valid('param').code_id);
      if (!users) throw notFound('access code');
      return answer(context, { users });
    },
  )
  .delete(
    '/access-codes/:code_id',
    validate('param', codeParam),
    validate('json', proof),
    proved,
    answers('Revoke an access code', done),
    async (context) => {
      const { code_id } = context.req.valid('param');
      if (!(await revokeAccessCode(context.get('db'), code_id, adminOf(context)))) throw notFound('access code');
      return answer(context, {});
    },
  );
