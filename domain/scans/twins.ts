import { GAMES, type GameId } from '../games/games.ts';
import type { FileScan } from './file-scan.ts';

/** Two scans of a file with the same kingdom and time, and why the file is refused. */
export interface Twins {
  scans: readonly [FileScan, FileScan];
  sentence: string;
}

/**
 * Finds the first two scans with the same kingdom and the same time by `momentOf`. Scans without a time count as the
 * same time, except for named stages, whose times the user still has to give.
 */
export function twinsIn(
  game: GameId,
  scans: readonly FileScan[],
  momentOf: (scan: FileScan) => number | null,
): Twins | null {
  const seen = new Map<string, FileScan>();
  for (const scan of scans) {
    const at = momentOf(scan);
    if (at === null && scan.stage !== null) continue;
    const place = `${scan.kingdom_id} ${at}`;
    const earlier = seen.get(place);
    if (earlier) return { scans: [earlier, scan], sentence: sentenceOf(game, earlier, scan, at) };
    seen.set(place, scan);
  }
  return null;
}

function sentenceOf(game: GameId, one: FileScan, other: FileScan, at: number | null): string {
  const { kingdom } = GAMES[game];
  const whose = one.kingdom_id === null ? `one ${kingdom.one}` : `${kingdom.one} ${one.kingdom_id}`;
  const when =
    at === null ? 'of the same moment' : `of ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  if (one.stage === null && other.stage === null)
    return `The sheets '${one.sheet}' and '${other.sheet}' are both a scan of ${whose} ${when}. Keep one of them, or give each sheet its day as its name.`;
  const names = [one, other].map(({ stage, sheet }) => `'${(stage ?? sheet ?? 'the file').slice(0, 60)}'`);
  return `${names.join(' and ')} are both a scan of ${whose} ${when}: say when each was read.`;
}
