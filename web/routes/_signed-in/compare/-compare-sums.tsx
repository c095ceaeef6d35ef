import { GAME_NAMES, type GameId } from '../../../../domain/games/game-names.ts';
import {
  type DifferenceRows,
  type GroupSum,
  type ScoredRows,
  sumsByKingdom,
} from '../../../components/difference/difference-rows.ts';
import { Gain } from '../../../components/difference/gain.tsx';
import { KingdomLink } from '../../../components/links.tsx';
import { capital, exact } from '../../../format.ts';
import { type PageColumn, PageTable } from '../../../table/page-table.tsx';

interface Sum extends GroupSum {
  kingdom: string;
}

/** What each kingdom gained: without doubted figures, with them, and how many were left out. */
export function CompareSums({ rows, scores, game }: { rows: DifferenceRows; scores: ScoredRows; game: GameId }) {
  const sums = sumsByKingdom(rows, scores)
    .map((sum, place): Sum => ({ ...sum, kingdom: rows.table.kingdoms[place] ?? '' }))
    .toSorted((one, other) => (other.dkp ?? 0) - (one.dkp ?? 0));
  const count = (id: 'left_out' | 'common' | 'joined' | 'gone', title: string): PageColumn<Sum> => ({
    id,
    title,
    figures: true,
    cell: (sum) => exact(sum[id]),
  });
  const columns: PageColumn<Sum>[] = [
    {
      id: 'kingdom',
      title: capital(GAME_NAMES[game].kingdom.one),
      grow: true,
      cell: ({ kingdom }) => (
        <KingdomLink game={game} id={kingdom.split('-', 1)[0] ?? kingdom}>
          {kingdom}
        </KingdomLink>
      ),
    },
    {
      id: 'dkp',
      title: 'DKP',
      figures: true,
      about: 'Without doubted figures',
      cell: ({ dkp }) => <Gain value={dkp} />,
    },
    {
      id: 'raw',
      title: 'As read',
      figures: true,
      about: 'With doubted figures',
      cell: ({ raw }) => <Gain value={raw} />,
    },
    count('left_out', 'Left out'),
    count('common', 'In both'),
    count('joined', 'Joined'),
    count('gone', 'Left'),
  ];
  return <PageTable label="Sums" columns={columns} rows={sums} rowId={({ kingdom }) => kingdom} />;
}
