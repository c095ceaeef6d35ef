import { GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { listed } from '../../../domain/language/text.ts';
import { isFileTime } from '../../../domain/scans/file-time.ts';
import { T } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';

interface Scan {
  scan_id: string;
  kingdom_id: number;
  captured_at: number;
  source: string;
}

interface MadeRange {
  from: readonly Scan[];
  to: readonly Scan[];
}

/** Lists the scans of a comparison, one line per range. */
export const MadeFrom = ({ game, ranges }: { game: GameId; ranges: readonly MadeRange[] }) => (
  <>
    {ranges.map(({ from, to }) => (
      <p key={`${from[0]?.scan_id} ${to[0]?.scan_id}`}>
        <T
          of="{name} · {kingdoms} · from {from} to {to}"
          name={GAME_NAMES[game].name}
          kingdoms={listed(from.map(({ kingdom_id }) => kingdom_id))}
          from={<Moments side={from} />}
          to={<Moments side={to} />}
        />
      </p>
    ))}
  </>
);

/** When a side's scans were taken: one time, or the first and the last. */
export function Moments({ side }: { side: readonly Scan[] }) {
  const byFile = side.some(({ source }) => isFileTime(source));
  const moments = [...new Set(side.map(({ captured_at }) => captured_at))].sort((a, b) => a - b);
  const [first = 0, last = first] = [moments[0], moments.at(-1)];
  if (first === last) return <Time at={first} byFile={byFile} />;
  return (
    <>
      <Time at={first} /> – <Time at={last} byFile={byFile} />
    </>
  );
}
