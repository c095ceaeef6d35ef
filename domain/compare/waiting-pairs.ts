import type { GameId } from '../games/game-names.ts';

/** The fields of a library scan that decide whether it can be compared with another. */
interface KeptScan {
  scan_id: string;
  origin: 'bought' | 'imported';
  game: GameId;
  kingdom_id: number;
  captured_at: number;
  range_from: number | null;
}

interface WaitingPair {
  game: GameId;
  kingdom_id: number;
  from: KeptScan;
  to: KeptScan;
}

/**
 * Suggests pairs of scans to compare: for each kingdom the newest two, if at least one is imported and no report ends
 * with the newest. Kingdoms with the newest scan come first. Scans with a `range_from` hold sums over days and cannot
 * be compared with single readings. Two scans with the same time have no difference.
 */
export function waitingPairs(
  scans: readonly KeptScan[],
  reports: readonly { ranges: readonly { to: readonly string[] }[] }[],
): WaitingPair[] {
  const compared = new Set(reports.flatMap(({ ranges }) => ranges.flatMap(({ to }) => to)));
  const readings = scans
    .filter(({ range_from }) => range_from === null)
    .toSorted((one, other) => other.captured_at - one.captured_at);
  const kingdoms = Map.groupBy(readings, ({ game, kingdom_id }) => `${game} ${kingdom_id}`);
  return [...kingdoms.values()].flatMap(([to, ...before]) => {
    const from = to && before.find(({ captured_at }) => captured_at < to.captured_at);
    if (!from || compared.has(to.scan_id)) return [];
    if (from.origin === 'bought' && to.origin === 'bought') return [];
    return [{ game: to.game, kingdom_id: to.kingdom_id, from, to }];
  });
}
