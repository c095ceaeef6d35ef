import { useQuery } from '@tanstack/react-query';
import type { Game } from '../../../../domain/games.ts';
import type { Row } from '../../../../domain/rows.ts';
import { rowsQuery } from '../../../api/results.ts';
import { DownloadLinks } from '../../../components/download-links.tsx';
import { Failure } from '../../../components/failure.tsx';
import { useLiveOrder } from '../../../components/live-orders.tsx';
import { Page } from '../../../components/page.tsx';
import { gameOf } from '../../../components/results/results.ts';
import { ResultsView, type View } from '../../../components/results/results-view.tsx';
import { counted } from '../../../format.ts';

/** The results of every item of an order in one table, with the kingdom in each row. */
export function CombinedResults({ orderId, view }: { orderId: string; view: View }) {
  const rows = useQuery(rowsQuery(orderId, true));
  useLiveOrder(Number(orderId));
  const game = gameOf(rows.data?.[0] ?? {});
  return (
    <Page
      title={`Order #${orderId}`}
      about={<p>{rows.data ? aboutOf(rows.data, game) : 'Combined results'}</p>}
      actions={<DownloadLinks id={orderId} all what={`order ${orderId}`} />}
    >
      {rows.isError ? (
        <Failure error={rows.error} retry={rows.refetch} busy={rows.isFetching} />
      ) : (
        <ResultsView game={game} rows={rows.data ?? null} combined heading={`Order #${orderId}`} {...view} />
      )}
    </Page>
  );
}

function aboutOf(rows: readonly Row[], { roles, kingdom, name }: Game): string {
  const kingdoms = new Set(rows.map((row) => row[roles.kingdom]));
  return `Combined results of ${counted(kingdoms.size, kingdom.one, kingdom.many)} of ${name}`;
}
