import * as z from 'zod';
import { governorId } from '../difference/contract.ts';
import { exact } from '../figures.ts';

/** Farms and their mains, and who left or is exempt: a table that a leader keeps for each kingdom. */

export const ROLES = ['main', 'farm', 'left', 'exempt'] as const;
export type RosterRole = (typeof ROLES)[number];

export const MAX_ROSTER = 5000;

export const rosterEntry = z.object({
  governor_id: governorId,
  role: z.enum(ROLES, `must be one of ${ROLES.join(', ')}`),
  main_id: governorId.nullable().describe('The main that a farm belongs to; null for other roles.'),
  note: z.string().max(100, 'must have 100 characters at most'),
});
export type RosterEntry = z.infer<typeof rosterEntry>;

export const roster = z
  .array(rosterEntry)
  .max(MAX_ROSTER, `must have ${exact(MAX_ROSTER)} entries at most`)
  .superRefine((entries, context) => {
    const flaw = flawOf(entries);
    if (flaw) context.addIssue({ code: 'custom', path: [flaw.index], message: flaw.text });
  });

/** Returns the first inconsistency between a roster's rows, as index and sentence; null if there is none. */
function flawOf(entries: readonly RosterEntry[]): { index: number; text: string } | null {
  const roles = new Map<number, RosterRole>();
  for (const [index, { governor_id, role }] of entries.entries()) {
    if (roles.has(governor_id)) return { index, text: `${governor_id} appears twice.` };
    roles.set(governor_id, role);
  }
  for (const [index, { governor_id, role, main_id }] of entries.entries()) {
    if (role === 'farm' && main_id === null) return { index, text: `${governor_id} is a farm: name its main.` };
    if (role !== 'farm' && main_id !== null) return { index, text: `${governor_id} is not a farm and has no main.` };
    if (main_id === governor_id) return { index, text: `${governor_id} cannot be its own main.` };
    if (main_id !== null && roles.get(main_id) === 'farm')
      return { index, text: `${main_id} is a farm itself and cannot be a main.` };
  }
  return null;
}
