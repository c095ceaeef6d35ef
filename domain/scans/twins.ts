import type { GameId } from '../games/games.ts';
import { message, type Sentence, sentence } from '../language/text.ts';
import type { FileScan } from './file-scan.ts';

/** Two scans of a file with the same kingdom and time, and why the file is refused. */
interface Twins {
  scans: readonly [FileScan, FileScan];
  sentence: Sentence;
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

function sentenceOf(game: GameId, one: FileScan, other: FileScan, at: number | null): Sentence {
  const values = {
    game,
    kingdom: String(one.kingdom_id ?? ''),
    place: one.kingdom_id === null ? 'unknown' : 'known',
    when: at === null ? '' : `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    moment: at === null ? 'unknown' : 'known',
  };
  if (one.stage === null && other.stage === null)
    return sentence(
      "The sheets '{one}' and '{other}' are both a scan of {place, select, unknown {{game, select, cod {one server} other {one kingdom}}} other {{game, select, cod {server {kingdom}} other {kingdom {kingdom}}}}} {moment, select, unknown {of the same moment} other {of {when}}}. Keep one of them, or give each sheet its day as its name.",
      { ...values, one: one.sheet ?? '', other: other.sheet ?? '' },
    );
  const nameOf = ({ stage, sheet }: FileScan) => (stage ?? sheet)?.slice(0, 60) ?? { message: message('the file') };
  return sentence(
    "'{one}' and '{other}' are both a scan of {place, select, unknown {{game, select, cod {one server} other {one kingdom}}} other {{game, select, cod {server {kingdom}} other {kingdom {kingdom}}}}} {moment, select, unknown {of the same moment} other {of {when}}}: say when each was read.",
    { ...values, one: nameOf(one), other: nameOf(other) },
  );
}
