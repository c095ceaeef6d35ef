import * as z from 'zod';
import { governorId } from '../difference/contract.ts';
import { exact } from '../figures.ts';
import { flawIssue } from '../flaw-issue.ts';
import { MAX_NOTE, MAX_ROSTER, ROLES, rosterFlaw } from './roster-rules.ts';

/** Farms and their mains, and who left or is exempt: a table that a leader keeps for each kingdom. */

export const rosterEntry = z.object({
  governor_id: governorId,
  role: z.enum(ROLES, `must be one of ${ROLES.join(', ')}`),
  main_id: governorId.nullable().describe('The main that a farm belongs to; null for other roles.'),
  note: z.string().max(MAX_NOTE, `must have ${MAX_NOTE} characters at most`),
});

export const roster = z
  .array(rosterEntry)
  .max(MAX_ROSTER, `must have ${exact(MAX_ROSTER)} entries at most`)
  .superRefine((entries, context) => {
    const flaw = rosterFlaw(entries);
    if (flaw) context.addIssue(flawIssue(flaw.sentence, [flaw.index]));
  });

/** The version that an editor started from. */
export const rosterSeen = z.object({
  seen: z.coerce
    .number()
    .int('must be a whole number')
    .min(0, 'must be 0 or more')
    .optional()
    .describe(
      'The `updated_at` of the roster that was edited, 0 if it was empty. If the roster changed since, the edit is refused.',
    ),
});
