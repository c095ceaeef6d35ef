import { type Context, Hono } from 'hono';
import { done, nextOf } from '../../domain/answers.ts';
import { idempotent } from '../../domain/idempotency-key.ts';
import { dollars } from '../../domain/money/money.ts';
import {
  inviteMade,
  inviteOffer,
  teamClosed,
  teamLibrary,
  teamList,
  teamMade,
  teamStatement,
  transferred,
  wholeTeam,
} from '../../domain/teams/answers.ts';
import {
  inviteCreate,
  inviteParam,
  libraryAdd,
  memberEdit,
  teamCreate,
  teamEdit,
  teamInviteParam,
  teamLinkParam,
  teamMemberParam,
  teamParam,
  teamStatementQuery,
  teamTransfer,
} from '../../domain/teams/contract.ts';
import { answer } from '../http/answer.ts';
import { addressOf } from '../middleware/address.ts';
import { answers } from '../middleware/answers.ts';
import { limitedByUser } from '../middleware/limits.ts';
import { keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { teamStatementOf } from '../models/money/team-money.ts';
import type { Actor } from '../models/teams/teams.ts';
import {
  editMember,
  editTeam,
  endInvite,
  endMember,
  endTeam,
  findTeam,
  joinTeam,
  makeInvite,
  makeTeam,
  showInvite,
  showTeam,
  showTeams,
  topUpTeam,
} from '../services/teams/manage-team.ts';
import { shareWithTeam, showLibrary, takeFromTeam } from '../services/teams/team-library.ts';

const LINES_PER_PAGE = 50;

const perUser = limitedByUser('SHARE_USER');

const actorOf = (context: Context<UserEnv>): Actor => ({ userId: context.get('userId'), address: addressOf(context) });

/** Teams of leaders: members, invites and the shared balance. API keys read them. */
export const teams = new Hono<UserEnv>()
  .get('/teams', keyScope('read'), signedIn, answers('The teams that you are a member of', teamList), async (context) =>
    answer(context, await showTeams(context.get('db'), context.get('userId'))),
  )
  .post(
    '/teams',
    signedIn,
    perUser,
    validate('json', teamCreate),
    answers('Create a team, which you own', teamMade),
    async (context) => {
      const { name } = context.req.valid('json');
      return answer(context, { team_id: await makeTeam(context.get('db'), actorOf(context), name) });
    },
  )
  .get(
    '/teams/invites/:token',
    signedIn,
    validate('param', inviteParam),
    answers('What an invite offers', inviteOffer),
    async (context) =>
      answer(context, await showInvite(context.get('db'), context.get('userId'), context.req.valid('param').token)),
  )
  .post(
    '/teams/invites/:token',
    signedIn,
    perUser,
    validate('param', inviteParam),
    answers('Accept an invite', teamMade),
    async (context) => {
      const { token } = context.req.valid('param');
      return answer(context, { team_id: await joinTeam(context.get('db'), actorOf(context), token) });
    },
  )
  .get(
    '/teams/:team_id',
    keyScope('read'),
    signedIn,
    validate('param', teamParam),
    answers('A team with its members', wholeTeam),
    async (context) => {
      const team = await showTeam(context.get('db'), context.get('userId'), context.req.valid('param').team_id);
      // Whoever has an invite's path can join and spend the team's money, which a key that may read must not allow.
      return answer(context, context.get('key') ? { ...team, invites: [] } : team);
    },
  )
  .patch(
    '/teams/:team_id',
    signedIn,
    validate('param', teamParam),
    validate('json', teamEdit),
    answers('Change a team’s name or monthly limit, as its owner', done),
    async (context) => {
      const { team_id } = context.req.valid('param');
      await editTeam(context.get('db'), actorOf(context), team_id, context.req.valid('json'));
      return answer(context, {});
    },
  )
  .delete(
    '/teams/:team_id',
    signedIn,
    validate('param', teamParam),
    answers('Close a team, as its owner: its balance returns to yours', teamClosed),
    async (context) => {
      const { team_id } = context.req.valid('param');
      return answer(context, { returned: await endTeam(context.get('db'), actorOf(context), team_id) });
    },
  )
  .post(
    '/teams/:team_id/transfers',
    signedIn,
    validate('param', teamParam),
    validate('header', idempotent),
    validate('json', teamTransfer),
    answers('Move money from your balance to the team’s, as its owner', transferred),
    async (context) => {
      const key = context.req.valid('header')['idempotency-key'] ?? crypto.randomUUID();
      const asked = { ...context.req.valid('json'), key };
      const { team_id } = context.req.valid('param');
      return answer(context, { transferred: await topUpTeam(context.get('db'), actorOf(context), team_id, asked) });
    },
  )
  .get(
    '/teams/:team_id/statement',
    keyScope('read'),
    signedIn,
    validate('param', teamParam),
    validate('query', teamStatementQuery),
    answers('Entries of a team’s balance, with who ordered', teamStatement),
    async (context) => {
      const [db, { team_id }] = [context.get('db'), context.req.valid('param')];
      await findTeam(db, context.get('userId'), team_id);
      const lines = await teamStatementOf(db, team_id, context.req.valid('query').before, LINES_PER_PAGE);
      return answer(context, {
        lines: lines.map(({ amount_cents, balance_cents, ...line }) => ({
          ...line,
          amount: dollars(amount_cents),
          balance: dollars(balance_cents),
        })),
        next: nextOf(lines, LINES_PER_PAGE, ({ entry_id }) => entry_id),
      });
    },
  )
  .get(
    '/teams/:team_id/library',
    signedIn,
    validate('param', teamParam),
    answers('Results and reports that members share with the team', teamLibrary),
    async (context) => {
      const { team_id } = context.req.valid('param');
      return answer(context, await showLibrary(context.get('db'), context.env, context.get('userId'), team_id));
    },
  )
  .post(
    '/teams/:team_id/library',
    signedIn,
    perUser,
    validate('param', teamParam),
    validate('json', libraryAdd),
    answers('Share a link of yours with the team', done),
    async (context) => {
      const { team_id } = context.req.valid('param');
      await shareWithTeam(context.get('db'), context.get('userId'), team_id, context.req.valid('json').link);
      return answer(context, {});
    },
  )
  .delete(
    '/teams/:team_id/library/:link_id',
    signedIn,
    validate('param', teamLinkParam),
    answers('Take a link out of the team’s library: your own, or any as the owner', done),
    async (context) => {
      const { team_id, link_id } = context.req.valid('param');
      await takeFromTeam(context.get('db'), context.get('userId'), team_id, link_id);
      return answer(context, {});
    },
  )
  .post(
    '/teams/:team_id/invites',
    signedIn,
    perUser,
    validate('param', teamParam),
    validate('json', inviteCreate),
    answers('Create an invite link for one person, as the owner', inviteMade),
    async (context) => {
      const { team_id } = context.req.valid('param');
      return answer(context, await makeInvite(context.get('db'), actorOf(context), team_id, context.req.valid('json')));
    },
  )
  .delete(
    '/teams/:team_id/invites/:invite_id',
    signedIn,
    validate('param', teamInviteParam),
    answers('Revoke an invite, as the owner', done),
    async (context) => {
      const { team_id, invite_id } = context.req.valid('param');
      await endInvite(context.get('db'), actorOf(context), team_id, invite_id);
      return answer(context, {});
    },
  )
  .patch(
    '/teams/:team_id/members/:user_id',
    signedIn,
    validate('param', teamMemberParam),
    validate('json', memberEdit),
    answers('Change a member’s role or hand the team over, as its owner', done),
    async (context) => {
      const { team_id, user_id } = context.req.valid('param');
      const member = { teamId: team_id, userId: user_id };
      await editMember(context.get('db'), actorOf(context), member, context.req.valid('json'));
      return answer(context, {});
    },
  )
  .delete(
    '/teams/:team_id/members/:user_id',
    signedIn,
    validate('param', teamMemberParam),
    answers('Remove a member, as the owner, or leave', done),
    async (context) => {
      const { team_id, user_id } = context.req.valid('param');
      await endMember(context.get('db'), actorOf(context), { teamId: team_id, userId: user_id });
      return answer(context, {});
    },
  );
