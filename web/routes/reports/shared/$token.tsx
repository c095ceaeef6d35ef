import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { titleInWords } from '../../../../domain/difference/file-titles.ts';
import { GAME_NAMES } from '../../../../domain/games/game-names.ts';
import { isolated } from '../../../../domain/language/formats.ts';
import { t, words } from '../../../../domain/language/text.ts';
import { type SharedReport, sharedFile, sharedReportQuery } from '../../../api/compare-reports.ts';
import { ComparedFiles } from '../../../components/difference/compared-files.tsx';
import { figureTitles } from '../../../components/difference/figure-titles.ts';
import { Gain, percent } from '../../../components/difference/gain.tsx';
import { MadeFrom } from '../../../components/difference/made-from.tsx';
import { Sums } from '../../../components/difference/sums.tsx';
import { AllianceLink, GovernorLink, KingdomLink } from '../../../components/links.tsx';
import listing from '../../../components/listing.module.css';
import { Loaded, useHead } from '../../../components/loaded.tsx';
import { Page } from '../../../components/page.tsx';
import { capital, countedOf, exact } from '../../../format.ts';
import { useSettings } from '../../../page-settings.ts';
import { searchReader, TABLE } from '../../../search-params.ts';
import type { Column } from '../../../table/column.ts';
import { Pager } from '../../../table/pager.tsx';
import { Table } from '../../../table/table.tsx';
import { useIndexedPage } from '../../../table/use-indexed-page.ts';
import { Button } from '../../../ui/button.tsx';
import { PlayerName } from '../../../ui/player-name.tsx';
import { SearchInput, useQueryText, useSearchChange } from '../../../ui/search-input.tsx';
import { Short } from '../../../ui/short.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import { useTextMemo } from '../../../ui/use-locale.ts';
import { reportIndex, valuesBy } from './-report-table.ts';

/** Without `sort`, the report's own order applies. */
const reportSearch = searchReader(TABLE);

export const Route = createFileRoute('/reports/shared/$token')({
  validateSearch: reportSearch,
  loader: ({ context, params }) => {
    void context.client.prefetchQuery(sharedReportQuery(params.token));
  },
  component: SharedReportPage,
});

/** A comparison shared by a link: the chosen columns, read-only. */
function SharedReportPage() {
  const { token } = Route.useParams();
  const { api } = useSettings();
  const shared = useQuery(sharedReportQuery(token));
  const head = useHead(shared.data);
  return (
    <Page title={head?.name ?? t('Report')} about={head && <About report={head} />}>
      <Loaded query={shared} what={t('the report')} heights={['8rem', '36rem']}>
        {(report) => (
          <>
            <Sums title={words(capital(GAME_NAMES[report.game].kingdom.one))} sums={sumsOf(report)} />
            <ComparedFiles
              href={(type) => sharedFile(api, token, type)}
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
  const sum = weights.map(([key, points]) => `${exact(points)} × ${isolated(words(titles[key] ?? key))}`).join(' + ');
  return (
    <>
      {note && <p>{note}</p>}
      <MadeFrom game={game} ranges={ranges} />
      <p>
        {settings.power_off > 0
          ? t('DKP = {sum} − {power_off} × power at the start', { sum, power_off: exact(settings.power_off) })
          : t('DKP = {sum}', { sum })}
      </p>
      <p>
        <T
          of="Saved {time}. This link works until {time2}."
          time={<Time at={updated_at} />}
          time2={<Time at={expires_at} />}
        />
      </p>
    </>
  );
}

const sumsOf = ({ kingdoms }: SharedReport) =>
  Object.entries(kingdoms).map(([name, { dkp_raw, ...sum }]) => ({ ...sum, raw: dkp_raw, name }));

const PAGE = 100;

function Rows({ report }: { report: SharedReport }) {
  const search = Route.useSearch();
  const change = useSearchChange<ReturnType<typeof reportSearch>>();
  const [query, setQuery] = useQueryText(search.q ?? '', (q) => change({ q, page: undefined }));
  const index = useTextMemo(() => reportIndex(report), [report]);
  const values = useCallback((id: string) => valuesBy(index, report, id), [index, report]);
  const { order, shown, sort, onSort, sortHref, pager } = useIndexedPage({
    index,
    rows: index.all,
    values,
    query,
    search,
    change,
    usual: null,
    usualSize: PAGE,
  });
  const all = report.rows.length;
  const columns = useTextMemo(() => columnsOf(report), [report]);
  const { governor } = GAME_NAMES[report.game];
  return (
    <div className={listing.listing}>
      <div className={listing.toolbar}>
        <SearchInput
          label={t('Search the report')}
          placeholder={t('Name or alliance')}
          value={query}
          onChange={setQuery}
        />
        <p className={listing.count} role="status">
          {countedOf(order.length, all, governor)}
        </p>
        {pager.pages > 1 && <Pager label={t('Pages')} {...pager} />}
      </div>
      {order.length === 0 && (
        <p>
          {t('Nobody here matches.')} <Button onClick={() => setQuery('')}>{t('Show everybody')}</Button>
        </p>
      )}
      <Table
        label={words(capital(governor.many))}
        columns={columns}
        rows={shown}
        rowId={(row) => row}
        sort={sort}
        onSort={onSort}
        sortHref={sortHref}
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
  if (key === 'doubt') return words(String(value));
  if (key === 'apart') return t('yes');
  return <PlayerName name={String(value)} />;
}

/** Columns shown first, so that they are visible on phones. */
const FIRST: readonly string[] = ['rank', 'name', 'dkp'];

const turnOf = ({ columns }: SharedReport, place: number): number => {
  const turn = FIRST.indexOf(columns[place]?.key ?? '');
  return turn < 0 ? FIRST.length : turn;
};

type Cells = SharedReport['rows'][number];

/** The report's columns; a row is its position in the report. */
function columnsOf(report: SharedReport): Column<number>[] {
  const places = [...report.columns.keys()].sort((one, other) => turnOf(report, one) - turnOf(report, other));
  const columns = places.map((place) => ({ ...(report.columns[place] as SharedReport['columns'][number]), place }));
  return columns.map(({ key, title, type, place }) => ({
    id: key,
    title: titleInWords(title),
    figures: type !== 'text',
    sticky: key === 'name',
    grow: key === 'name',
    ascending: type === 'text' || key === 'rank',
    cell: (at) => {
      const row = report.rows[at] ?? [];
      return type === 'text' ? leading(report, key, row) : cellOf(key, type, row[place] ?? null);
    },
  }));
}

function cellOf(key: string, type: SharedReport['columns'][number]['type'], value: Cells[number]) {
  if (value === null) return <span title={key === 'rank' ? t('Has no rank') : t('Unknown or unverified')}>?</span>;
  const figure = Number(value);
  if (PLAIN.includes(key)) return figure;
  if (type === 'percent') return percent(figure);
  return key.startsWith('gain:') || key.startsWith('dkp') ? <Gain value={figure} /> : <Short value={figure} />;
}
