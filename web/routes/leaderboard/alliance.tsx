import { createFileRoute } from '@tanstack/react-router';
import { boardStartQuery } from '../../api/boards.ts';
import { Board } from './-board.tsx';
import { type BoardSearch, boardSearch, metricFrom } from './-board-search.ts';

export const Route = createFileRoute('/leaderboard/alliance')({
  validateSearch: (search: Record<string, unknown>): BoardSearch => boardSearch(search),
  loaderDeps: ({ search: { game, type } }) => ({ game, type }),
  loader: ({ context, deps }) => {
    void context.client.prefetchQuery(
      boardStartQuery({ kind: 'alliance', game: deps.game ?? 'rok', metric: metricFrom('alliance', deps) }),
    );
  },
  component: AllianceBoard,
});

function AllianceBoard() {
  const search = Route.useSearch();
  // Another game or ranking is another board, so reset the search.
  return <Board key={`${search.game} ${search.type}`} kind="alliance" search={search} />;
}
