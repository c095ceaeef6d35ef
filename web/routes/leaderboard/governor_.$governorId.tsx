import { createFileRoute } from '@tanstack/react-router';
import { profileQuery } from '../../api/profiles.ts';
import { profileSearch } from '../../components/game-search.ts';
import { ProfilePage } from './-profile.tsx';

export const Route = createFileRoute('/leaderboard/governor_/$governorId')({
  validateSearch: profileSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) => {
    void context.client.prefetchQuery(
      profileQuery(deps.game ?? 'rok', { kind: 'governor', id: Number(params.governorId) }),
    );
  },
  component: GovernorProfile,
});

function GovernorProfile() {
  const { governorId } = Route.useParams();
  const { game = 'rok' } = Route.useSearch();
  return <ProfilePage key={governorId} game={game} one={{ kind: 'governor', id: Number(governorId) }} />;
}
