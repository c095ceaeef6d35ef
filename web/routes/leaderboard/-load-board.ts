import type { QueryClient } from '@tanstack/react-query';
import { ROWS_PER_PAGE } from '../../../domain/boards/leaderboard.ts';
import { boardDaysQuery, boardPartQuery, boardQuery } from '../../api/boards.ts';
import type { BoardNeeds } from './-board-search.ts';

/**
 * Requests what a board's first screen shows. A board that is on the screen stays until other rows of it are here,
 * because skeletons in between would move the page.
 */
export async function loadBoard(
  client: QueryClient,
  { part, all, ...name }: BoardNeeds,
  cause: 'preload' | 'enter' | 'stay',
): Promise<void> {
  const rows = boardPartQuery(name, part);
  const arrived = client.prefetchQuery(rows);
  void client.prefetchQuery(boardDaysQuery(name));
  if (cause !== 'stay') return;
  await arrived;
  const total = client.getQueryData(rows.queryKey)?.info.total ?? 0;
  if (all && total > ROWS_PER_PAGE) await client.prefetchQuery(boardQuery(name));
}
