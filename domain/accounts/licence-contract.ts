import * as z from 'zod';
import { exact } from '../figures.ts';
import { code, reason } from '../reason.ts';

/** Versions of the licence: calls and answers. Days are in UTC. */

const SHORTEST = 100;
const LONGEST = 40_000;

const number = z.coerce.number().int('must be a whole number').min(1, 'must be 1 or more').max(1_000_000);

export const licenceQuery = z.object({
  version: number.optional().describe('Without it, the version that holds now.'),
});
export const licenceParam = z.object({ version: number.describe('A version of GET /v1/admin/licences.') });

const version = z.object({
  version: z.int(),
  holds_from: z.string().describe('The day from which it holds; empty for the first one.'),
});

/** Answer of GET /v1/eula. */
export const licence = version.extend({
  eula: z.string(),
  current: z.int().describe('The version that holds now.'),
  versions: z.array(version).describe('Every published version, newest first. The first of them may hold only later.'),
});
export const licenceAccepted = z.object({ version: z.int().describe('The version that was accepted.') });

/** Answer of GET /v1/admin/licences. */
export const adminLicences = z.object({
  today: z.string().describe('The day now.'),
  current: z.int().describe('The version that holds now.'),
  text: z.string().describe('The text of the newest version.'),
  versions: z
    .array(
      version.extend({
        holds_from: z
          .string()
          .nullable()
          .describe('The day from which it holds; empty for the first one, null for a draft.'),
        edits: z.int().describe('Number of changes.'),
      }),
    )
    .describe('Newest first. At most one does not hold yet: a draft or a planned one.'),
});

const edits = z.int().min(0).describe('`edits` as it was shown. If it changed meanwhile, nothing happens.');

/** Body of PUT /v1/admin/licences/{version}. */
export const licenceEdit = z.strictObject({
  text: z
    .string()
    .trim()
    .min(SHORTEST, `must have at least ${SHORTEST} characters`)
    .max(LONGEST, `must have at most ${exact(LONGEST)} characters`)
    .describe('Each line is a paragraph; a line that begins with a number ("1. …") is a heading.'),
  holds_from: z.iso
    .date('must be a day, such as 2026-12-01.')
    .nullable()
    .describe('The day from which it holds; null for a draft.'),
  edits: edits.describe('`edits` as it was shown, 0 for a new version. If it changed meanwhile, nothing happens.'),
  reason,
  code,
});

/** Body of POST /v1/admin/licences/{version}/discard. */
export const licenceDiscard = z.strictObject({ edits, reason });
