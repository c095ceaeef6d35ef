import * as z from 'zod';
import { moment, next } from '../answers.ts';
import { exact } from '../figures.ts';
import { headersOption } from '../language/locale-option.ts';
import { day } from '../moment-contract.ts';
import { reason } from '../reason.ts';

/** Calls of admins about alerts and the activity log. Times are in epoch milliseconds. */

const whole = (least: number, most: number) => {
  const range = `must be from ${least} to ${exact(most)}.`;
  return z.int('must be a whole number.').min(least, range).max(most, range);
};
const hour = whole(0, 23).nullable();

const limits = z.object({
  waiting_minutes: whole(1, 1440).describe('Minutes that the first subtask of a queue may wait.'),
  silent_minutes: whole(1, 1440).describe('Minutes without a sign of any bot of a game.'),
  failed_percent: whole(1, 100).describe('Share of failed subtasks in an hour, in percent.'),
  database_percent: whole(1, 100).describe('How full the database may be, in percent.'),
  quiet_from: hour.describe('First quiet hour in UTC; null without quiet hours.'),
  quiet_to: hour.describe('The hour at which alerts begin again; null without quiet hours.'),
});

export const alertList = z.object({
  alerts: z
    .array(z.object({ kind: z.string(), text: z.string(), since: moment.describe('When it began.') }))
    .describe('Problems that are not over, oldest first.'),
  limits,
  version: z.int().describe('Number of changes of the limits.'),
  quiet: z.boolean().describe('Whether alerts are held back now.'),
});

export const limitsChange = limits
  .extend({
    version: z.int().describe('The version as it was shown. If it changed meanwhile, nothing happens.'),
    reason,
  })
  .strict()
  .refine((wanted) => (wanted.quiet_from === null) === (wanted.quiet_to === null), {
    message: 'needs a beginning and an end, or neither.',
    path: ['quiet_to'],
  });

export const ACTORS = ['admins', 'users', 'system', 'all'] as const;

export const activityQuery = z.object({
  who: z.enum(ACTORS).default('admins').describe('Whose acts'),
  user: z.string().trim().max(100).optional().describe('Acts by or on the account with this name'),
  action: z.string().trim().max(60).optional().describe('The start of the act: `order.`, `balance.adjusted`'),
  from: day.describe('The first day, in UTC'),
  to: day.describe('The last day, in UTC'),
  before: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
});
export type ActivityQuery = z.output<typeof activityQuery>;

export const activityFileQuery = activityQuery.extend({ headers: headersOption });

export const activityPage = z.object({
  entries: z.array(
    z.object({
      id: z.int(),
      at: moment,
      who: z.string().describe('Name of the admin or user, or system.'),
      action: z.string(),
      account: z.string().nullable().describe('Name of the account concerned; null if none is.'),
      subject: z.string(),
      detail: z.record(z.string(), z.unknown()).describe('Reason, what was before, and what after.'),
      address: z.string(),
    }),
  ),
  next,
});
