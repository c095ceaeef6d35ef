import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import type { Game } from '../../../domain/games/games.ts';
import { t } from '../../../domain/language/text.ts';
import { MAX_ORDERED_ROWS } from '../../../domain/scans/results.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import { pageQuery, ROWS_PER_PAGE } from '../../api/results.ts';
import { exact } from '../../format.ts';
import { Pager } from '../../table/pager.tsx';
import { VirtualTable } from '../../table/virtual-table.tsx';
import { useTextMemo } from '../../ui/use-locale.ts';
import { useNarrow } from '../../ui/use-narrow.ts';
import { Failure } from '../failure.tsx';
import listing from '../listing.module.css';
import { chosenColumns } from './column-choice.ts';
import { FlawDialog, useDialogsAhead } from './lazy-dialogs.ts';
import { placed, tableColumns } from './result-columns.tsx';
import { cellIn, Results } from './results.ts';
import type { View } from './search.ts';

/** The server's sort keys by column id (specification, section 2: Power and Killpoints). */
const SORTS: Readonly<Record<string, 'Power' | 'Killpoints'>> = { power: 'Power', score: 'Killpoints' };

/** Says which rows a page shows, and why they cannot be sorted. */
function pageText(page: { first: number; shown: number; total: string; sortable: boolean }): string {
  const { total, sortable } = page;
  const most = exact(MAX_ORDERED_ROWS);
  if (page.shown === 0)
    return sortable
      ? t('{total} rows', { total })
      : t('{total} rows, in stored order: only up to {most} rows can be sorted', { total, most });
  const [from, to] = [exact(page.first + 1), exact(page.first + page.shown)];
  return sortable
    ? t('{from} to {to} of {total} rows', { from, to, total })
    : t('{from} to {to} of {total} rows, in stored order: only up to {most} rows can be sorted', {
        from,
        to,
        total,
        most,
      });
}

/** Results too large to load at once, paged and sorted by the server. */
export function PagedResults({
  file,
  all,
  game,
  rows,
  edition,
  usual,
  waiting,
  search,
  change,
}: View & {
  /** URL of the rows as json. */
  file: string;
  all: boolean;
  game: Game;
  /** Total number of rows. */
  rows: number;
  /** Grows with each result and each repair. */
  edition: number;
  /** Default sort column; null for the stored order. */
  usual: 'power' | null;
  /** Shown while a page loads. */
  waiting: ReactNode;
}) {
  const page = search.page ?? 1;
  const sortable = rows <= MAX_ORDERED_ROWS;
  const wanted = search.sort !== undefined && Object.hasOwn(SORTS, search.sort) ? search.sort : usual;
  const sorted = sortable ? wanted : null;
  const ascending = search.ascending === true;
  const query = pageQuery(file, { page, sort: SORTS[sorted ?? ''] ?? null, ascending, edition });
  const { data, isError, error, refetch, isFetching, isPlaceholderData } = useQuery(query);
  const [asked, setAsked] = useState<Row | null>(null);
  const narrow = useNarrow();
  const digits = search.digits === true;
  const columns = useTextMemo(() => {
    // A single page has no ranks by power among all rows.
    const present = new Results(game, data?.rows ?? []).columns.filter(
      ({ id }) => id !== 'rank' || data?.rows[0]?.day != null,
    );
    const looks = { cell: cellIn, digits, narrow, ask: setAsked };
    const columns = tableColumns(chosenColumns(present, search.columns, all), looks).map((column) => ({
      ...column,
      unsorted: !(sortable && column.id in SORTS),
    }));
    return placed(columns, narrow, (page - 1) * ROWS_PER_PAGE);
  }, [game, data, page, search.columns, all, digits, narrow, sortable]);
  useDialogsAhead(data !== undefined);
  if (isError) return <Failure error={error} retry={refetch} busy={isFetching} />;
  if (!data) return waiting;
  const pages = Math.max(1, Math.ceil(data.total / ROWS_PER_PAGE));
  const first = (page - 1) * ROWS_PER_PAGE;
  const turn = (next: number) => change({ page: next > 1 ? next : undefined });
  return (
    <section className={listing.listing} aria-label={t('Results')} aria-busy={isPlaceholderData}>
      <div className={listing.toolbar}>
        <p className={listing.count} role="status">
          {pageText({ first, shown: data.rows.length, total: exact(data.total), sortable })}
        </p>
        <Pager label={t('Pages of results')} page={page} pages={pages} change={turn} />
      </div>
      <VirtualTable
        key={`${page} ${sorted} ${ascending}`}
        label={t('Results of this page')}
        columns={columns}
        rows={data.rows}
        sort={sorted === null ? null : { id: sorted, ascending }}
        onSort={({ id: column, ascending: up }) =>
          change({ sort: column, ascending: up || undefined, page: undefined })
        }
        lines={narrow ? 'double' : 'single'}
        empty={t('There is no page {page}: the results end with page {pages}.', {
          page: exact(page),
          pages: exact(pages),
        })}
      />
      <Suspense>{asked && <FlawDialog row={asked} close={() => setAsked(null)} />}</Suspense>
    </section>
  );
}
