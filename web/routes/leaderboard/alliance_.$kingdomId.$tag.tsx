import { createFileRoute } from '@tanstack/react-router';
import { profileQuery } from '../../api/profiles.ts';
import { profileSearch } from '../../components/game-search.ts';
import { ProfilePage } from './-profile.tsx';

export const Route = createFileRoute('/leaderboard/alliance_/$kingdomId/$tag')({
  validateSearch: profileSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) => {
    void context.client.prefetchQuery(profileQuery(deps.game ?? 'rok', profiled(params)));
  },
  component: AllianceProfile,
});

const profiled = ({ kingdomId, tag }: { kingdomId: string; tag: string }) => ({
  kind: 'alliance' as const,
  kingdom: Number(kingdomId),
  tag,
});

function AllianceProfile() {
  const params = Route.useParams();
  const { game = 'rok' } = Route.useSearch();
  return <ProfilePage key={`${params.kingdomId} ${params.tag}`} game={game} one={profiled(params)} />;
}
