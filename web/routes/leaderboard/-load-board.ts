import type { QueryClient } from '@tanstack/react-query';
import { ROWS_PER_PAGE } from '../../../domain/boards/leaderboard.ts';
import { boardDaysQuery, boardPartQuery, boardQuery } from '../../api/boards.ts';
import type { BoardNeeds } from './-board-search.ts';

/** Returns the query of the first rows that a page shows. A board of one part, once loaded, is sorted in the browser. */
export function firstRowsQuery(client: QueryClient, needs: BoardNeeds) {
  const { kind, game, metric, day } = needs;
  const byRank = boardPartQuery({ kind, game, metric, day });
  const total = client.getQueryData(byRank.queryKey)?.info.total;
  return total !== undefined && total <= ROWS_PER_PAGE ? byRank : boardPartQuery(needs);
}

/**
 * Requests what a board's first screen shows. A board that is on the screen stays until other rows of it are here,
 * because skeletons in between would move the page.
 */
export async function loadBoard(
  client: QueryClient,
  needs: BoardNeeds,
  cause: 'preload' | 'enter' | 'stay',
): Promise<void> {
  void client.prefetchQuery(boardDaysQuery(needs));
  const all = boardQuery(needs);
  if (client.getQueryData(all.queryKey)) return;
  const rows = firstRowsQuery(client, needs);
  const arrived = client.prefetchQuery(rows);
  if (cause !== 'stay') return;
  await arrived;
  const total = client.getQueryData(rows.queryKey)?.info.total ?? 0;
  if (needs.all && total > ROWS_PER_PAGE) await client.prefetchQuery(all);
}
