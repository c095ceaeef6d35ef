import * as z from 'zod';
import type { Numbers } from '../scans/rows.ts';

/** Who is whose farm, who left and who is exempt: a table that a leader keeps for each kingdom. */

export const ROLES = ['main', 'farm', 'left', 'exempt'] as const;
export type RosterRole = (typeof ROLES)[number];

export const MAX_ROSTER = 5000;

const governorId = z
  .number('must be a number')
  .int('must be a whole number')
  .positive('must be above 0')
  .max(Number.MAX_SAFE_INTEGER);

export const rosterEntry = z.object({
  governor_id: governorId,
  role: z.enum(ROLES, `must be one of ${ROLES.join(', ')}`),
  /** Whose farm it is; null for the others. */
  main_id: governorId.nullable(),
  note: z.string().max(100, 'must have 100 characters at most'),
});
export type RosterEntry = z.infer<typeof rosterEntry>;

export const roster = z
  .array(rosterEntry)
  .max(MAX_ROSTER, `must be ${MAX_ROSTER.toLocaleString('en-US')} at most`)
  .superRefine((entries, context) => {
    const flaw = flawOf(entries);
    if (flaw) context.addIssue({ code: 'custom', path: [flaw.index], message: flaw.text });
  });

/** What is wrong with a roster's rows together: where, and a sentence. */
function flawOf(entries: readonly RosterEntry[]): { index: number; text: string } | null {
  const roles = new Map<number, RosterRole>();
  for (const [index, { governor_id, role }] of entries.entries()) {
    if (roles.has(governor_id)) return { index, text: `${governor_id} stands twice.` };
    roles.set(governor_id, role);
  }
  for (const [index, { governor_id, role, main_id }] of entries.entries()) {
    if (role === 'farm' && main_id === null) return { index, text: `${governor_id} is a farm: name its main.` };
    if (role !== 'farm' && main_id !== null) return { index, text: `${governor_id} is no farm and has no main.` };
    if (main_id === governor_id) return { index, text: `${governor_id} cannot be its own main.` };
    if (main_id !== null && roles.get(main_id) === 'farm')
      return { index, text: `${main_id} is a farm itself and cannot be a main.` };
  }
  return null;
}

/** What a roster makes of scores. */
export interface RolledUp {
  /** Each governor's score with his share of his farms'; NaN for farms, whose scores count with their mains. */
  scores: Numbers;
  /** 1 for those who count for nothing: exempt ones, those who left, and farms. */
  apart: Uint8Array;
}

/**
 * Scores as a roster counts them: exempt governors and those who left stand apart in any case, farms count with their
 * mains by `farms` percent, or for themselves where that is null.
 */
export const standingBy = (
  entries: readonly RosterEntry[],
  farms: number | null,
  { ids, scores }: { ids: Numbers; scores: Numbers },
): RolledUp =>
  rollUp(ids, scores, farms === null ? entries.filter(({ role }) => role !== 'farm') : entries, (farms ?? 0) / 100);

/**
 * Adds the scores of farms to their mains', `share` of them (0 to 1). An unknown score of a farm adds nothing; a farm
 * whose main is not among the rows keeps its own score.
 */
export function rollUp(ids: Numbers, scores: Numbers, entries: readonly RosterEntry[], share: number): RolledUp {
  const entryOf = new Map(entries.map((entry) => [entry.governor_id, entry]));
  const rowOf = new Map<number, number>();
  ids.forEach((id, row) => {
    if (entryOf.has(id) || !rowOf.has(id)) rowOf.set(id, row);
  });
  const rolled = scores.slice();
  const apart = new Uint8Array(ids.length);
  ids.forEach((id, row) => {
    const entry = entryOf.get(id);
    if (!entry || entry.role === 'main') return;
    if (entry.role !== 'farm') {
      apart[row] = 1;
      return;
    }
    const main = rowOf.get(entry.main_id ?? 0);
    if (main === undefined) return;
    apart[row] = 1;
    rolled[row] = Number.NaN;
    const own = scores[row] as number;
    if (!Number.isNaN(own)) rolled[main] = (rolled[main] as number) + own * share;
  });
  return { scores: rolled, apart };
}
