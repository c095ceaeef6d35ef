import * as z from 'zod';
import { centsOf, formatCents } from '../money/money.ts';
import { statementQuery } from '../money/payment-contract.ts';
import { UUID } from '../orders/ids.ts';
import { INVITE_DAYS, MAX_TEAM_NAME, TEAM_ROLES, TEAM_STANDINGS } from './roles.ts';

/** Payloads of the calls about teams. */

const MAX_TRANSFER = 1_000_000;

const name = z
  .string('must be the name of the team.')
  .trim()
  .min(1, 'must not be empty.')
  .max(MAX_TEAM_NAME, `must be ${MAX_TEAM_NAME} characters at most.`);

const dollarsUpTo = (least: number) =>
  z
    .number('must be a number of dollars, such as 25 or 12.50.')
    .min(least / 100, `must be ${formatCents(least)} or more.`)
    .max(MAX_TRANSFER / 100, `must be ${formatCents(MAX_TRANSFER)} or less.`)
    .refine((amount) => centsOf(amount) !== null, 'must be dollars and whole cents, such as 12.50.')
    .transform((amount) => centsOf(amount) ?? 0);

const monthlyLimit = dollarsUpTo(0).describe(
  'Dollars that leaders other than the owner may spend in a calendar month (UTC), together.',
);

export const teamCreate = z.object({ name });

export const teamEdit = z.object({ name: name.optional(), monthly_limit: monthlyLimit.optional() });

export const inviteCreate = z.object({
  role: z.enum(TEAM_ROLES, `must be one of ${TEAM_ROLES.join(', ')}.`),
  days: z
    .number('must be a number of days.')
    .int('must be whole days.')
    .min(1, 'must be 1 or more.')
    .max(30, 'must be 30 or less.')
    .default(INVITE_DAYS)
    .describe('Number of days that the link works.'),
});

export const memberEdit = z.object({
  role: z
    .enum(TEAM_STANDINGS, `must be one of ${TEAM_STANDINGS.join(', ')}.`)
    .describe('`owner` hands the team over: the caller stays in it as a leader.'),
});

export const teamTransfer = z.object({
  amount: dollarsUpTo(1).describe("Dollars to move from the owner's balance to the team's."),
});

const MAX_ADDRESS = 300;

export const libraryAdd = z.object({
  link: z
    .string('must be the short address of a link.')
    .trim()
    .max(MAX_ADDRESS, `must be ${MAX_ADDRESS} characters at most.`)
    .describe('The short address of a link to results or to a report that the caller made.'),
});

const id = (description: string) =>
  z.string().meta({ description, pattern: `^${UUID}$`, examples: ['5b1f6c1e-7d0a-4c52-9a51-3f1f0e6f2b11'] });

export const teamParam = z.object({ team_id: id('A team: `team_id` of GET /v1/teams.') });
export const teamMemberParam = teamParam.extend({ user_id: id('A member: `user_id` of GET /v1/teams/{team_id}.') });
export const teamInviteParam = teamParam.extend({ invite_id: id('An open invite of GET /v1/teams/{team_id}.') });
export const teamLinkParam = teamParam.extend({ link_id: id('A link of GET /v1/teams/{team_id}/library.') });
export const inviteParam = z.object({ token: z.string().describe("The last part of an invite's `path`.") });

export const teamStatementQuery = statementQuery.pick({ before: true });
