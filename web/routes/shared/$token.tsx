import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { GAMES } from '../../../domain/games/games.ts';
import { FILE_TYPES } from '../../api/results.ts';
import { sharedFile, sharedQuery, sharedRowsQuery } from '../../api/shares.ts';
import { FileLinks } from '../../components/download-links.tsx';
import { Failure } from '../../components/failure.tsx';
import { Page } from '../../components/page.tsx';
import { ResultsView } from '../../components/results/results-view.tsx';
import { type ViewSearch, viewSearch } from '../../components/results/search.ts';
import { capital, date } from '../../format.ts';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';

export const Route = createFileRoute('/shared/$token')({
  validateSearch: viewSearch,
  loader: ({ context, params }) => {
    void context.client.prefetchQuery(sharedQuery(params.token));
    void context.client.prefetchQuery(sharedRowsQuery(params.token));
  },
  component: SharedResults,
});

/** Results that somebody shared: the same table, to read and download only. */
function SharedResults() {
  const { token } = Route.useParams();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const shared = useQuery(sharedQuery(token));
  const rows = useQuery(sharedRowsQuery(token));
  const change = (part: Partial<ViewSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  if (shared.isError)
    return (
      <Page title="Shared results">
        <Failure error={shared.error} retry={() => void shared.refetch()} busy={shared.isFetching} />
      </Page>
    );
  if (!shared.data)
    return (
      <Page title="Shared results" about={<Skeleton width="18rem" />}>
        <Loading what="shared results" />
        <Skeleton height="36rem" />
      </Page>
    );
  const { game, kingdom_id, captured_at, expires_at } = shared.data;
  const { kingdom } = GAMES[game];
  const title = `${capital(kingdom.one)} ${kingdom_id}`;
  return (
    <Page
      title={title}
      about={
        <p>
          Scanned <Time at={captured_at} />. This link works until <Time at={expires_at} />.
        </p>
      }
      actions={
        <FileLinks what="shared results" files={FILE_TYPES.map((type) => ({ type, href: sharedFile(token, type) }))} />
      }
    >
      {rows.isError ? (
        <Failure error={rows.error} retry={() => void rows.refetch()} busy={rows.isFetching} />
      ) : (
        <ResultsView
          game={GAMES[game]}
          rows={rows.data ?? null}
          combined={false}
          heading={`${title} · ${date(captured_at)}`}
          search={search}
          change={change}
        />
      )}
    </Page>
  );
}
