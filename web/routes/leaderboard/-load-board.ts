import type { QueryClient } from '@tanstack/react-query';
import type { BoardKind } from '../../../domain/boards/leaderboard.ts';
import { type BoardName, boardDaysQuery, boardPartQuery } from '../../api/boards.ts';
import { type BoardSearch, metricFrom, partOf } from './-board-search.ts';

/** Returns the board and the part of it that an address shows. */
export const boardNeeds = (kind: BoardKind, search: BoardSearch): BoardName & { part: number } => ({
  kind,
  game: search.game ?? 'rok',
  metric: metricFrom(kind, search),
  day: search.day,
  part: partOf(kind, search),
});

/** Requests what a board's first screen shows. */
export function loadBoard(client: QueryClient, { part, ...name }: BoardName & { part: number }): void {
  void client.prefetchQuery(boardPartQuery(name, part));
  void client.prefetchQuery(boardDaysQuery(name));
}
