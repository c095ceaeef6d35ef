import { createFileRoute } from '@tanstack/react-router';
import { Board } from './-board.tsx';
import { boardNeeds, boardSearch } from './-board-search.ts';
import { loadBoard } from './-load-board.ts';

export const Route = createFileRoute('/leaderboard/kingdom')({
  validateSearch: boardSearch,
  loaderDeps: ({ search }) => boardNeeds('kingdom', search),
  loader: ({ context, deps, cause }) => loadBoard(context.client, deps, cause),
  component: KingdomBoard,
});

function KingdomBoard() {
  const search = Route.useSearch();
  // Another game or ranking is another board, so reset the search.
  return <Board key={`${search.game} ${search.type}`} kind="kingdom" search={search} />;
}
