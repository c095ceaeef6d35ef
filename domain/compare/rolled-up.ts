import type { Numbers } from '../scans/rows.ts';
import type { RosterEntry } from './roster-rules.ts';

/** Scores after a roster is applied. */
export interface RolledUp {
  /** Each governor's score plus the share of their farms' scores; NaN for farms, whose scores count for their mains. */
  scores: Numbers;
  /** 1 for governors excluded from rankings: exempt, gone, or a farm. */
  apart: Uint8Array;
}

/**
 * Applies a roster to scores. Exempt governors and those marked as gone are always excluded. `farms` percent of each
 * farm's score counts for its main; farms count for themselves if it is null.
 */
export const standingBy = (
  entries: readonly RosterEntry[],
  farms: number | null,
  { ids, scores }: { ids: Numbers; scores: Numbers },
): RolledUp =>
  rollUp(ids, scores, farms === null ? entries.filter(({ role }) => role !== 'farm') : entries, (farms ?? 0) / 100);

/**
 * Adds `share` (0 to 1) of each farm's score to its main's. A farm's unknown score adds nothing. A farm whose main is
 * not among the rows keeps its own score.
 */
export function rollUp(ids: Numbers, scores: Numbers, entries: readonly RosterEntry[], share: number): RolledUp {
  if (entries.length === 0) return { scores, apart: new Uint8Array(ids.length) };
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
