import * as z from 'zod';
import { count, moment } from '../answers.ts';
import { ENTRY_KINDS } from '../money/ledger.ts';
import { centsOf } from '../money/money.ts';
import { SCHEDULE_STATES } from '../orders/schedule.ts';
import { code, reason } from '../reason.ts';
import { teamList } from '../teams/answers.ts';
import { ACCOUNT_STATES, ROLES } from './roles.ts';

/** Calls of admins about accounts, and their answers. Amounts are in dollars, times in epoch milliseconds. */

export const accountsQuery = z.object({
  search: z.string().trim().max(100).optional().describe("A part of a name or mail address, or an account's id"),
  role: z.enum(ROLES).optional().describe('Accounts with this role'),
  state: z
    .enum(ACCOUNT_STATES)
    .optional()
    .describe('`owing`: money of a payment was taken back that the balance did not cover.'),
  before: z.string().max(64).optional().describe('Accounts older than the one with this id'),
});
export type AccountsQuery = z.output<typeof accountsQuery>;

const head = z.object({
  user_id: z.string().describe('Id of the account.'),
  username: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  created_at: moment,
  verified_at: moment.nullable().describe('When the mail address was verified; null if it is not.'),
  locked_at: moment.nullable().describe('Since when it is locked; null if it is not.'),
  balance: z.number(),
  order_count: count.describe('Number of orders.'),
});

export const accountList = z.object({
  accounts: z.array(head).describe('Accounts, newest first.'),
  next: z.string().nullable().describe('The `before` of the next page; null on the last page.'),
});

export const accountParam = z.object({
  user_id: z.string().describe('An account: `user_id` of GET /v1/admin/accounts.'),
});

export const wholeAccount = head.extend({
  full_name: z.string(),
  eula_version: z.int(),
  two_factor: z.boolean(),
  locked_reason: z.string().nullable().describe('Why it is locked; null if it is not.'),
  uncovered: z.number(),
  statement: z
    .array(
      z.object({
        entry_id: z.int(),
        created_at: moment,
        kind: z.enum(ENTRY_KINDS),
        amount: z.number(),
        balance: z.number(),
        note: z.string(),
        order_id: z.int().nullable(),
      }),
    )
    .describe('The newest fifty entries.'),
  orders: z
    .array(z.object({ order_id: z.int(), placed_at: moment, total: z.number() }))
    .describe('The newest twenty orders.'),
  schedules: z
    .array(z.object({ schedule_id: z.int(), state: z.enum(SCHEDULE_STATES), next_at: moment.nullable() }))
    .describe('Schedules that have not ended.'),
  api_keys: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      prefix: z.string(),
      scopes: z.string().describe('Separated by commas.'),
      last_used_at: moment.nullable(),
    }),
  ),
  sessions: z.array(
    z.object({
      created_at: moment,
      last_seen_at: moment,
      user_agent: z.string(),
      address: z.string(),
      two_factor: z.boolean(),
    }),
  ),
  teams: teamList.shape.teams.describe(
    'Open teams that they are a member of, by name. `role` and `spendable` are theirs.',
  ),
  activity: z
    .array(z.object({ id: z.int(), at: moment, actor: z.string(), action: z.string(), address: z.string() }))
    .describe('The newest hundred entries of its log.'),
});

export const ACCOUNT_ACTS = ['lock', 'unlock', 'end-sessions', 'reset-two-factor'] as const;
export type AccountAct = (typeof ACCOUNT_ACTS)[number];

export const accountActParam = accountParam.extend({ act: z.enum(ACCOUNT_ACTS).describe('What to do.') });
export const accountAct = z.strictObject({ reason, code });

export const roleChange = z.strictObject({
  role: z.enum(ROLES, `must be one of ${ROLES.join(', ')}`),
  before: z.enum(ROLES).describe('The role as it was shown. If it changed meanwhile, nothing happens.'),
  reason,
  code,
});

export const accountAdjustment = z.strictObject({
  amount: z
    .number('must be a number of dollars.')
    .refine((amount) => (centsOf(amount) ?? 0) !== 0, 'must be whole cents and not zero.')
    .refine((amount) => Math.abs(amount) <= 10_000, 'must be 10,000.00 at most.')
    .transform((amount) => centsOf(amount) ?? 0)
    .describe('Dollars; a positive amount is credited, a negative one charged.'),
  reason: reason.describe('A sentence that the user reads in the statement.'),
  code,
});

/** The same for an account by its name. */
export const adjustment = z.object({ username: z.string().trim().min(1).max(100), ...accountAdjustment.shape });

export const acted = z.object({ msg: z.string() });
