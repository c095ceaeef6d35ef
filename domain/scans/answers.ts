import * as z from 'zod';
import { count } from '../answers.ts';
import { GAME_IDS } from '../games/game-names.ts';
import type { Column } from '../games/games.ts';
import { layoutOf, SNAPSHOT_KINDS } from './layouts.ts';
import type { Row } from './rows.ts';

/** Answers with results: rows as downloaded, and their totals. */

const cell = z.union([z.string(), z.number(), z.null()]);

const meaningOf = ({ title, type, profile, lifetime, seasonal }: Column): string =>
  [
    `${title}.`,
    type === 'text' ? '' : lifetime ? 'A counter that never falls.' : seasonal ? 'A counter of the season.' : '',
    `Null if it was not read${profile ? ', as in a row of the ranking list alone' : ''}.`,
  ]
    .filter(Boolean)
    .join(' ');

const fieldOf = (column: Column) =>
  (column.type === 'text' ? z.string() : z.number()).nullable().optional().describe(meaningOf(column));

const columns = GAME_IDS.flatMap((game) => SNAPSHOT_KINDS.flatMap((kind) => layoutOf({ game, kind }).columns));

/** A row keyed by its game's column keys, which are also the names in csv and Parquet. */
const rowFields = z.object(Object.fromEntries(columns.map((column) => [column.key, fieldOf(column)]))).catchall(cell);
export const row: z.ZodType<Row> = rowFields as z.ZodType<Row>;

/** Returns a row schema with further fields. */
export const rowWith = <Fields extends z.ZodRawShape>(fields: Fields) =>
  rowFields.extend(fields) as unknown as z.ZodType<Row & z.infer<z.ZodObject<Fields>>>;

/**
 * Answer in the JSON envelope: rows for json; if the client asks for JSON, the text of csv or base64 of other types.
 */
export const downloaded = z.union([
  z.object({
    rows: z.array(row).describe('Governors (lords), strongest first unless `sort` says otherwise.'),
    total: count.optional().describe('Total rows on all pages; only in paged answers.'),
  }),
  z.string().describe('With Accept: application/json, the text of csv, or base64 of xlsx and parquet.'),
]);

const guardedSum = z.object({
  value: z.number().nullable(),
  rows: count,
  left_out: count,
  raw: z.number().nullable(),
  flawed: count,
});

export const resultSums = z.object({
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
  own: z.boolean().describe('True if you placed the order. Members of the team that paid only read it.'),
  item_count: count,
  live: z.boolean().describe('False if nothing of the order will change without an action of the user.'),
  rows: count,
  downloadable: z.boolean(),
  totals: z
    .array(z.object({ ...shape, kingdom_count: count, rows: count, sums: resultSums }))
    .describe('By game and kind of result.'),
  parts: z
    .array(
      z.object({
        ...shape,
        item_id: z.string(),
        kingdom_id: z.int(),
        captured_at: z.number(),
        version: z.int(),
        rows: count,
        sums: resultSums,
      }),
    )
    .describe('By item; empty if there are too many rows to add up.'),
});
