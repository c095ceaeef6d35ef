import * as z from 'zod';
import { GAME_IDS } from '../games/game-names.ts';
import { SNAPSHOT_KINDS } from './layouts.ts';

/** Answers with results: rows as they are downloaded, and what they add up to. */

const count = z.int().min(0);

/** A row by the keys of its game's columns; null where nothing was read. */
export const row = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

/** In the envelope: rows of json (of a page, with how many there are in all), the text of csv, base64 of the others. */
export const downloaded = z.union([z.object({ rows: z.array(row), total: count.optional() }), z.string()]);

const guardedSum = z.object({
  value: z.number().nullable(),
  rows: count,
  left_out: count,
  raw: z.number().nullable(),
  flawed: count,
});

const resultSums = z.object({
  count,
  listed: count,
  flawed: count,
  top100: guardedSum,
  top350: guardedSum,
  power: guardedSum,
  score: guardedSum,
  deads: guardedSum,
  high_tier_kills: guardedSum,
});

const shape = { game: z.enum(GAME_IDS), kind: z.enum(SNAPSHOT_KINDS) };

export const combinedResults = z.object({
  order_id: z.int(),
  item_count: count,
  rows: count,
  downloadable: z.boolean(),
  /** By game and kind of result. */
  totals: z.array(z.object({ ...shape, kingdom_count: count, rows: count, sums: resultSums })),
  /** By item; empty where the rows are too many to be added up. */
  parts: z.array(
    z.object({
      ...shape,
      item_id: z.string(),
      kingdom_id: z.int(),
      captured_at: z.number(),
      rows: count,
      sums: resultSums,
    }),
  ),
});
