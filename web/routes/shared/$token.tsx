import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { GAMES } from '../../../domain/games/games.ts';
import { t, words } from '../../../domain/language/text.ts';
import { ROWS_AT_ONCE } from '../../../domain/scans/results.ts';
import { FILE_TYPES } from '../../api/results.ts';
import { sharedFile, sharedFirstQuery, sharedQuery, sharedRowsQuery } from '../../api/shares.ts';
import { FileLinks } from '../../components/download-links.tsx';
import { Failure } from '../../components/failure.tsx';
import { Page } from '../../components/page.tsx';
import { FirstRows, isUsual } from '../../components/results/first-rows.tsx';
import { PagedResults } from '../../components/results/lazy-paged.tsx';
import { ResultsView } from '../../components/results/results-view.tsx';
import { type ViewSearch, viewSearch } from '../../components/results/search.ts';
import { shownSums } from '../../components/results/shown-sums.ts';
import { capital, counted, date } from '../../format.ts';
import { useSettings } from '../../page-settings.ts';
import { useSearchChange } from '../../ui/search-input.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { T } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';

export const Route = createFileRoute('/shared/$token')({
  validateSearch: viewSearch,
  loader: ({ context, params }) => {
    void context.client.prefetchQuery(sharedQuery(params.token));
    void context.client.prefetchQuery(sharedFirstQuery(params.token));
  },
  component: SharedResults,
});

/** Results shared by a link: read and download only. */
function SharedResults() {
  const { token } = Route.useParams();
  const search = Route.useSearch();
  const { api } = useSettings();
  const shared = useQuery(sharedQuery(token));
  const paged = (shared.data?.rows ?? 0) > ROWS_AT_ONCE;
  const rows = useQuery({ ...sharedRowsQuery(token), enabled: shared.data !== undefined && !paged });
  const { data: first = [] } = useQuery({ ...sharedFirstQuery(token), enabled: false });
  const change = useSearchChange<ViewSearch>();
  if (shared.isError)
    return (
      <Page title={t('Shared results')}>
        <Failure error={shared.error} retry={() => void shared.refetch()} busy={shared.isFetching} />
      </Page>
    );
  if (!shared.data)
    return (
      <Page title={t('Shared results')} about={<Skeleton width="18rem" />}>
        <Loading what={t('shared results')} />
        <Skeleton height="36rem" />
      </Page>
    );
  const {
    game: id,
    kind,
    combined,
    kingdom_id,
    kingdom_count,
    captured_at,
    by_file_time,
    expires_at,
    sums,
  } = shared.data;
  const game = GAMES[id];
  const { kingdom } = game;
  const title =
    kingdom_count === 1
      ? `${words(capital(kingdom.one))} ${kingdom_id}`
      : counted(kingdom_count, kingdom.one, kingdom.many);
  const view = { search, change };
  const waiting = first.length > 0 && isUsual(search) && (
    <FirstRows game={game} rows={first} combined={combined} search={search} />
  );
  return (
    <Page
      title={title}
      about={
        <p>
          <T
            of="{name} · scanned {time}. This link works until {time2}."
            name={game.name}
            time={<Time at={captured_at} byFile={by_file_time} />}
            time2={<Time at={expires_at} />}
          />
        </p>
      }
      actions={
        <FileLinks
          what={t('shared results')}
          files={FILE_TYPES.map((type) => ({ type, href: sharedFile(api, token, type) }))}
        />
      }
    >
      {paged ? (
        <PagedResults
          file={sharedFile(api, token, 'json')}
          all={combined}
          game={game}
          rows={shared.data.rows}
          edition={shared.data.rows}
          usual={combined && kind === 'scan' ? 'power' : null}
          {...(waiting && { waiting })}
          {...view}
        />
      ) : rows.isError ? (
        <Failure error={rows.error} retry={() => void rows.refetch()} busy={rows.isFetching} />
      ) : (
        <ResultsView
          game={game}
          kind={kind}
          rows={rows.data ?? null}
          combined={combined}
          heading={`${title} · ${date(captured_at)}`}
          sums={sums && shownSums(sums)}
          {...(waiting && { waiting })}
          {...view}
        />
      )}
    </Page>
  );
}
