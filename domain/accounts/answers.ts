import * as z from 'zod';
import { moment } from '../answers.ts';
import { LOCALES } from '../language/locales.ts';
import { ROLES } from './roles.ts';
import { SCOPES } from './scopes.ts';
import { byWebhook } from './webhooks.ts';

/** Answers about accounts. Times are in epoch milliseconds, amounts in dollars. */

export const identity = z.object({
  user: z.string(),
  full_name: z.string(),
  role: z.enum(ROLES),
  eula_accepted: z.boolean(),
  balance: z.number(),
});

export const accountAnswer = identity.extend({
  email: z.string(),
  created_at: moment,
  two_factor: z.boolean(),
  language: z
    .enum(LOCALES)
    .nullable()
    .describe('BCP 47 tag of the language of pages, mails and messages; null, which means English, if never chosen.'),
  stripe_customer_url: z.string().nullable().describe('Opens the billing portal; null before the first payment.'),
});

export const activityList = z.array(
  z.object({ id: z.int(), at: moment, by: z.string(), action: z.string(), address: z.string() }),
);

export const sessionList = z.array(
  z.object({
    id: z.string(),
    created_at: moment,
    last_seen_at: moment,
    user_agent: z.string(),
    address: z.string(),
    two_factor: z.boolean(),
    current: z.boolean().describe('True for the session that makes this call.'),
  }),
);

export const sessionsEnded = z.object({ ended: z.int().min(0) });

export const twoFactorStarted = z.object({ secret: z.string(), uri: z.string() });
export const twoFactorConfirmed = z.object({ recovery_codes: z.array(z.string()) });

export const keyList = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().describe('How the key begins.'),
    scopes: z.array(z.enum(SCOPES)),
    created_at: moment,
    last_used_at: moment.nullable(),
  }),
);

/** The only answer that contains the key itself. */
export const keyMade = z.object({ id: z.string(), key: z.string() });

export const notificationAnswer = z.object({
  by_mail: z.boolean().describe('Whether finished orders are told by mail.'),
  events_by_mail: z.boolean().describe('Whether changes in followed events are told by mail.'),
  events_by_webhook: z.boolean().describe('Whether changes in followed events are told by the webhooks that are set.'),
  /** The end of each webhook's address; null if none is set. */
  ...byWebhook(() => z.string().nullable()),
  trouble: z
    .string()
    .nullable()
    .describe('Why mails or messages to a webhook were switched off; null if they were not.'),
});

// --- What admins see ------------------------------------------------------------------------------------------------

export const accessCodeList = z.array(
  z.object({
    id: z.int(),
    code: z.string(),
    note: z.string(),
    max_uses: z.int(),
    uses: z.int().min(0),
    expires_at: moment.nullable(),
    revoked_at: moment.nullable(),
    created_by: z.string(),
    created_at: moment,
  }),
);
/** Answer of GET /v1/admin/access-codes/{code_id}/users, newest first. */
export const accessCodeUsers = z.object({
  users: z
    .array(
      z.object({
        user_id: z.string().describe('Id of the account.'),
        username: z.string(),
        created_at: moment,
        verified_at: moment.nullable().describe('When the mail address was verified; null if it is not.'),
      }),
    )
    .describe('Accounts that were registered with it.'),
});
export const accessCodeMade = z.object({ code: z.string() });

/** Answer of the licences page: what an account may see, and until when. */
export const licensesAnswer = z.object({
  licenses: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      text: z.string().describe('What it gives access to, in a sentence.'),
      held: z.boolean().describe('False if the account does not have it (yet).'),
      until: z.number().nullable().describe('Epoch milliseconds; null if it does not end.'),
      limits: z
        .array(z.object({ name: z.string(), limit: z.number(), used: z.number().nullable(), per: z.string() }))
        .describe('The limits that apply and how much of each is used; empty if there are none.'),
    }),
  ),
});
export type LicensesAnswer = z.infer<typeof licensesAnswer>;
