import { createFileRoute } from '@tanstack/react-router';
import { boardStartQuery } from '../../api/boards.ts';
import { Board } from './-board.tsx';
import { type BoardSearch, boardSearch, metricFrom } from './-board-search.ts';

export const Route = createFileRoute('/leaderboard/kingdom')({
  validateSearch: (search: Record<string, unknown>): BoardSearch => boardSearch(search),
  loaderDeps: ({ search: { game, type } }) => ({ game, type }),
  loader: ({ context, deps }) => {
    void context.client.prefetchQuery(
      boardStartQuery({ kind: 'kingdom', game: deps.game ?? 'rok', metric: metricFrom('kingdom', deps) }),
    );
  },
  component: KingdomBoard,
});

function KingdomBoard() {
  const search = Route.useSearch();
  // Another game or ranking is another board, so reset the search.
  return <Board key={`${search.game} ${search.type}`} kind="kingdom" search={search} />;
}
