import { GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { dateTime } from '../../format.ts';

interface Scan {
  scan_id: string;
  kingdom_id: number;
  captured_at: number;
}

export interface MadeRange {
  from: readonly Scan[];
  to: readonly Scan[];
}

/** From which scans a comparison is made, a line for each range. */
export const MadeFrom = ({ game, ranges }: { game: GameId; ranges: readonly MadeRange[] }) => (
  <>
    {ranges.map(({ from, to }) => (
      <p key={`${from[0]?.scan_id} ${to[0]?.scan_id}`}>
        {GAME_NAMES[game].name} · {from.map(({ kingdom_id }) => kingdom_id).join(', ')} · from {momentsOf(from)} to{' '}
        {momentsOf(to)}
      </p>
    ))}
  </>
);

/** When a side's scans were read: one moment, or the first and the last. */
export function momentsOf(side: readonly Scan[]): string {
  const moments = [...new Set(side.map(({ captured_at }) => captured_at))].sort((a, b) => a - b);
  const [first = 0, last = first] = [moments[0], moments.at(-1)];
  return first === last ? dateTime(first) : `${dateTime(first)} – ${dateTime(last)}`;
}
