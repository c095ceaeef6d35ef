import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { GAMES, type GameId } from '../../domain/games/games.ts';
import { t, words } from '../../domain/language/text.ts';
import { isFileTime } from '../../domain/scans/file-time.ts';
import { governorLineQuery } from '../api/compare.ts';
import { libraryQuery } from '../api/scans.ts';
import { capital, counted } from '../format.ts';
import type { Column } from '../table/column.ts';
import { Table } from '../table/table.tsx';
import { Figure } from '../ui/figure.tsx';
import { T } from '../ui/text.tsx';
import { Time } from '../ui/time.tsx';
import { More } from './more.tsx';
import { Nothing, Panel } from './panel.tsx';

/** Data of the user's own scans, shown beside the service's data or instead of it. */

/** Links to the user's scans of a kingdom; renders nothing if there are none. */
export function OwnScansOf({ game, kingdom }: { game: GameId; kingdom: number }) {
  const library = useInfiniteQuery({ ...libraryQuery({ game, kingdom }), enabled: kingdom > 0 });
  const kingdoms = library.data?.pages[0]?.kingdoms ?? [];
  const { scans = 0 } = kingdoms.find((each) => each.game === game && each.kingdom_id === kingdom) ?? {};
  if (scans === 0) return null;
  return (
    <p>
      <Link to="/scans" search={{ game, of: kingdom }}>
        <T
          of="{scans} of {one} {kingdom} in your library"
          scans={counted(scans, 'scan')}
          one={words(GAMES[game].kingdom.one)}
          kingdom={String(kingdom)}
        />
      </Link>
    </p>
  );
}

/**
 * Finds a governor in the user's own scans, in as many answers as given. Readings are newest first; null while loading.
 */
export function useOwnReadings(game: GameId, id: string, answers?: number) {
  const line = useInfiniteQuery({
    ...governorLineQuery({ game, governor: Number(id), origin: 'imported' }, answers),
    enabled: /^[1-9]\d{0,14}$/.test(id),
  });
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
  const columns: Column<OwnReading>[] = [
    {
      id: 'read',
      title: t('Scanned'),
      sticky: true,
      cell: ({ captured_at, source }) => <Time at={captured_at} byFile={isFileTime(source)} />,
    },
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
    { id: 'power', title: t('Power'), figures: true, cell: figure(roles.power) },
    { id: 'score', title: score, figures: true, cell: figure(roles.score) },
    { id: 'deads', title: t('Deads'), figures: true, cell: figure(roles.deads) },
  ];
  return <Table label={t('In your scans')} columns={columns} rows={readings} rowId={({ scan_id }) => scan_id} />;
}

/** Shows a governor's readings in the user's own scans beside those of the service; renders nothing without any. */
export function OwnReadingsPanel({ game, id }: { game: GameId; id: number }) {
  // A single answer, because this page is about the service's scans.
  const { line, readings } = useOwnReadings(game, String(id), 1);
  if (!readings || (readings.length === 0 && !line.hasNextPage)) return null;
  return (
    <Panel title={t('In your own scans')} about={t('Only you see these. The charts above do not include them.')} wide>
      {readings.length > 0 ? (
        <OwnReadings game={game} readings={readings} />
      ) : (
        <Nothing>{t('Not in your newest scans.')}</Nothing>
      )}
      <More of={line}>{t('Older scans')}</More>
    </Panel>
  );
}
