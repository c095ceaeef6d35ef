import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { GAMES, type GameId } from '../../domain/games/games.ts';
import { governorLineQuery } from '../api/compare.ts';
import { libraryQuery } from '../api/scans.ts';
import { capital, counted } from '../format.ts';
import { type PageColumn, PageTable } from '../table/page-table.tsx';
import { Figure } from '../ui/figure.tsx';
import { Time } from '../ui/time.tsx';

/** Data of the user's own scans, shown on pages that the service has no data for. */

/** Links to the user's scans of a kingdom; renders nothing if there are none. */
export function OwnScansOf({ game, kingdom }: { game: GameId; kingdom: number }) {
  const library = useInfiniteQuery({ ...libraryQuery({ game, kingdom }), enabled: kingdom > 0 });
  const scans = library.data?.pages[0]?.scans.length ?? 0;
  if (scans === 0) return null;
  return (
    <p>
      <Link to="/scans" search={{ game, of: kingdom }}>
        {counted(scans, 'scan')} of it in your library
      </Link>
    </p>
  );
}

/** Finds a governor in the user's own scans. Readings are newest first; null while loading. */
export function useOwnReadings(game: GameId, id: string) {
  const line = useInfiniteQuery({ ...governorLineQuery(game, Number(id)), enabled: /^[1-9]\d{0,14}$/.test(id) });
  // Pages run from newer to older, but each lists its own points oldest first.
  const readings = line.data?.pages.flatMap(({ points }) => points.toReversed()) ?? [];
  return { line, readings: line.isLoading ? null : readings };
}

type OwnReading = NonNullable<ReturnType<typeof useOwnReadings>['readings']>[number];

/** Lists a governor's readings in the user's own scans. */
export function OwnReadings({ game, readings }: { game: GameId; readings: readonly OwnReading[] }) {
  const { roles, kingdom, score } = GAMES[game];
  const figure = (key: string) => (reading: OwnReading) => {
    const value = reading.figures[key];
    return value == null ? '?' : <Figure value={value} />;
  };
  const columns: PageColumn<OwnReading>[] = [
    { id: 'read', title: 'Scanned', sticky: true, cell: ({ captured_at }) => <Time at={captured_at} /> },
    {
      id: 'kingdom',
      title: capital(kingdom.one),
      figures: true,
      cell: ({ kingdom_id }) => (
        <Link to="/scans" search={{ game, of: kingdom_id }}>
          {kingdom_id}
        </Link>
      ),
    },
    { id: 'power', title: 'Power', figures: true, cell: figure(roles.power) },
    { id: 'score', title: score, figures: true, cell: figure(roles.score) },
    { id: 'deads', title: 'Deads', figures: true, cell: figure(roles.deads) },
  ];
  return <PageTable label="In your scans" columns={columns} rows={readings} rowId={({ scan_id }) => scan_id} />;
}
