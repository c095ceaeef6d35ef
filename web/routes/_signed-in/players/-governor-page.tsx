import { useMemo } from 'react';
import { dayOf } from '../../../../domain/days.ts';
import { columnOf, GAMES, type GameId } from '../../../../domain/games/games.ts';
import type { ChartDays } from '../../../../domain/kingdoms/chart-days.ts';
import { sign } from '../../../../domain/language/formats.ts';
import { t, words } from '../../../../domain/language/text.ts';
import { kingdomsOf } from '../../../../domain/scans/profile.ts';
import { QUALITY_TEXT } from '../../../../domain/scans/quality.ts';
import type { Governor } from '../../../api/pages.ts';
import { LineChart } from '../../../chart/line-chart.tsx';
import { rankLabel } from '../../../chart/scales.ts';
import { DayChoice } from '../../../components/day-choice.tsx';
import Wars from '../../../components/events/wars.tsx';
import { FileDays } from '../../../components/file-days.tsx';
import { AllianceLink, GovernorLink, KingdomLink } from '../../../components/links.tsx';
import { OwnReadingsPanel } from '../../../components/own-scans.tsx';
import { Page } from '../../../components/page.tsx';
import { Facts, Nothing, Panel, Panels } from '../../../components/panel.tsx';
import { capital, counted, date, exact, nameOr, ownTime, titleName } from '../../../format.ts';
import type { Column } from '../../../table/column.ts';
import { Table } from '../../../table/table.tsx';
import { Accordion } from '../../../ui/accordion.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { PlayerName } from '../../../ui/player-name.tsx';
import { Short } from '../../../ui/short.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import { useTextMemo } from '../../../ui/use-locale.ts';
import { sectionsOf } from './-governor-sections.ts';

/** Page of a governor. */
export function GovernorPage({ governor, days }: { governor: Governor; days: ChartDays }) {
  const { game, free, near, quality, last_read } = governor;
  const { kingdom, governor: noun, name } = GAMES[game];
  const title = titleName(free.name, `${words(capital(noun.one))} ${free.governor_id}`);
  return (
    <Page
      title={title}
      about={
        <p>
          <T
            of="{value}{kingdomlink} · ID {governor_id} · {name} · scanned {time}"
            value={
              free.alliance && (
                <>
                  [<AllianceLink game={game} kingdom={free.home_kingdom} tag={free.alliance} />]{' '}
                </>
              )
            }
            kingdomlink={
              <KingdomLink game={game} id={free.home_kingdom}>
                {words(capital(kingdom.one))} {free.home_kingdom}
              </KingdomLink>
            }
            governor_id={String(free.governor_id)}
            name={name}
            time={<Time at={governor.captured_at} byFile={governor.file_days.includes(dayOf(governor.captured_at))} />}
          />
        </p>
      }
      actions={<DayChoice days={days} open={governor.days_open} game={game} kingdom={free.home_kingdom} />}
    >
      {quality !== 'ok' && (
        <Notice>
          {quality === 'listed'
            ? t('The last scan has only the ranking list, not the profile.')
            : words(QUALITY_TEXT[quality])}
          {last_read &&
            t(' The profile was last scanned on {captured_at} and is shown with that date.', {
              captured_at: ownTime(last_read.captured_at),
            })}
        </Notice>
      )}
      <Charts governor={governor} />
      <FileDays days={governor.file_days} />
      <OwnReadingsPanel game={game} id={free.governor_id} />
      <Panels>
        {sectionsOf(game, free).map(({ title: section, facts }) => (
          <Panel key={section} title={section}>
            <Facts facts={facts} />
          </Panel>
        ))}
        {last_read &&
          sectionsOf(game, last_read.profile, true).map(({ title: section, facts }) => (
            <Panel
              key={`last ${section}`}
              title={section}
              about={t('As of {captured_at}', { captured_at: date(last_read.captured_at) })}
            >
              <Facts facts={facts} />
            </Panel>
          ))}
        <Panel title={t('Near in rank')} about={`${words(kingdom.one)} ${free.home_kingdom}`}>
          <Table
            label={t('{game, select, cod {Lords} other {Governors}} near in rank', { game })}
            columns={nearColumns(game, free.governor_id, free.home_kingdom)}
            rows={near}
            rowId={(row) => row.governor_id}
          />
        </Panel>
      </Panels>
      <Wars game={game} one={{ kind: 'governor', id: free.governor_id }} />
      <ChangesPanel governor={governor} />
      <HistoryPanel governor={governor} />
    </Page>
  );
}

function Charts({ governor: { game, days } }: { governor: Governor }) {
  const { score } = GAMES[game];
  const dates = useMemo(() => days.map(({ day }) => day), [days]);
  const power = useTextMemo(() => [{ label: t('Power'), values: days.map((day) => day.power) }], [days]);
  const scores = useTextMemo(() => [{ label: words(score), values: days.map((day) => day.score) }], [days, score]);
  const ranks = useTextMemo(() => [{ label: t('Rank'), values: days.map((day) => day.rank) }], [days]);
  return (
    <Panels>
      <LineChart label={t('Power')} days={dates} lines={power} />
      <LineChart label={words(score)} days={dates} lines={scores} />
      <LineChart
        label={t('Rank in the {game, select, cod {server} other {kingdom}}', { game })}
        days={dates}
        lines={ranks}
        reversed
        show={rankLabel}
      />
    </Panels>
  );
}

type Near = Governor['near'][number];

const nearColumns = (game: GameId, id: number, kingdom: number): Column<Near>[] => [
  { id: 'rank', title: '#', cell: (row) => exact(row.rank) },
  {
    id: 'name',
    title: t('Name'),
    grow: true,
    cell: (row) =>
      row.governor_id === id ? (
        <strong>
          <PlayerName name={nameOr(row.name, String(row.governor_id))} />
        </strong>
      ) : (
        <GovernorLink game={game} id={row.governor_id} name={row.name} />
      ),
  },
  {
    id: 'tag',
    title: t('Alliance'),
    cell: (row) => <AllianceLink game={game} kingdom={kingdom} tag={row.alliance_tag} />,
  },
  {
    id: 'power',
    title: t('Power'),
    figures: true,
    cell: (row) => <Short value={row.power} />,
  },
];

/** Renders an old or new value; kingdoms and alliances link to their pages. */
function shown(game: GameId, kingdom: number, field: string, value: string | number | null) {
  const { roles } = GAMES[game];
  if (field === roles.kingdom && value !== null) return <KingdomLink game={game} id={value} />;
  if (field === roles.tag && value) return <AllianceLink game={game} kingdom={kingdom} tag={String(value)} />;
  return typeof value === 'number' ? exact(value) : <PlayerName name={nameOr(value ?? '', '–')} />;
}

type Change = Governor['subscription']['changes'][number]['changes'][number];

const changeColumns = (game: GameId, kingdoms: { before: number; after: number }): Column<Change>[] => [
  { id: 'field', title: t('Figure'), grow: true, cell: (row) => words(columnOf(game, row.field)?.title ?? row.field) },
  // Placed first so that it is visible on phones.
  {
    id: 'difference',
    title: t('Change'),
    figures: true,
    cell: ({ field, old, value }) =>
      typeof old === 'number' && typeof value === 'number' && !field.endsWith('_id')
        ? `${sign(value > old ? '+' : '−')}${exact(Math.abs(value - old))}`
        : '',
  },
  { id: 'old', title: t('Before'), figures: true, cell: (row) => shown(game, kingdoms.before, row.field, row.old) },
  { id: 'value', title: t('After'), figures: true, cell: (row) => shown(game, kingdoms.after, row.field, row.value) },
];

function ChangesPanel({ governor: { game, free, subscription } }: { governor: Governor }) {
  const changed = subscription.changes.filter(({ changes }) => changes.length > 0);
  // Tags are those of the kingdom in which the governor was at the time.
  const kingdoms = kingdomsOf(game, changed, free.home_kingdom);
  const scans = changed.map(({ time, changes }, index) => ({
    id: String(time),
    title: ownTime(time),
    aside: counted(changes.length, 'change'),
    content: (
      <Table
        label={t('Changes of {time}', { time: ownTime(time) })}
        columns={changeColumns(game, kingdoms[index] as (typeof kingdoms)[number])}
        rows={changes}
        rowId={({ field }) => field}
      />
    ),
  }));
  return (
    <Panel title={t('Changes in the last 7 days')} wide>
      {scans.length > 0 ? (
        <Accordion sections={scans} open={scans.slice(0, 1).map(({ id }) => id)} level={3} />
      ) : (
        <Nothing>{t('No change, or only one scan.')}</Nothing>
      )}
    </Panel>
  );
}

const fieldOf = (game: GameId, field: Governor['history'][number]['field']): string =>
  ({ name: t('Name'), alliance_tag: t('Alliance'), kingdom_id: words(capital(GAMES[game].kingdom.one)) })[field];

const historyColumns = (game: GameId): Column<Governor['history'][number]>[] => [
  { id: 'time', title: t('Seen'), cell: (row) => <Time at={row.time} /> },
  { id: 'field', title: t('What'), cell: (row) => fieldOf(game, row.field) },
  { id: 'old', title: t('Before'), grow: true, cell: (row) => <PlayerName name={nameOr(row.old, '–')} /> },
  { id: 'value', title: t('After'), cell: (row) => <PlayerName name={nameOr(row.value, '–')} /> },
];

const HistoryPanel = ({ governor: { game, history } }: { governor: Governor }) => (
  <Panel title={t('Names, alliances and {game, select, cod {servers} other {kingdoms}}', { game })} wide>
    {history.length > 0 ? (
      <Table
        label={t('Names, alliances and {game, select, cod {servers} other {kingdoms}}', { game })}
        columns={historyColumns(game)}
        rows={history}
        rowId={(row) => `${row.time} ${row.field}`}
      />
    ) : (
      <Nothing>
        {t('The same name, alliance and {game, select, cod {server} other {kingdom}} in every scan.', { game })}
      </Nothing>
    )}
  </Panel>
);
