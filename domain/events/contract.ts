import * as z from 'zod';
import { governorId, governorKey, zeroed } from '../difference/contract.ts';
import { PRESETS } from '../difference/scoring.ts';
import { exact } from '../figures.ts';
import { flawIssue } from '../flaw-issue.ts';
import { GAME_IDS, type GameId } from '../games/games.ts';
import { headersOption } from '../language/locale-option.ts';
import { epoch, writtenMoment } from '../moment-contract.ts';
import { EVENT_BOUNDS, EVENT_DEFAULTS } from './bounds.ts';
import { KINGDOM_KEY, MAX_EVENT_KEYS, planFlaw } from './flaws.ts';

export const MAX_CAMPS = 10;
const moment = z.union(
  [
    epoch,
    z.iso
      .datetime({ offset: true })
      .transform((text) => Date.parse(text))
      .pipe(epoch),
  ],
  'must be a moment: epoch milliseconds, or a time such as 2026-03-01T12:00:00Z',
);

/** A kingdom of an event, or a domain of one. */
export const kingdomKey = z
  .union([z.string(), z.number()])
  .transform(String)
  .refine((key) => KINGDOM_KEY.test(key), "must be a kingdom or a kingdom's domain: '1206', '1206-2'");

const camp = z.strictObject({
  name: z.string().trim().min(1, 'is missing').max(40, 'must have 40 characters at most'),
  kingdoms: z
    .array(kingdomKey)
    .min(1, 'name at least one')
    .max(MAX_EVENT_KEYS, `must have ${MAX_EVENT_KEYS} entries at most`),
});

const weight = z.number().min(-1000, 'must be from -1,000 to 1,000').max(1000, 'must be from -1,000 to 1,000');
const target = z.number().min(0, 'must be 0 or more').max(Number.MAX_SAFE_INTEGER).nullable().default(null);

const goal = z.strictObject({
  min_power: z.number().min(0, 'must be 0 or more').max(Number.MAX_SAFE_INTEGER),
  dkp: target,
  kills: target,
  deads: target,
});

const { refresh_rate: rate, publication_delay: delay, depth } = EVENT_BOUNDS;

const fields = {
  kvk_id: z
    .union([z.string(), z.number()])
    .transform((id) => String(id).trim())
    .refine(
      (id) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/.test(id),
      'must be 1 to 40 letters, digits, dots, dashes or underscores',
    ),
  name: z
    .string()
    .trim()
    .min(1, 'is missing')
    .max(EVENT_BOUNDS.name, `must have ${EVENT_BOUNDS.name} characters at most`),
  camps: z.array(camp).min(1, 'name at least one').max(MAX_CAMPS, `must have ${MAX_CAMPS} entries at most`),
  refresh_rate: z
    .number('must be a number of minutes')
    .int('must be whole minutes')
    .min(rate.min, `must be ${rate.min} minutes or more`)
    .max(rate.max, `must be ${exact(rate.max)} minutes (a week) at most`),
  publication_delay: z
    .number('must be a number of hours')
    .int('must be whole hours')
    .min(delay.min, `must be ${delay.min} hours or more`)
    .max(delay.max, `must be ${delay.max} hours (a week) at most`),
  start: moment,
  end: moment,
  dates: z
    .record(z.string().trim().min(1).max(40, 'must have 40 characters at most'), moment)
    .refine((dates) => Object.keys(dates).length <= 40, 'must have 40 entries at most'),
  weights: z
    .record(z.string().max(40), weight)
    .refine((weights) => Object.keys(weights).length <= 12, 'must have 12 entries at most'),
  power_off: z.number().min(0, 'must be 0 or more').max(1000, 'must be 1,000 at most'),
  goals: z.array(goal).max(40, 'must have 40 entries at most'),
  zeroed,
  exempt: z.array(governorId).max(2000, 'must have 2,000 entries at most'),
  exempt_reasons: z
    .record(
      governorKey,
      z.string().trim().max(EVENT_BOUNDS.reason, `must have ${EVENT_BOUNDS.reason} characters at most`),
    )
    .refine((all) => Object.keys(all).length <= 2000, 'must have 2,000 entries at most')
    .describe('Why governors are exempt, by id. Only admins see it.'),
  sponsored_text: z
    .string()
    .trim()
    .max(EVENT_BOUNDS.sponsored_text, `must have ${EVENT_BOUNDS.sponsored_text} characters at most`),
  season: z
    .union([z.string(), z.number()])
    .transform((season) => String(season).trim())
    .refine((season) => season.length <= EVENT_BOUNDS.season, `must have ${EVENT_BOUNDS.season} characters at most`),
  gather: z.boolean(),
  depth: z
    .number()
    .int('must be a whole number')
    .min(depth.min, `must be ${depth.min} or more`)
    .max(depth.max, `must be ${exact(depth.max)} at most`),
};

const optional = {
  publication_delay: fields.publication_delay.default(EVENT_DEFAULTS.publication_delay),
  dates: fields.dates.default(EVENT_DEFAULTS.dates),
  weights: fields.weights.optional(),
  power_off: fields.power_off.default(EVENT_DEFAULTS.power_off),
  goals: fields.goals.default(EVENT_DEFAULTS.goals),
  zeroed: fields.zeroed.default(EVENT_DEFAULTS.zeroed),
  exempt: fields.exempt.default(EVENT_DEFAULTS.exempt),
  exempt_reasons: fields.exempt_reasons
    .default(EVENT_DEFAULTS.exempt_reasons)
    .describe('Why governors are exempt, by id. Only admins see it.'),
  sponsored_text: fields.sponsored_text.default(EVENT_DEFAULTS.sponsored_text),
  season: fields.season.default(EVENT_DEFAULTS.season),
  gather: fields.gather.default(EVENT_DEFAULTS.gather),
  depth: fields.depth.default(EVENT_DEFAULTS.depth),
};

/** Payload that creates or replaces an event. An edit sends the whole event, so that concurrent changes never mix. */
export const eventPayload = z
  .strictObject({ game: z.enum(GAME_IDS, `must be one of ${GAME_IDS.join(', ')}`), ...fields, ...optional })
  .superRefine((event, context) => {
    const flaw = planFlaw(event);
    if (flaw) context.addIssue(flawIssue(flaw.sentence, flaw.path));
  })
  .transform((event) => ({ ...event, weights: event.weights ?? defaultWeights(event.game) }));

export type EventPayload = z.infer<typeof eventPayload>;

/** The version of a plan that an edit started from. */
export const seenPlan = z.object({
  seen: z
    .string()
    .max(64)
    .optional()
    .describe('The `version` of the event that was edited. If its plan changed since, the edit is refused.'),
});

/** Returns the weights of a game's first preset. */
export const defaultWeights = (game: GameId): Record<string, number> => ({ ...PRESETS[game][0]?.weights });

/** An id in an address or a payload. */
export const wholeId = z.coerce
  .number()
  .int('must be a whole number')
  .positive('must be above 0')
  .max(Number.MAX_SAFE_INTEGER, 'is too large');

export const dashboardId = z.object({ dashboard_id: wholeId });
/** A governor of an event, and a snapshot of it, in addresses. */
export const governorParams = dashboardId.extend({ governor_id: wholeId });
export const warsParams = z.object({ governor_id: wholeId });
/** A kingdom of an event, or a domain of one, in addresses. */
export const roomParams = dashboardId.extend({ kingdom: kingdomKey });
export const snapshotParams = dashboardId.extend({ ts: writtenMoment });

/** The snapshots to compare; by default the event's first and latest. */
export const rangeQuery = z.object({ start: writtenMoment.optional(), end: writtenMoment.optional() });

/**
 * A range, and the scan within it that changes are counted from. Default: the last scan at least a day older than its
 * end.
 */
export const roomQuery = rangeQuery.extend({ since: writtenMoment.optional() });

/** The kingdom that a feed is about; all of the event if not given. */
export const feedQuery = z.object({ kingdom: kingdomKey.optional() });

export const EVENT_FILE_TYPES = ['csv', 'xlsx'] as const;
export const fileQuery = rangeQuery.extend({
  kingdom: kingdomKey.optional(),
  type: z.enum(EVENT_FILE_TYPES, `must be one of ${EVENT_FILE_TYPES.join(', ')}`),
  headers: headersOption,
});
export const snapshotFileQuery = z.object({
  type: z.enum(EVENT_FILE_TYPES, `must be one of ${EVENT_FILE_TYPES.join(', ')}`),
  headers: headersOption,
});

/** Metrics of the lines, separated by commas: column keys and `dkp`. */
export const linesQuery = rangeQuery.extend({ metrics: z.string().max(400).optional() });

export const listQuery = z.object({ game: z.enum(GAME_IDS).optional() });

/**
 * A scan file uploaded as an event's snapshot. `captured_at` is used if the file does not contain its time; `name` may
 * contain it too.
 */
export const snapshotQuery = z.object({
  captured_at: writtenMoment.optional(),
  name: z.string().max(200, 'must have 200 characters at most').optional(),
});

/** The most governors per game that a user can mark as their own. */
export const MAX_OWN_GOVERNORS = 50;
const ownIds = z
  .array(governorId)
  .max(MAX_OWN_GOVERNORS, `must have ${MAX_OWN_GOVERNORS} entries at most`)
  .transform((ids) => [...new Set(ids)]);
export const ownGovernors = z.strictObject({ rok: ownIds.default([]), cod: ownIds.default([]) });
