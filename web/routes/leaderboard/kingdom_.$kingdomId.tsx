import { createFileRoute } from '@tanstack/react-router';
import { profileQuery } from '../../api/profiles.ts';
import { profileSearch } from '../../components/game-search.ts';
import { ProfilePage } from './-profile.tsx';

export const Route = createFileRoute('/leaderboard/kingdom_/$kingdomId')({
  validateSearch: profileSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) => {
    void context.client.prefetchQuery(
      profileQuery(deps.game ?? 'rok', { kind: 'kingdom', id: Number(params.kingdomId) }),
    );
  },
  component: KingdomProfile,
});

function KingdomProfile() {
  const { kingdomId } = Route.useParams();
  const { game = 'rok' } = Route.useSearch();
  return <ProfilePage key={kingdomId} game={game} one={{ kind: 'kingdom', id: Number(kingdomId) }} />;
}
