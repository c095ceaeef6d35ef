import type { GameId } from '../../../../domain/games/game-names.ts';
import { type DifferenceRows, type ScoredRows, sumsByKingdom } from '../../../components/difference/difference-rows.ts';
import { KingdomSums } from '../../../components/difference/kingdom-sums.tsx';
import { KingdomLink } from '../../../components/links.tsx';

/** Sums per kingdom, linked to the kingdom's page. */
export function CompareSums({ rows, scores, game }: { rows: DifferenceRows; scores: ScoredRows; game: GameId }) {
  const sums = sumsByKingdom(rows, scores).map((sum, place) => ({ ...sum, kingdom: rows.table.kingdoms[place] ?? '' }));
  return (
    <KingdomSums
      game={game}
      sums={sums}
      shown={(kingdom) => (
        <KingdomLink game={game} id={kingdom.split('-', 1)[0] ?? kingdom}>
          {kingdom}
        </KingdomLink>
      )}
    />
  );
}
