import { createFileRoute } from '@tanstack/react-router';
import { Board } from './-board.tsx';
import { boardSearch } from './-board-search.ts';
import { boardNeeds, loadBoard } from './-load-board.ts';

export const Route = createFileRoute('/leaderboard/kingdom')({
  validateSearch: boardSearch,
  loaderDeps: ({ search }) => boardNeeds('kingdom', search),
  loader: ({ context, deps }) => loadBoard(context.client, deps),
  component: KingdomBoard,
});

function KingdomBoard() {
  const search = Route.useSearch();
  // Another game or ranking is another board, so reset the search.
  return <Board key={`${search.game} ${search.type}`} kind="kingdom" search={search} />;
}
