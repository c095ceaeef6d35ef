import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { GAMES } from '../../../../domain/games/games.ts';
import { t, words } from '../../../../domain/language/text.ts';
import { isMoving, progressOf, refusalOf, standingOf } from '../../../../domain/orders/order.ts';
import { reasonText } from '../../../../domain/orders/reasons.ts';
import { isFileTime, withoutMark } from '../../../../domain/scans/file-time.ts';
import { layoutOf } from '../../../../domain/scans/layouts.ts';
import type { Row } from '../../../../domain/scans/rows.ts';
import { fitsOneResponse, versionOf } from '../../../api/item-results.ts';
import { type ItemHeader, itemQuery } from '../../../api/orders.ts';
import { downloadUrl, rowsQuery } from '../../../api/results.ts';
import { DownloadLinks } from '../../../components/download-links.tsx';
import { Failure } from '../../../components/failure.tsx';
import { CompareScans } from '../../../components/kingdom-ways.tsx';
import { KingdomLink } from '../../../components/links.tsx';
import { useCovered, useLiveItem } from '../../../components/live-orders.tsx';
import { Page } from '../../../components/page.tsx';
import { PagedResults } from '../../../components/results/lazy-paged.tsx';
import { ResultsView } from '../../../components/results/results-view.tsx';
import { countText } from '../../../components/results/rows-text.ts';
import type { View } from '../../../components/results/search.ts';
import { returnText } from '../../../components/returned.ts';
import { capital, counted, date } from '../../../format.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Skeleton, Skeletons } from '../../../ui/skeleton.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import { RepairButton } from '../orders/-repair-button.tsx';
import styles from './-item-results.module.css';
import { ShareResults } from './-share.tsx';

/** Polling interval of an unfinished item without a socket, in ms (specification, section 9). */
const POLLED_EVERY = 10_000;

/** Loaded on demand, because most items have results. */
const NoResults = lazy(async () => ({ default: (await import('./-no-results.tsx')).NoResults }));

/** Results page of an item. */
export function ItemResults({ itemId, view }: { itemId: string; view: View }) {
  const isCovered = useCovered();
  const item = useQuery({
    ...itemQuery(itemId),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isMoving(data) && !isCovered(data.order_id) && POLLED_EVERY,
  });
  useLiveItem(item.data);
  const atOnce = fitsOneResponse(item.data);
  const edition = versionOf(item.data);
  const rows = useQuery({ ...rowsQuery(itemId, { all: false, edition }), enabled: atOnce });
  if (item.isError && !item.data)
    return (
      <Page title={t('Order results')}>
        <Failure error={item.error} retry={item.refetch} busy={item.isFetching} />
      </Page>
    );
  if (!item.data) return <HeaderSkeleton />;
  const { data } = item;
  return (
    <Page
      title={placeOf(data)}
      about={<About item={data} rows={rows.data} />}
      actions={
        <>
          {data.item_count > 1 && (
            <Link
              to="/order/$orderId"
              params={{ orderId: String(data.order_id) }}
              search={{ all: true }}
              className={buttonClass()}
            >
              {t('View Combined Results')}
            </Link>
          )}
          {data.has_results && data.kind === 'scan' && (
            <CompareScans game={data.game} kingdom={data.kingdom_id} to={data.item_id} />
          )}
          {data.own && refusalOf('results', data) === null && (
            <RepairButton id={data.item_id} what={placeOf(data)} refusal={refusalOf('repair', data)} />
          )}
          {data.own && refusalOf('share', data) === null && (
            <ShareResults items={[{ id: data.item_id, name: placeOf(data) }]} />
          )}
          {refusalOf('download', data) === null && (
            <DownloadLinks id={data.item_id} what={t('order {order_id}', { order_id: String(data.order_id) })} />
          )}
        </>
      }
    >
      {refusalOf('results', data) !== null ? (
        <Suspense>
          <NoResults item={data} />
        </Suspense>
      ) : rows.isError ? (
        <Failure error={rows.error} retry={rows.refetch} busy={rows.isFetching} />
      ) : (
        <>
          <Gaps item={data} />
          {!atOnce ? (
            <PagedResults
              file={downloadUrl(data.item_id, 'json', false)}
              all={false}
              game={GAMES[data.game]}
              rows={data.rows ?? 0}
              edition={edition}
              usual={null}
              {...view}
            />
          ) : (
            <ResultsView
              game={GAMES[data.game]}
              kind={data.kind}
              rows={rows.data ?? null}
              combined={false}
              heading={`${placeOf(data)}${data.captured_at === null ? '' : ` · ${date(data.captured_at)}`}`}
              repairable={refusalOf('repair', data) === null}
              {...view}
            />
          )}
        </>
      )}
    </Page>
  );
}

/** Returns text such as 'Kingdom 1042'. */
const placeOf = ({ game, kingdom_id }: ItemHeader): string =>
  `${words(capital(GAMES[game].kingdom.one))} ${kingdom_id}`;

function About({ item, rows }: { item: ItemHeader; rows: readonly Row[] | undefined }) {
  const { row, day } = layoutOf(item);
  // The number of governors in a history is known only from its rows.
  const size = day !== null ? rows && countText(rows) : item.rows !== null && counted(item.rows, row.one, row.many);
  return (
    <p className={styles.about}>
      <KingdomLink game={item.game} id={item.kingdom_id}>
        <T of="{one} page" one={words(capital(GAMES[item.game].kingdom.one))} />
      </KingdomLink>
      <Link to="/orders" search={{ search: `#${item.order_id}` }}>
        <T of="Order #{order_id}" order_id={String(item.order_id)} />
      </Link>
      {item.captured_at !== null && (
        <span>
          {day === null ? t('Scanned') : t('As of')} <Time at={item.captured_at} byFile={isFileTime(item.source)} />
        </span>
      )}
      {size && <span>{size}</span>}
      {item.source && (
        <span>
          <T of="From {source}" source={withoutMark(item.source)} />
        </span>
      )}
    </p>
  );
}

/** Tells which parts of a scan are missing or being repaired. */
function Gaps({ item }: { item: ItemHeader }) {
  if (standingOf(item) === 'repairing')
    return (
      <Notice>
        <T
          of="A repair of this scan is in progress ({item} %). These are the previous results."
          item={progressOf(item)}
        />
      </Notice>
    );
  const returns = returnText(item);
  if (item.failed_count === 0) return returns && <Notice>{returns}</Notice>;
  return (
    <Notice>
      <T
        of="{failed_count} of {subtask_count} of this scan could not be read{value} {returns}"
        failed_count={item.failed_count}
        subtask_count={counted(item.subtask_count, 'part')}
        value={item.error ? `: ${reasonText(item.error)}` : '.'}
        returns={returns}
      />
    </Notice>
  );
}

const HeaderSkeleton = () => (
  <Page title={t('Order results')} about={<Skeleton width="18rem" />}>
    <Skeletons what={t('results')} heights={['10rem', '36rem']} />
  </Page>
);
