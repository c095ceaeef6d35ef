import { createFileRoute } from '@tanstack/react-router';
import { Board } from './-board.tsx';
import { boardNeeds, boardSearch } from './-board-search.ts';
import { loadBoard } from './-load-board.ts';

export const Route = createFileRoute('/leaderboard/governor')({
  validateSearch: boardSearch,
  loaderDeps: ({ search }) => boardNeeds('governor', search),
  loader: ({ context, deps, cause }) => loadBoard(context.client, deps, cause),
  component: GovernorBoard,
});

function GovernorBoard() {
  const search = Route.useSearch();
  // Another game or ranking is another board, so reset the search.
  return <Board key={`${search.game} ${search.type}`} kind="governor" search={search} />;
}
