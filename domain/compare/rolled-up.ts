import type { Numbers } from '../scans/rows.ts';
import type { RosterEntry } from './roster.ts';

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
