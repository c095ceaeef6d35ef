import type { Task } from '../domain/fleet/contract.ts';
import type { NoScan, Scan, Source } from './sources/source.ts';

/** Returns the scan of a subtask's kingdom, or the reason why the source has no scan. */
export type Scans = (task: Pick<Task, 'item_id' | 'game' | 'kingdom_id'>) => Promise<Scan | NoScan>;

/** How long a scan serves further subtasks of its item, in ms. A later repair scans again. */
const LIFE = 60_000;
/** Number of cached items, because each scan holds a whole kingdom in memory. */
const KEPT = 8;

/**
 * Shares a source's scans between the bots of a process. Subtasks of one item use the same scan of the kingdom, so that
 * no governor is lost between two ranges of ranks.
 */
export function sharedScans(source: Source, now: () => number = Date.now): Scans {
  const kept = new Map<string, { at: number; scan: ReturnType<Scans> }>();
  return async ({ item_id, game, kingdom_id }) => {
    const at = now();
    const known = kept.get(item_id);
    if (known && at - known.at < LIFE) return known.scan;
    const scan = source.scan(game, kingdom_id, at).then((seen) => notLaterThan(at, seen));
    kept.delete(item_id);
    kept.set(item_id, { at, scan });
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT) break;
      kept.delete(oldest);
    }
    // Failed and missing scans are not cached; the next subtask tries again.
    const forget = () => kept.get(item_id)?.scan === scan && kept.delete(item_id);
    scan.then((seen) => !('rows' in seen) && forget(), forget);
    return scan;
  };
}

/** Limits a scan's time to the present. A file's name may contain a future time, which the service would refuse. */
const notLaterThan = (at: number, scan: Scan | NoScan): Scan | NoScan =>
  'rows' in scan ? { ...scan, captured_at: Math.min(scan.captured_at, at) } : scan;
