import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { GAME_NAMES } from '../../../../domain/games/game-names.ts';
import { type SharedReport, sharedFile, sharedReportQuery } from '../../../api/compare-reports.ts';
import { ComparedFiles } from '../../../components/difference/compared-files.tsx';
import { figureTitles } from '../../../components/difference/figure-titles.ts';
import { Gain, percent } from '../../../components/difference/gain.tsx';
import { KingdomSums } from '../../../components/difference/kingdom-sums.tsx';
import { MadeFrom } from '../../../components/difference/made-from.tsx';
import { AllianceLink, GovernorLink, KingdomLink } from '../../../components/links.tsx';
import listing from '../../../components/listing.module.css';
import { Loaded, useHead } from '../../../components/loaded.tsx';
import { Page } from '../../../components/page.tsx';
import { capital, counted, exact } from '../../../format.ts';
import { runWhenIdle } from '../../../idle-work.ts';
import { type PageColumn, PageTable } from '../../../table/page-table.tsx';
import { Pager } from '../../../table/pager.tsx';
import { Button } from '../../../ui/button.tsx';
import { PlayerName } from '../../../ui/player-name.tsx';
import { SearchInput, useQueryText } from '../../../ui/search-input.tsx';
import { Short } from '../../../ui/short.tsx';
import { Time } from '../../../ui/time.tsx';
import { type Cells, foundCells, reportIndex, sortedCells } from './-report-rows.ts';
import { type ReportSearch, reportSearch } from './-report-search.ts';

export const Route = createFileRoute('/reports/shared/$token')({
  validateSearch: (search: Record<string, unknown>): ReportSearch => reportSearch(search),
  loader: ({ context, params }) => {
    void context.client.prefetchQuery(sharedReportQuery(params.token));
  },
  component: SharedReportPage,
});

/** A comparison shared by a link: the chosen columns, read-only. */
function SharedReportPage() {
  const { token } = Route.useParams();
  const shared = useQuery(sharedReportQuery(token));
  const head = useHead(shared.data);
  return (
    <Page title={head?.name ?? 'Report'} about={head && <About report={head} />}>
      <Loaded query={shared} what="the report" heights={['8rem', '36rem']}>
        {(report) => (
          <>
            <KingdomSums game={report.game} sums={sumsOf(report)} />
            <ComparedFiles
              href={(type) => sharedFile(token, type)}
              scores={report.columns.some(({ key }) => key === 'dkp')}
            />
            <Rows report={report} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function About({ report: { game, ranges, note, updated_at, expires_at, settings } }: { report: SharedReport }) {
  const titles = figureTitles(game);
  const weights = Object.entries(settings.weights).filter(([, points]) => points !== 0);
  return (
    <>
      {note && <p>{note}</p>}
      <MadeFrom game={game} ranges={ranges} />
      <p>
        DKP = {weights.map(([key, points]) => `${exact(points)} × ${titles[key] ?? key}`).join(' + ')}
        {settings.power_off > 0 && ` − ${exact(settings.power_off)} × power at the start`}
      </p>
      <p>
        Saved <Time at={updated_at} />. This link works until <Time at={expires_at} />.
      </p>
    </>
  );
}

const sumsOf = ({ kingdoms }: SharedReport) =>
  Object.entries(kingdoms).map(([kingdom, { dkp_raw, ...sum }]) => ({ ...sum, raw: dkp_raw, kingdom }));

const PAGE = 100;

function Rows({ report }: { report: SharedReport }) {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const change = (part: Partial<ReportSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true, resetScroll: false });
  const { sort, ascending } = search;
  const [query, setQuery] = useQueryText(search.q ?? '', (q) => change({ q, page: undefined }));
  const index = useMemo(() => reportIndex(report), [report]);
  useEffect(() => runWhenIdle(index.ahead), [index]);
  const sorted = useMemo(() => sortedCells(index, report, { sort, ascending }), [index, report, sort, ascending]);
  const rows = useMemo(() => foundCells(index, sorted, query), [index, sorted, query]);
  const columns = useMemo(() => columnsOf(report), [report]);
  const pages = Math.max(1, Math.ceil(rows.length / PAGE));
  const page = Math.min(search.page ?? 1, pages);
  const { governor } = GAME_NAMES[report.game];
  return (
    <div className={listing.listing}>
      <div className={listing.toolbar}>
        <SearchInput label="Search the report" placeholder="Name or alliance" value={query} onChange={setQuery} />
        <p className={listing.count} role="status">
          {rows.length === sorted.length
            ? counted(rows.length, governor.one, governor.many)
            : `${exact(rows.length)} of ${counted(sorted.length, governor.one, governor.many)}`}
        </p>
        {pages > 1 && (
          <Pager
            label="Pages"
            page={page}
            pages={pages}
            change={(next) => change({ page: next > 1 ? next : undefined })}
          />
        )}
      </div>
      {rows.length === 0 && (
        <p>
          Nobody here matches. <Button onClick={() => setQuery('')}>Show everybody</Button>
        </p>
      )}
      <PageTable
        label={capital(governor.many)}
        columns={columns}
        rows={rows.slice((page - 1) * PAGE, page * PAGE)}
        rowId={(row) => index.at(row)}
        {...(sort !== undefined && { sort: { id: sort, ascending: ascending === true } })}
        onSort={(next) => change({ sort: next.id, ascending: next.ascending || undefined, page: undefined })}
      />
    </div>
  );
}

/** Figures shown in full and without a sign. */
const PLAIN: readonly string[] = ['rank', 'id'];

/** Links a cell's text, if the report's columns identify the governor, alliance or kingdom. */
function leading({ game, columns }: SharedReport, key: string, row: Cells) {
  const at = (wanted: string) => row[columns.findIndex((column) => column.key === wanted)] ?? null;
  const [value, id] = [at(key), at('id')];
  const kingdom = String(at('kingdom') ?? '').split('-', 1)[0];
  if (value === null) return null;
  if (key === 'name' && id !== null) return <GovernorLink game={game} id={Number(id)} name={String(value)} />;
  if (key === 'alliance_tag' && kingdom) return <AllianceLink game={game} kingdom={kingdom} tag={String(value)} />;
  if (key === 'kingdom' && kingdom)
    return (
      <KingdomLink game={game} id={kingdom}>
        {value}
      </KingdomLink>
    );
  return <PlayerName name={String(value)} />;
}

/** Columns shown first, so that they are visible on phones. */
const FIRST: readonly string[] = ['rank', 'name', 'dkp'];

const turnOf = ({ columns }: SharedReport, place: number): number => {
  const turn = FIRST.indexOf(columns[place]?.key ?? '');
  return turn < 0 ? FIRST.length : turn;
};

function columnsOf(report: SharedReport): PageColumn<Cells>[] {
  const places = [...report.columns.keys()].sort((one, other) => turnOf(report, one) - turnOf(report, other));
  const columns = places.map((place) => ({ ...(report.columns[place] as SharedReport['columns'][number]), place }));
  return columns.map(({ key, title, type, place }) => ({
    id: key,
    title,
    figures: type !== 'text',
    sticky: key === 'name',
    grow: key === 'name',
    ascending: type === 'text' || key === 'rank',
    cell: (row) => (type === 'text' ? leading(report, key, row) : cellOf(key, type, row[place] ?? null)),
  }));
}

function cellOf(key: string, type: SharedReport['columns'][number]['type'], value: Cells[number]) {
  if (value === null) return <span title={key === 'rank' ? 'Has no rank' : 'Unknown or unverified'}>?</span>;
  const figure = Number(value);
  if (PLAIN.includes(key)) return figure;
  if (type === 'percent') return percent(figure);
  return key.startsWith('gain:') || key.startsWith('dkp') ? <Gain value={figure} /> : <Short value={figure} />;
}
