import type { Task } from '../domain/orders/contract.ts';
import type { NoScan, Scan, Source } from './sources/source.ts';

/** The scan of a subtask's kingdom, or why there is none. */
export type Scans = (task: Pick<Task, 'item_id' | 'game' | 'kingdom_id'>) => Promise<Scan | NoScan>;

/** How long a scan serves further subtasks of its item, in milliseconds: a repair soon after looks again. */
const LIFE = 60_000;
/** Of how many items scans are kept: each is a whole kingdom in memory. */
const KEPT = 8;

/**
 * Scans of a source that the bots of a process share: subtasks of one item that are done together come from one look
 * at the kingdom, so that no governor falls between two ranges of ranks.
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
    // What failed or was not there is looked for again by the next subtask.
    const forget = () => kept.get(item_id)?.scan === scan && kept.delete(item_id);
    scan.then((seen) => !('rows' in seen) && forget(), forget);
    return scan;
  };
}

/** A file's name may lie ahead of the clock; nothing was seen later than now, and the service refuses what says so. */
const notLaterThan = (at: number, scan: Scan | NoScan): Scan | NoScan =>
  'rows' in scan ? { ...scan, captured_at: Math.min(scan.captured_at, at) } : scan;
