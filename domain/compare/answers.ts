import * as z from 'zod';
import { figure } from '../answers.ts';
import { count, differenceColumns, gainsWith, groupDifference, ts, unseen } from '../difference/answers.ts';
import { GAME_IDS } from '../games/game-names.ts';
import { compareSettings, kingdomGoals } from './contract.ts';
import { rosterEntry } from './roster.ts';

/** Answers of comparisons, with the same field names as event dashboards. Null means unknown, never 0. */

const figures = z.record(z.string(), figure);

/** A scan that a comparison reads. */
export const madeFrom = z.object({
  scan_id: z.string(),
  kingdom_id: count,
  captured_at: ts,
  range_from: ts.nullable(),
  rows: count,
  source: z.string(),
  name: z.string(),
});

/** A governor's gains by column key, and the fields below. */
const playerDifference = gainsWith({
  name: z.string(),
  alliance_tag: z.string().nullable(),
  power: figure,
  /** Score including the farms' share, if the query sets one. */
  dkp_rolled: figure.optional(),
  /** Excluded from rankings: exempt, marked as gone in the roster, or a farm whose score counts for its main. */
  apart: z.literal(true).optional(),
  verified: z
    .object({ t4: count.describe('Deads of T4'), t5: count.describe('Deads of T5') })
    .optional()
    .describe('Verified deads, if any. They replace those of the scans in gains, score and goals.'),
});

const person = z.object({
  id: z.number(),
  name: z.string(),
  alliance_tag: z.string().nullable(),
  kingdom: z.string(),
  power: figure,
});

export const compared = z.object({
  game: z.enum(GAME_IDS),
  ranges: z.array(z.object({ from: z.array(madeFrom), to: z.array(madeFrom) })),
  weights: z.record(z.string(), z.number()),
  power_off: z.number(),
  goals: compareSettings.shape.goals,
  zeroed: compareSettings.shape.zeroed,
  verified: compareSettings.shape.verified,
  common: count,
  joined: count,
  gone: count,
  unseen,
  all: groupDifference.describe('All kingdoms together.'),
  kingdoms: z.record(z.string(), groupDifference),
  players: z.record(z.string(), playerDifference).describe('By governor id, highest DKP first.'),
  joined_players: z.array(person),
  gone_players: z.array(person),
  seasons: z.record(z.string(), z.array(z.number())),
});

/** The same in columns, for pages. Rows are those in both scans, then joined, then gone. */
export const comparedTable = differenceColumns.extend({
  game: z.enum(GAME_IDS),
  unseen,
  ranges: z.array(z.object({ from: z.array(madeFrom), to: z.array(madeFrom) })),
  seasons: z.record(z.string(), z.array(z.number())),
  roster: z.array(rosterEntry).describe('Rosters of the kingdoms in it.'),
});

const scanRef = z.object({ scan_id: z.string(), kingdom_id: count, captured_at: ts, source: z.string() });

export const reportLink = z.object({
  link_id: z.string(),
  created_at: ts,
  expires_at: ts,
  path: z.string(),
  short: z.string().describe('A short path to the same page, for mails and chats.'),
});
export const report = z.object({
  report_id: z.string(),
  name: z.string(),
  game: z.enum(GAME_IDS),
  ranges: z.array(z.object({ from: z.array(z.string()), to: z.array(z.string()) })),
  settings: compareSettings,
  created_at: ts,
  updated_at: ts,
});
export const reportList = z.object({ reports: z.array(report.omit({ settings: true })) });
export const reportDetails = z.object({ report, links: z.array(reportLink) });
export const reportMade = z.object({ report_id: z.string() });

/** A report as anyone with its link sees it, with the chosen columns only. */
export const sharedReport = z.object({
  name: z.string(),
  note: z.string(),
  game: z.enum(GAME_IDS),
  updated_at: ts,
  expires_at: ts,
  ranges: z.array(z.object({ from: z.array(madeFrom), to: z.array(madeFrom) })).describe('The scans that it compares.'),
  settings: compareSettings.omit({ note: true, zeroed: true, verified: true }),
  kingdoms: z.record(
    z.string(),
    z.object({ dkp: figure, dkp_raw: figure, left_out: count, common: count, joined: count, gone: count }),
  ),
  columns: z.array(z.object({ key: z.string(), title: z.string(), type: z.enum(['number', 'percent', 'text']) })),
  rows: z
    .array(z.array(z.union([z.number(), z.string(), z.null()])))
    .describe('Highest DKP first; cells in the order of `columns`.'),
});

export const fight = z.object({
  fight_id: z.string(),
  name: z.string(),
  game: z.enum(GAME_IDS),
  from: z.array(scanRef),
  to: z.array(scanRef),
  created_at: ts,
});
export const fightList = z.object({ fights: z.array(fight) });
export const fightMade = z.object({ fight_id: z.string() });

export const rosterAnswer = z.object({ entries: z.array(rosterEntry), updated_at: ts.nullable() });

export const kingdomGoalsAnswer = kingdomGoals.extend({
  updated_at: ts.nullable().describe('Null if none are set.'),
});

/** The changes of a roster, with their time and author. */
export const rosterHistory = z.object({
  edits: z
    .array(
      z.object({
        at: ts,
        by: z.enum(['user', 'key']).describe("'user' for an edit on the site, 'key' for one by an API key."),
        count: z.number().int().describe('The number of governors whose rows changed.'),
        changes: z
          .array(
            z.object({
              governor_id: z.number(),
              before: z.string().nullable().describe('Null if the governor was not listed.'),
              after: z.string().nullable().describe('Null if the governor is no longer listed.'),
            }),
          )
          .describe('The first hundred of them.'),
      }),
    )
    .describe('The latest 30 edits, newest first.'),
});

export const governorLine = z.object({
  points: z.array(scanRef.extend({ name: z.string(), figures })),
  left_out: count.describe('Number of older scans that were not searched yet; `next` continues with them.'),
  next: z.string().nullable(),
});
