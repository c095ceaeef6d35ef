import { type ReactNode, useMemo } from 'react';
import { dayOf } from '../../../../domain/days.ts';
import { GAMES, type GameId } from '../../../../domain/games/games.ts';
import { kingdomTitle } from '../../../../domain/games/titles.ts';
import type { ChartDays } from '../../../../domain/kingdoms/chart-days.ts';
import { t, words } from '../../../../domain/language/text.ts';
import { KINGDOM_METRICS } from '../../../../domain/scans/kingdom-metrics.ts';
import { comparable } from '../../../../domain/scans/totals.ts';
import type { Kingdom } from '../../../api/pages.ts';
import { LineChart } from '../../../chart/line-chart.tsx';
import { runsOf } from '../../../chart/runs.ts';
import { DayChoice } from '../../../components/day-choice.tsx';
import Wars from '../../../components/events/wars.tsx';
import { FileDays } from '../../../components/file-days.tsx';
import { large, WRITTEN } from '../../../components/kingdom-figures.ts';
import { CompareScans, OwnOrders, ScanKingdom } from '../../../components/kingdom-ways.tsx';
import { AllianceLink, GovernorLink, KingdomLink } from '../../../components/links.tsx';
import { OwnScansOf } from '../../../components/own-scans.tsx';
import { Page } from '../../../components/page.tsx';
import { Facts, Nothing, Panel, Panels } from '../../../components/panel.tsx';
import { capital, counted, date, exact, nameOr } from '../../../format.ts';
import type { Column } from '../../../table/column.ts';
import { Table, Under } from '../../../table/table.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { PlayerName } from '../../../ui/player-name.tsx';
import { Short } from '../../../ui/short.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import { useTextMemo } from '../../../ui/use-locale.ts';
import { useNarrow } from '../../../ui/use-narrow.ts';
import { Distribution } from './-distribution.tsx';

/** Page of a kingdom. */
export function KingdomPage({ kingdom, days }: { kingdom: Kingdom; days: ChartDays }) {
  const { game, kingdom_id, captured_at, totals, last_scan, file_days } = kingdom;
  const byFile = (at: number) => file_days.includes(dayOf(at));
  const { name, kingdom: noun, governor } = GAMES[game];
  const of = t('Of the {governors} of {day}', {
    governors: counted(totals.player_count, governor.one, governor.many),
    day: date(captured_at),
  });
  const narrow = useNarrow();
  return (
    <Page
      title={`${words(capital(noun.one))} ${kingdom_id}`}
      about={
        <p>
          <T
            of="{name} · {player_count} scanned {time}{value}"
            name={name}
            player_count={counted(totals.player_count, governor.one, governor.many)}
            time={<Time at={captured_at} byFile={byFile(captured_at)} />}
            value={
              last_scan.captured_at !== captured_at && (
                <>
                  {' '}
                  <T
                    of="· last scan {time}, of the {count, plural, one {# strongest {game, select, cod {lord} other {governor}}} other {# strongest {game, select, cod {lords} other {governors}}}}"
                    time={<Time at={last_scan.captured_at} byFile={byFile(last_scan.captured_at)} />}
                    count={last_scan.player_count}
                    game={game}
                  />
                </>
              )
            }
          />
        </p>
      }
      actions={
        <>
          <DayChoice days={days} open={kingdom.days_open} game={game} kingdom={kingdom_id} />
          <OwnOrders game={game} kingdom={kingdom_id} />
          <CompareScans game={game} kingdom={kingdom_id} />
          <ScanKingdom game={game} kingdom={kingdom_id} />
        </>
      }
    >
      <OwnScansOf game={game} kingdom={kingdom_id} />
      <Charts kingdom={kingdom} />
      <FileDays days={file_days} />
      <Panels>
        <Panel title={t('Totals')} about={of}>
          <Facts facts={totalFacts(kingdom)} />
        </Panel>
        {kingdom.distribution && (
          <Panel title={t('Power distribution')} about={of}>
            <Distribution title={words(capital(governor.many))} classes={kingdom.distribution} />
          </Panel>
        )}
      </Panels>
      <Wars game={game} one={{ kind: 'kingdom', id: kingdom_id }} />
      <Panels broad>
        <Listing title={t('Top 15 Players')} rows={kingdom.players} columns={playerColumns(game, narrow)} />
        <Listing
          title={t('Top 15 {game, select, cod {Servers} other {Kingdoms}}', { game })}
          about={
            kingdom.kingdoms_day &&
            t('As ranked at the end of {kingdoms_day}. Newer scans count on the next board.', {
              kingdoms_day: date(kingdom.kingdoms_day),
            })
          }
          rows={kingdom.kingdoms}
          columns={kingdomColumns(game)}
        />
        <Listing
          title={t('Alliances')}
          about={of}
          rows={kingdom.alliances}
          columns={allianceColumns(game, kingdom_id)}
        />
        <Listing title={t('Latest Name Changes')} rows={kingdom.name_changes} columns={nameColumns(game)} />
        <Listing title={t('Migrated in')} rows={kingdom.arrived} columns={moveColumns(game, t('Came from'))} />
        <Listing title={t('Migrated out')} rows={kingdom.left} columns={moveColumns(game, t('Went to'))} />
        <Listing
          title={t('Inactive')}
          about={t('No change for a week')}
          rows={kingdom.inactive}
          columns={playerColumns(game, narrow)}
        />
      </Panels>
    </Page>
  );
}

/** The specification's four series. Kill points have another scale, so they get their own chart. */
function Charts({ kingdom: { game, chart } }: { kingdom: Kingdom }) {
  const { score } = GAMES[game];
  const days = useMemo(() => chart.map(({ day }) => day), [chart]);
  const power = useTextMemo(
    () =>
      [
        whole(
          t('Total'),
          chart,
          (day) => day.total_power,
          (day) => day.player_count,
        ),
        { label: t('Top 100'), values: chart.map((day) => day.top100_power) },
        { label: t('Top 300'), values: chart.map((day) => day.top300_power) },
        { label: t('Top 600'), values: chart.map((day) => day.top600_power) },
      ].filter(({ values }) => values.some((value) => value !== null)),
    [chart],
  );
  const scores = useTextMemo(
    () => [
      whole(
        words(score),
        chart,
        (day) => day.total_score,
        (day) => day.score_count,
      ),
    ],
    [chart, score],
  );
  return (
    <>
      <Panels>
        <LineChart label={t('Power')} days={days} lines={power} show={large} />
        <LineChart label={words(score)} days={days} lines={scores} show={large} />
      </Panels>
      <Depths game={game} counts={chart.map(({ player_count }) => player_count)} />
    </>
  );
}

type Day = Kingdom['chart'][number];

/** A line of whole-scan totals that connects only scans of comparable depth. */
function whole(label: string, chart: readonly Day[], value: (day: Day) => number | null, depth: (day: Day) => number) {
  const values = chart.map(value);
  return { label, values, runs: runsOf(values, chart.map(depth), comparable) };
}

/** Warns if the days' scans differ in depth, because deeper scans have higher totals. */
function Depths({ game, counts }: { game: GameId; counts: readonly number[] }) {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  if (counts.length < 2 || comparable(least, most)) return null;
  return (
    <Notice>
      <T
        of="These scans cover {least} to {most} {game, select, cod {lords} other {governors}}. The total lines connect only scans of similar size. The lines of the strongest 100, 300 and 600 are always comparable."
        least={exact(least)}
        most={exact(most)}
        game={game}
      />
    </Notice>
  );
}

function totalFacts({ game, totals, inactive_count, last_scan, captured_at }: Kingdom): [string, ReactNode][] {
  const { hall, governor } = GAMES[game];
  const { player_count, power, left_out, known } = totals;
  const few = t('The scan read {governors}.', { governors: counted(player_count, governor.one, governor.many) });
  const figure = (value: number | null, unknown?: string) => <Short value={value} show={large} unknown={unknown} />;
  const guarded = (
    key: 'power' | 'score' | 'deads' | (typeof KINGDOM_METRICS)[number]['key'],
    value: number | null,
    show = large,
  ) => (
    <>
      <Short value={value} show={show} />
      {left_out?.[key] && (
        <Under>
          <T
            of="{rows} excluded, raw total {raw}"
            rows={counted(left_out[key].rows, 'row')}
            raw={show(left_out[key].raw)}
          />
        </Under>
      )}
      {known === undefined && value !== null && (
        <Under>
          <T of="from an unknown number of {game, select, cod {lords} other {governors}}" game={game} />
        </Under>
      )}
      {known?.[key] !== undefined && value !== null && known[key] + (left_out?.[key]?.rows ?? 0) < player_count && (
        <Under>
          <T of="from {key} with a full profile" key={counted(known[key], governor.one, governor.many)} />
        </Under>
      )}
    </>
  );
  const facts: [string, ReactNode][] = [
    [t('Total power'), guarded('power', power.total)],
    [t('Top 100 power'), figure(power.top100, few)],
    [t('Seed (top 300 power)'), figure(power.top300, few)],
    [t('Top 600 power'), figure(power.top600, few)],
    [t('Total {game, select, cod {merits} other {killpoints}}', { game }), guarded('score', totals.score.total)],
    [t('Total deads'), guarded('deads', totals.deads.total)],
    [`${words(hall.title)} 25`, <Short key="hall" value={totals.hall25_count} show={exact} />],
  ];
  if (last_scan.captured_at !== captured_at && last_scan.top)
    facts.push([
      t('Top {ranks} power in the last scan', { ranks: String(last_scan.top.ranks) }),
      <Short key="last" value={last_scan.top.power} show={large} />,
    ]);
  if (inactive_count !== null) facts.push([t('Inactive for a week'), exact(inactive_count)]);
  for (const { key, title, unit } of KINGDOM_METRICS)
    if (totals[key] !== null) facts.push([words(title), guarded(key, totals[key], WRITTEN[unit])]);
  return facts;
}

function Listing<Row extends { id?: number; tag?: string; time?: number }>({
  title,
  about,
  rows,
  columns,
}: {
  title: string;
  about?: string | null;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
}) {
  return (
    <Panel title={title} about={about}>
      {rows.length > 0 ? (
        <Table label={title} columns={columns} rows={rows} rowId={(row) => `${row.id ?? row.tag} ${row.time ?? ''}`} />
      ) : (
        <Nothing>{t('None in the scans so far.')}</Nothing>
      )}
    </Panel>
  );
}

const playerLink = (game: GameId, id: number, name: string) => <GovernorLink game={game} id={id} name={name} />;

const figureColumn = <Row,>(
  id: string,
  title: string,
  value: (row: Row) => number | null,
  unknown?: string,
): Column<Row> => ({
  id,
  title,
  figures: true,
  cell: (row) => <Short value={value(row)} unknown={unknown} />,
});

type Player = Kingdom['players'][number];

/** Identity columns of a player; on phones a single two-line column, so that figures are visible. */
const playerIdentity = (game: GameId, narrow: boolean): Column<Player>[] =>
  narrow
    ? [
        {
          id: 'name',
          title: t('Name'),
          grow: true,
          cell: ({ id, name, kingdom_id }) => (
            <>
              {playerLink(game, id, name)}
              <Under>
                {id} · {kingdom_id}
              </Under>
            </>
          ),
        },
      ]
    : [
        { id: 'name', title: t('Name'), grow: true, cell: ({ id, name }) => playerLink(game, id, name) },
        { id: 'id', title: t('ID'), figures: true, cell: ({ id }) => id },
        {
          id: 'kingdom',
          title: words(capital(GAMES[game].kingdom.one)),
          figures: true,
          cell: ({ kingdom_id }) => <KingdomLink game={game} id={kingdom_id} />,
        },
      ];

const playerColumns = (game: GameId, narrow: boolean): Column<Player>[] => [
  ...playerIdentity(game, narrow),
  figureColumn('power', t('Power'), (row) => row.score),
  figureColumn('score', GAMES[game].score, (row) => row.killpoints),
];

const kingdomColumns = (game: GameId): Column<Kingdom['kingdoms'][number]>[] => [
  {
    id: 'id',
    title: t('ID'),
    cell: ({ id }) => <KingdomLink game={game} id={id} />,
  },
  { id: 'name', title: t('Name'), grow: true, cell: ({ id }) => kingdomTitle(game, id) },
  { ...figureColumn('power', t('Total Power'), (row) => row.score) },
];

const allianceColumns = (game: GameId, kingdom: number): Column<Kingdom['alliances'][number]>[] => [
  {
    id: 'tag',
    title: t('Alliance'),
    grow: true,
    cell: ({ tag, name }) => (
      <>
        <AllianceLink game={game} kingdom={kingdom} tag={tag} />
        {name && (
          <Under>
            <PlayerName name={name} />
          </Under>
        )}
      </>
    ),
  },
  { id: 'members', title: t('Members'), figures: true, cell: ({ members }) => exact(members) },
  figureColumn('power', t('Power'), (row) => row.power),
  figureColumn('score', GAMES[game].score, (row) => row.score),
];

const nameColumns = (game: GameId): Column<Kingdom['name_changes'][number]>[] => [
  { id: 'id', title: t('ID'), cell: ({ id }) => playerLink(game, id, String(id)) },
  { id: 'old', title: t('Old name'), cell: ({ old_name }) => <PlayerName name={nameOr(old_name, '–')} /> },
  {
    id: 'current',
    title: t('Current name'),
    grow: true,
    cell: ({ current_name }) => <PlayerName name={nameOr(current_name, '–')} />,
  },
];

const moveColumns = (game: GameId, title: string): Column<Kingdom['arrived'][number]>[] => [
  { id: 'name', title: t('Name'), grow: true, cell: ({ id, name }) => playerLink(game, id, name) },
  {
    id: 'kingdom',
    title,
    figures: true,
    cell: ({ kingdom_id }) => <KingdomLink game={game} id={kingdom_id} />,
  },
  figureColumn('power', t('Power'), (row) => row.power, t('Not read.')),
  { id: 'time', title: t('Seen'), cell: ({ time }) => <Time at={time} /> },
];
