import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import { PRESETS } from '../../../../domain/difference/scoring.ts';
import { GAME_NAMES } from '../../../../domain/games/game-names.ts';
import { listed, t, words } from '../../../../domain/language/text.ts';
import { ApiError, messageOf } from '../../../api/client.ts';
import { type ComparedTable, comparedQuery } from '../../../api/compare.ts';
import { DifferenceFilters } from '../../../components/difference/difference-filters.tsx';
import { differenceRows, sumsByKingdom } from '../../../components/difference/difference-rows.ts';
import { figureTitles } from '../../../components/difference/figure-titles.ts';
import { GovernorTable } from '../../../components/difference/governor-table.tsx';
import { MadeFrom } from '../../../components/difference/made-from.tsx';
import { Sums } from '../../../components/difference/sums.tsx';
import { Weights } from '../../../components/difference/weights.tsx';
import { KingdomLink } from '../../../components/links.tsx';
import listing from '../../../components/listing.module.css';
import { Loaded, useHead } from '../../../components/loaded.tsx';
import { Page } from '../../../components/page.tsx';
import { capital, counted, exact } from '../../../format.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Disclosed } from '../../../ui/disclosed.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useQueryText, useSearchChange } from '../../../ui/search-input.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { T } from '../../../ui/text.tsx';
import { useTextMemo } from '../../../ui/use-locale.ts';
import { CompareFiles } from './-compare-files.tsx';
import { comparedRows, scoringOf } from './-compare-scores.ts';
import { type CompareSearch, compareSearch } from './-compare-search.ts';
import type { SettingsProps } from './-compare-setting-rows.tsx';
import { ComparedWhy } from './-compared-why.tsx';

const CompareCharts = lazy(async () => ({ default: (await import('./-compare-charts.tsx')).CompareCharts }));

export const Route = createFileRoute('/_signed-in/compare/')({
  validateSearch: compareSearch,
  loaderDeps: ({ search: { from, to, fights } }) => ({ from, to, fights }),
  loader: ({ context, deps }) => {
    if (deps.fights || (deps.from && deps.to)) void context.client.prefetchQuery(comparedQuery(deps));
  },
  component: Compare,
});

/** Compares two scans, or two sets of scans, with adjustable scoring. */
function Compare() {
  const { from, to, fights } = Route.useSearch();
  const chosen = Boolean(fights || (from && to));
  const compared = useQuery({ ...comparedQuery({ from, to, fights }), enabled: chosen });
  const head = useHead(compared.data);
  const refused = compared.error instanceof ApiError && compared.error.status >= 400 && compared.error.status < 500;
  return (
    <Page
      title={t('Compare')}
      about={head && <MadeFrom game={head.game} ranges={head.ranges} />}
      actions={
        <Link to="/scans" search={{ from, to, fights }} className={buttonClass()}>
          {t('Choose scans')}
        </Link>
      }
    >
      {!chosen && (
        <Notice>
          <T
            of="Choose two scans of a kingdom in <link>your library</link>. For a war, choose all its kingdoms on both sides."
            link={(text) => <Link to="/scans">{text}</Link>}
          />
        </Notice>
      )}
      {chosen && refused && <Notice tone="danger">{messageOf(compared.error)}</Notice>}
      {chosen && !refused && (
        <Loaded query={compared} what={t('the comparison')} heights={['8rem', '50rem']}>
          {(table) => <Compared table={table} />}
        </Loaded>
      )}
    </Page>
  );
}

function Compared({ table }: { table: ComparedTable }) {
  const search = Route.useSearch();
  const change = useSearchChange<CompareSearch>();
  const [query, setQuery] = useQueryText(search.q ?? '', (q) => change({ q, page: undefined }));
  const { weights, goals, zeroed, verified, farms, off } = search;
  const scoring = useTextMemo(
    () => scoringOf(table.game, { weights, goals, zeroed, verified, farms, off }),
    [table.game, weights, goals, zeroed, verified, farms, off],
  );
  const plain = useTextMemo(() => differenceRows(table), [table]);
  const compared = useMemo(() => comparedRows(table, plain, scoring), [table, plain, scoring]);
  const { rows, scores, alone, apart } = compared;
  const of = useMemo(
    () => ({
      game: table.game,
      goals: scoring.goals,
      exempt: apart,
      zeroed: scoring.zeroed,
      verified: scoring.verified,
    }),
    [table.game, scoring, apart],
  );
  const sums = useMemo(() => sumsByKingdom(rows, alone), [rows, alone]);
  const { governor } = GAME_NAMES[table.game];
  const seasons = Object.keys(table.seasons);
  return (
    <div className={listing.listing}>
      <p>
        <T
          of="{common} on both sides, {joined} joined, {gone} left{unseen}."
          common={counted(table.common, governor.one, governor.many)}
          joined={table.joined}
          gone={table.gone}
          unseen={unseenText(table.unseen)}
        />
      </p>
      {seasons.length > 0 && (
        <Notice>
          <T
            of="A new season began in between. {seasons} restarted from zero, so the current value is the gain."
            seasons={listed(seasons.map((key) => figureTitles(table.game)[key] ?? key))}
          />
        </Notice>
      )}
      <Weights
        game={table.game}
        weights={scoring.weights}
        usual={PRESETS[table.game][0]?.weights ?? {}}
        power_off={scoring.power_off}
        change={(written) => change({ weights: written, page: undefined })}
      />
      <CompareSettings table={table} compared={compared} search={search} scoring={scoring} change={change} />
      <Sums
        title={words(capital(GAME_NAMES[table.game].kingdom.one))}
        sums={sums}
        shown={({ name }) => (
          <KingdomLink game={table.game} id={name.split('-', 1)[0] ?? name}>
            {name}
          </KingdomLink>
        )}
      />
      <Disclosed
        title={t('Charts')}
        open={search.charts === true}
        change={(open) => change({ charts: open || undefined })}
      >
        <Suspense fallback={<Skeleton height="20rem" />}>
          <CompareCharts rows={rows} scores={scores} alone={alone} />
        </Suspense>
      </Disclosed>
      <CompareFiles table={table} search={search} scoring={scoring} />
      <DifferenceFilters
        game={table.game}
        kingdoms={table.kingdoms}
        tags={table.tags}
        goals={scoring.goals}
        search={search}
        change={change}
        query={query}
        setQuery={setQuery}
      />
      <GovernorTable
        of={of}
        rows={rows}
        scores={scores}
        weights={scoring.weights}
        query={query}
        search={search}
        change={change}
        detail={(row) => (
          <ComparedWhy table={table} rows={rows} row={row} scoring={scoring} scores={scores} alone={alone} />
        )}
      />
    </div>
  );
}

/** Returns text such as ', 12 below the range of the smaller scan', or an empty string for 0. */
const unseenText = (unseen: number): string =>
  unseen > 0 ? t(', {unseen} below the range of the smaller scan', { unseen: exact(unseen) }) : '';

const CompareSettingRows = lazy(async () => ({
  default: (await import('./-compare-setting-rows.tsx')).CompareSettingRows,
}));

/** Settings of the scoring: goals by power bracket, zeroed governors, farms and mains. */
function CompareSettings(props: SettingsProps) {
  const { scoring } = props;
  const [open, setOpen] = useState(Boolean(scoring.flaws.goals ?? scoring.flaws.zeroed ?? scoring.flaws.verified));
  const said = [
    scoring.goals.length > 0 && t('goals'),
    Object.keys(scoring.zeroed).length > 0 && t('zeroed'),
    Object.keys(scoring.verified).length > 0 && t('verified deads'),
    scoring.farms !== null && t('farms'),
    scoring.power_off > 0 && t('power off'),
  ].filter((each) => each !== false);
  return (
    <Disclosed
      title={
        said.length > 0
          ? t('Goals, zeroed, verified deads, farms: {list} set', { list: listed(said) })
          : t('Goals, zeroed, verified deads, farms')
      }
      open={open}
      change={setOpen}
    >
      <Suspense fallback={<Skeleton height="20rem" />}>
        <CompareSettingRows {...props} />
      </Suspense>
    </Disclosed>
  );
}
