import { type Sentence, sentence, t } from '../language/text.ts';

/** Rules of rosters, which pages check while a leader types. */

export const ROLES = ['main', 'farm', 'left', 'exempt'] as const;
export type RosterRole = (typeof ROLES)[number];

export const MAX_ROSTER = 5000;
export const MAX_NOTE = 100;

/** A governor's row in a roster. */
export interface RosterEntry {
  governor_id: number;
  role: RosterRole;
  /** The main that a farm belongs to; null for other roles. */
  main_id: number | null;
  note: string;
}

/** Returns the first inconsistency between a roster's rows, as index and sentence; null if there is none. */
export function rosterFlaw(entries: readonly RosterEntry[]): { index: number; sentence: Sentence } | null {
  const roles = new Map<number, RosterRole>();
  for (const [index, { governor_id, role }] of entries.entries()) {
    if (roles.has(governor_id))
      return { index, sentence: sentence('{id} appears twice.', { id: String(governor_id) }) };
    roles.set(governor_id, role);
  }
  for (const [index, { governor_id, role, main_id }] of entries.entries()) {
    if (role === 'farm' && main_id === null)
      return { index, sentence: sentence('{id} is a farm: name its main.', { id: String(governor_id) }) };
    if (role !== 'farm' && main_id !== null)
      return { index, sentence: sentence('{id} is not a farm and has no main.', { id: String(governor_id) }) };
    if (main_id === governor_id)
      return { index, sentence: sentence('{id} cannot be its own main.', { id: String(governor_id) }) };
    if (main_id !== null && roles.get(main_id) === 'farm')
      return { index, sentence: sentence('{id} is a farm itself and cannot be a main.', { id: String(main_id) }) };
  }
  return null;
}

/** A governor's row in two versions of a roster; null if a version does not list them. */
export interface RosterChange {
  governor_id: number;
  before: string | null;
  after: string | null;
}

/** Describes a row: 'farm of 12', 'exempt (on holiday)'. */
function standingText({ role, main_id, note }: RosterEntry): string {
  const standing =
    main_id === null
      ? t('{role, select, main {main} farm {farm} left {left} other {exempt}}', { role })
      : t('{role, select, main {main} farm {farm} left {left} other {exempt}} of {id}', { role, id: String(main_id) });
  return note === '' ? standing : `${standing} (${note})`;
}

/** Returns the governors whose rows differ between two versions of a roster. */
export function rosterChanges(before: readonly RosterEntry[], after: readonly RosterEntry[]): RosterChange[] {
  const [old, now] = [before, after].map((list) => new Map(list.map((row) => [row.governor_id, standingText(row)])));
  return [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])]
    .map((governor_id) => ({
      governor_id,
      before: old?.get(governor_id) ?? null,
      after: now?.get(governor_id) ?? null,
    }))
    .filter((change) => change.before !== change.after);
}
