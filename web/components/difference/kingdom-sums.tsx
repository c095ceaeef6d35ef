import type { ReactNode } from 'react';
import { GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { capital, exact } from '../../format.ts';
import { type PageColumn, PageTable } from '../../table/page-table.tsx';
import type { GroupSum } from './difference-rows.ts';
import { Gain } from './gain.tsx';

export interface KingdomSum extends GroupSum {
  kingdom: string;
}

/** Sums per kingdom, highest DKP first: without excluded figures, raw, and the number of excluded scores. */
export function KingdomSums({
  game,
  sums,
  shown = (kingdom) => kingdom,
}: {
  game: GameId;
  sums: readonly KingdomSum[];
  /** Renders a kingdom's name; plain text by default. */
  shown?: (kingdom: string) => ReactNode;
}) {
  const rows = sums.toSorted((one, other) => (other.dkp ?? -Infinity) - (one.dkp ?? -Infinity));
  const count = (id: 'left_out' | 'common' | 'joined' | 'gone', title: string): PageColumn<KingdomSum> => ({
    id,
    title,
    figures: true,
    cell: (sum) => exact(sum[id]),
  });
  const columns: PageColumn<KingdomSum>[] = [
    {
      id: 'kingdom',
      title: capital(GAME_NAMES[game].kingdom.one),
      grow: true,
      sticky: true,
      cell: ({ kingdom }) => shown(kingdom),
    },
    {
      id: 'dkp',
      title: 'DKP',
      figures: true,
      about: 'Without unverified figures',
      cell: ({ dkp }) => <Gain value={dkp} />,
    },
    {
      id: 'raw',
      title: 'Raw total',
      figures: true,
      about: 'With unverified figures',
      cell: ({ raw }) => <Gain value={raw} />,
    },
    count('left_out', 'Excluded'),
    count('common', 'In both'),
    count('joined', 'Joined'),
    count('gone', 'Left'),
  ];
  return <PageTable label="Sums" columns={columns} rows={rows} rowId={({ kingdom }) => kingdom} />;
}
