import * as z from 'zod';
import { moment } from '../answers.ts';
import { GAME_IDS } from '../games/game-names.ts';
import { LOCALES } from '../language/locales.ts';
import { ENTRY_KINDS } from '../money/ledger.ts';
import { PAYMENT_STATES, REVERSAL_KINDS } from '../money/payment.ts';
import { PERIODS } from '../orders/periods.ts';
import { SCHEDULE_STATES } from '../orders/schedule.ts';
import { TEAM_STANDINGS } from '../teams/roles.ts';
import { WEBHOOK_CHANNELS, type WebhookChannel } from './webhooks.ts';

/** A user's copy of all data held about them. Times are in epoch milliseconds, amounts in whole cents. */

const cents = z.int();
const game = z.enum(GAME_IDS);
const json = z.unknown();
const webhooks = Object.fromEntries(WEBHOOK_CHANNELS.map((channel) => [`by_${channel}`, z.boolean()])) as Record<
  `by_${WebhookChannel}`,
  z.ZodBoolean
>;

const schedule = z.object({
  id: z.int(),
  created_at: moment,
  idempotency_key: z.string().nullable(),
  request_hash: z.string(),
  entries: z.array(json),
  start_at: moment,
  end_at: moment.nullable(),
  period: z.enum(PERIODS),
  interval: z.int(),
  state: z.enum(SCHEDULE_STATES),
  next_at: moment.nullable(),
  trying_for: moment.nullable(),
  tries: z.int(),
  try_at: moment,
  missed_runs: z.int(),
});

const ownScans = z.object({
  scans: z.array(
    z.object({
      id: z.string(),
      game,
      kingdom_id: z.int(),
      captured_at: moment,
      range_from: moment.nullable(),
      stage: z.string().nullable(),
      source: z.string(),
      dialect: z.string(),
      rows: z.int(),
      bytes: z.int(),
      quality: json,
      created_at: moment,
      expires_at: moment.nullable(),
    }),
  ),
  files: z.array(
    z.object({ name: z.string(), said: json, state: z.string(), created_at: moment, expires_at: moment.nullable() }),
  ),
  labels: z.array(z.object({ scan_id: z.string(), name: z.string(), tags: json, note: z.string(), hidden: z.int() })),
  mappings: z.array(z.object({ mapping: json, updated_at: moment })),
  reports: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      game,
      ranges: json,
      settings: json,
      created_at: moment,
      updated_at: moment,
    }),
  ),
  report_links: z.array(
    z.object({
      id: z.string(),
      report_id: z.string(),
      created_at: moment,
      expires_at: moment,
      revoked_at: moment.nullable(),
    }),
  ),
  fights: z.array(
    z.object({ id: z.string(), game, name: z.string(), from_scans: json, to_scans: json, created_at: moment }),
  ),
  rosters: z.array(z.object({ game, kingdom_id: z.int(), entries: json, updated_at: moment })),
  kingdom_goals: z.array(
    z.object({
      game,
      kingdom_id: z.int(),
      goals: json,
      farms: z.number().nullable().describe('Null for all of it.'),
      updated_at: moment,
    }),
  ),
});

/** Answer of GET /v1/account/export. */
export const personalDataAnswer = z.object({
  account: z.object({
    username: z.string(),
    email: z.string(),
    full_name: z.string(),
    created_at: moment,
    verified_at: moment.nullable(),
    eula_version: z.int(),
    language: z.enum(LOCALES).nullable().describe('Language of pages, mails and messages; null if never chosen.'),
    balance_cents: cents,
  }),
  orders: z.array(
    z.object({
      order_id: z.int(),
      order_uuid: z.string(),
      team_id: z.string().nullable().describe('The team whose balance paid; null if the account did.'),
      placed_at: moment,
      total_cents: cents,
      entries: z.array(json),
    }),
  ),
  ledger: z.array(
    z.object({
      team_id: z.string().nullable().describe("The team whose money moved; null for the account's own."),
      amount_cents: cents,
      kind: z.enum(ENTRY_KINDS),
      reference: z.string(),
      note: z.string(),
      at: moment,
    }),
  ),
  payments: z
    .array(
      z.object({
        id: z.string(),
        amount_cents: cents,
        state: z.enum(PAYMENT_STATES),
        created_at: moment,
        paid_at: moment.nullable().describe('Null unless it was paid.'),
      }),
    )
    .describe('Payments by card, also those that were not completed.'),
  reversals: z
    .array(
      z.object({
        id: z.string().describe('Stripe’s id of the refund or dispute.'),
        payment_id: z.string(),
        kind: z.enum(REVERSAL_KINDS),
        amount_cents: cents.describe('What was taken back.'),
        covered_cents: cents.describe('How much of it the balance has covered.'),
        created_at: moment,
      }),
    )
    .describe('Refunds and disputes of the payments.'),
  low_balance_cents: cents.nullable().describe('Below this balance a mail warns; null if none does.'),
  schedules: z.array(schedule),
  issue_reports: z
    .array(
      z.object({
        order_id: z.int(),
        item_id: z.string().nullable().describe('Null for a whole order.'),
        message: z.string(),
        rows: z.string().describe('Ids of the governors concerned, comma-separated.'),
        created_at: moment,
        answer: z.string().nullable().describe('Null unless it was answered.'),
        answered_at: moment.nullable().describe('When it was answered, or closed without an answer; null before.'),
      }),
    )
    .describe('Issues that the user reported, with their answers.'),
  share_links: z
    .array(
      z.object({
        id: z.string(),
        item_id: z.string(),
        order_id: z.int().nullable().describe('The order whose results it shows together; null for a single item.'),
        created_at: moment,
        expires_at: moment,
        revoked_at: moment.nullable(),
      }),
    )
    .describe('Links to results.'),
  sessions: z.array(z.object({ at: moment, last_seen_at: moment, user_agent: z.string(), address: z.string() })),
  known_addresses: z.array(z.object({ address: z.string(), last_seen_at: moment })),
  visit: z.object({ seen_at: moment, before_at: moment.nullable() }).nullable(),
  governors: z.partialRecord(game, z.array(z.int())),
  following: z
    .object({
      kingdoms: z.partialRecord(game, z.string()),
      events: z.array(z.object({ dashboard_id: z.int(), kingdom: z.string().nullable(), at: moment })),
    })
    .describe('The user’s own kingdoms, and followed events and kingdoms in them.'),
  teams: z
    .array(
      z.object({
        team_id: z.string().describe('Id of the team.'),
        name: z.string(),
        role: z.enum(TEAM_STANDINGS),
        joined_at: moment.describe('When the account joined.'),
      }),
    )
    .describe('Teams that the account is a member of.'),
  own_scans: ownScans,
  api_keys: z.array(
    z.object({
      name: z.string(),
      prefix: z.string(),
      scopes: z.string(),
      at: moment,
      last_used_at: moment.nullable(),
    }),
  ),
  notifications: z.object({
    by_mail: z.boolean(),
    events_by_mail: z.boolean().describe('Whether changes in followed events are told by mail.'),
    events_by_webhook: z
      .boolean()
      .describe('Whether changes in followed events are told by the webhooks that are set.'),
    ...webhooks,
  }),
  activity: z.array(
    z.object({ at: moment, actor: z.string(), action: z.string(), subject: z.string(), address: z.string() }),
  ),
});
export type PersonalData = z.infer<typeof personalDataAnswer>;
