import * as z from 'zod';
import { governorKey, zeroed } from '../difference/contract.ts';
import { goalsOf, LineFlaw, zeroedOf } from '../difference/lines.ts';
import { PRESETS } from '../difference/scoring.ts';
import { MAX_VERIFIED, type VerifiedDeads, verifiedOf } from '../difference/verified.ts';
import { MAX_KINGDOM } from '../games/game-names.ts';
import { GAME_IDS, GAMES, type GameId } from '../games/games.ts';
import { headersOption } from '../language/locale-option.ts';
import { scansQuery } from '../library/contract.ts';
import { orNothing } from '../or-nothing.ts';

/** Scans per side; a war has two dozen kingdoms at most. */
export const MAX_SCANS_A_SIDE = 40;
/** Fights added up in one comparison. */
export const MAX_RANGES = 20;

const scanId = z.string().min(1).max(60);
const ids = z
  .array(scanId)
  .min(1, 'name at least one scan')
  .max(MAX_SCANS_A_SIDE, `must have ${MAX_SCANS_A_SIDE} entries at most`)
  .transform((list) => [...new Set(list)]);

const idList = z
  .string()
  .max(3000)
  .transform((text) => text.split(',').map((id) => id.trim()))
  .pipe(ids);

/** One range: the scans at its start and at its end. */
export const range = z.object({ from: ids, to: ids });
export type Range = z.infer<typeof range>;

const weight = z.coerce.number().min(-1000, 'must be from -1,000 to 1,000').max(1000, 'must be from -1,000 to 1,000');
const percent = z.coerce.number().min(0, 'must be 0 or more').max(100, 'must be 100 at most');

const given = {
  t1: orNothing(weight).describe('Points per T1 kill'),
  t2: orNothing(weight).describe('Points per T2 kill'),
  t3: orNothing(weight).describe('Points per T3 kill'),
  t4: orNothing(weight).describe('Points per T4 kill'),
  t5: orNothing(weight).describe('Points per T5 kill'),
  deads: orNothing(weight).describe('Points per dead'),
  deads_t4: orNothing(weight).describe('Points per T4 dead, if the scans have that figure'),
  deads_t5: orNothing(weight).describe('Points per T5 dead, if the scans have that figure'),
  score: orNothing(weight).describe('Points per kill point, or merit'),
  power_off: orNothing(z.coerce.number().min(0, 'must be 0 or more').max(1000)),
};

export const MAX_GOALS = 40;
/** This many zeroed governors fit into an address. */
const MAX_ZEROED = 300;

/** Parses lines of text with `read`. Invalid lines are refused with their number. */
const written = <Value>(read: (text: string) => Value, size: (value: Value) => number, most: number) =>
  z
    .string()
    .max(8000)
    .transform((text, context) => {
      try {
        const value = read(text);
        if (size(value) <= most) return value;
        context.addIssue({ code: 'custom', message: `must have ${most} entries at most` });
      } catch (error) {
        if (!(error instanceof LineFlaw)) throw error;
        context.addIssue({ code: 'custom', message: error.message });
      }
      return z.NEVER;
    });

export const compareQuery = z
  .object({
    from: idList.optional().describe('Scan ids, separated by commas'),
    to: idList.optional().describe('Scan ids, separated by commas'),
    fights: z
      .string()
      .max(1000)
      .transform((text) => text.split(',').map((id) => id.trim()))
      .pipe(z.array(z.uuid('is not a fight')).min(1).max(MAX_RANGES, `must have ${MAX_RANGES} entries at most`))
      .optional()
      .describe('Ids of fights to add up, instead of from and to'),
    ...given,
    goals: written(goalsOf, (goals) => goals.length, MAX_GOALS)
      .optional()
      .describe('Goals by power at the start, for example 40M: dkp 2M, kills 100K; 60M: dkp 4M'),
    zeroed: written(zeroedOf, (zeroed) => Object.keys(zeroed).length, MAX_ZEROED)
      .optional()
      .describe('Percent of a governor’s deads that does not count, for example 20436276: 80; 20436277: 50'),
    verified: written<Record<string, VerifiedDeads>>(
      verifiedOf,
      (verified) => Object.keys(verified).length,
      MAX_VERIFIED,
    )
      .optional()
      .describe('Verified deads of T4 / T5, which replace those of the scans, for example 20436276: 120,000 / 34,000'),
    farms: orNothing(percent).describe('Percent of a farm’s score that counts for its main'),
  })
  .refine(({ from, to, fights }) => (fights ? !from && !to : from && to), 'Name from and to, or fights.');
export type CompareQuery = z.infer<typeof compareQuery>;

/** Returns the weights of a query; the game's first preset if it has none. */
export function weightsOf(game: GameId, query: Partial<Record<keyof typeof given, number>>): Record<string, number> {
  const { tiers, deads, score } = GAMES[game].roles;
  const [t1, t2, t3, t4, t5] = tiers;
  const keys = { t1, t2, t3, t4, t5, deads, deads_t4: 'deads_t4', deads_t5: 'deads_t5', score };
  const named = Object.entries(keys).flatMap(([name, key]) => {
    const points = query[name as keyof typeof keys];
    return points === undefined ? [] : [[key, points] as const];
  });
  return named.length > 0 ? Object.fromEntries(named) : { ...PRESETS[game][0]?.weights };
}

const target = z.number().min(0, 'must be 0 or more').max(Number.MAX_SAFE_INTEGER).nullable();

const deads = z.number().int('must be a whole number').min(0, 'must be 0 or more').max(Number.MAX_SAFE_INTEGER);

/** Verified deads by governor id. */
const verified = z
  .record(governorKey, z.object({ t4: deads.describe('Deads of T4'), t5: deads.describe('Deads of T5') }))
  .refine((all) => Object.keys(all).length <= MAX_VERIFIED, `must have ${MAX_VERIFIED} entries at most`)
  .describe('Verified deads of T4 and T5 by governor id, which replace those of the scans.');

/** How a comparison is scored and shown. A report stores these, and the page changes them freely. */
export const compareSettings = z.object({
  weights: z
    .record(z.string().max(40), z.number().min(-1000).max(1000))
    .refine((weights) => Object.keys(weights).length <= 12, 'must have 12 entries at most'),
  power_off: z.number().min(0, 'must be 0 or more').max(1000, 'must be 1,000 at most'),
  goals: z
    .array(
      z.object({
        min_power: z.number().min(0, 'must be 0 or more').max(Number.MAX_SAFE_INTEGER),
        dkp: target,
        kills: target,
        deads: target,
      }),
    )
    .max(MAX_GOALS, `must have ${MAX_GOALS} entries at most`),
  zeroed,
  verified: verified.default({}),
  farms: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .describe("Percent of a farm's score that counts for its main; null if farms count for themselves."),
  columns: z
    .array(z.string().max(60))
    .max(40, 'must have 40 entries at most')
    .describe("Columns of the shared page: 'power', 'dkp', 'goal', 'gain:<key>' …"),
  note: z.string().max(2000, 'must have 2,000 characters at most'),
});
export type CompareSettings = z.infer<typeof compareSettings>;

/** A user's own goals for a kingdom: the defaults of each of its wars. */
export const kingdomGoals = z.strictObject({
  goals: compareSettings.shape.goals.describe("Replace the event's goals; if empty, the event's count."),
  farms: compareSettings.shape.farms.describe(
    "Percent of a farm's score that counts for its main; null for all of it.",
  ),
});
export type KingdomGoals = z.infer<typeof kingdomGoals>;

/** Default settings. */
export const usualSettings = (game: GameId): CompareSettings => ({
  weights: { ...PRESETS[game][0]?.weights },
  power_off: 0,
  goals: [],
  zeroed: {},
  verified: {},
  farms: null,
  columns: [],
  note: '',
});

const name = z.string().trim().min(1, 'is missing').max(100, 'must have 100 characters at most');
const ranges = z.array(range).min(1, 'name at least one').max(MAX_RANGES, `must have ${MAX_RANGES} entries at most`);

export const reportPayload = z.object({ name, ranges, settings: compareSettings });
export type ReportPayload = z.infer<typeof reportPayload>;
export const reportId = z.object({ report_id: z.uuid('is not a report') });
export const linkId = reportId.extend({ link_id: z.uuid('is not a link') });
export const MAX_LINK_DAYS = 365;
export const linkPayload = z.object({
  days: z.number().int('must be a whole number').min(1, 'must be 1 or more').max(MAX_LINK_DAYS, 'must be 365 at most'),
});

export const fightPayload = z.object({ name, from: ids, to: ids });
export const fightId = z.object({ fight_id: z.uuid('is not a fight') });
export const fightsQuery = z.object({ game: z.enum(GAME_IDS).optional() });

export const rosterPlace = z.object({
  game: z.enum(GAME_IDS, `must be one of ${GAME_IDS.join(', ')}`),
  kingdom: z.coerce.number().int().min(1).max(MAX_KINGDOM),
});

export const EXPORT_TYPES = ['csv', 'xlsx', 'text', 'png'] as const;
const exportType = z.enum(EXPORT_TYPES, `must be one of ${EXPORT_TYPES.join(', ')}`);
export const exportQuery = compareQuery.safeExtend({ type: exportType, headers: headersOption });
export type ExportQuery = z.output<typeof exportQuery>;
export const reportExport = z.object({ type: exportType, headers: headersOption });

export const lineQuery = z.object({
  game: z.enum(GAME_IDS, `must be one of ${GAME_IDS.join(', ')}`),
  governor: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER),
  before: scansQuery.shape.before,
  origin: scansQuery.shape.origin,
});
