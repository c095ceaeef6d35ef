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
): RolledUp => {
  const counting = farms === null ? entries.filter(({ role }) => role !== 'farm') : entries;
  if (counting.length === 0) return { scores, apart: new Uint8Array(ids.length) };
  const { apart, mainOf } = rosterOver(ids, counting);
  return { scores: rollUp(scores, mainOf, (farms ?? 0) / 100), apart };
};

/** Rows by a roster: those excluded from rankings, and the row of each farm's main, or -1. */
export interface RosterOver extends Pick<RolledUp, 'apart'> {
  mainOf: Int32Array;
}

/** Applies a roster to rows. A farm whose main is not among them counts for itself. */
export function rosterOver(ids: Numbers, entries: readonly RosterEntry[]): RosterOver {
  const entryOf = new Map(entries.map((entry) => [entry.governor_id, entry]));
  const rowOf = new Map<number, number>();
  ids.forEach((id, row) => {
    if (entryOf.has(id) || !rowOf.has(id)) rowOf.set(id, row);
  });
  const apart = new Uint8Array(ids.length);
  const mainOf = new Int32Array(ids.length).fill(-1);
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
    mainOf[row] = main;
  });
  return { apart, mainOf };
}

/** Adds `share` (0 to 1) of each farm's score to its main's. A farm's unknown score adds nothing. */
export function rollUp(scores: Numbers, mainOf: Int32Array, share: number): Numbers {
  const rolled = scores.slice();
  mainOf.forEach((main, row) => {
    if (main < 0) return;
    rolled[row] = Number.NaN;
    const own = scores[row] as number;
    if (!Number.isNaN(own)) rolled[main] = (rolled[main] as number) + own * share;
  });
  return rolled;
}
