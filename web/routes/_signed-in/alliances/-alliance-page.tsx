import { type ReactNode, useMemo } from 'react';
import { GAMES, type GameId } from '../../../../domain/games/games.ts';
import { t, words } from '../../../../domain/language/text.ts';
import type { Alliance } from '../../../api/pages.ts';
import { LineChart } from '../../../chart/line-chart.tsx';
import Wars from '../../../components/events/wars.tsx';
import { AllianceLink, GovernorLink, KingdomLink } from '../../../components/links.tsx';
import { OwnScansOf } from '../../../components/own-scans.tsx';
import { Page } from '../../../components/page.tsx';
import { Facts, Nothing, Panel, Panels } from '../../../components/panel.tsx';
import { capital, counted, exact } from '../../../format.ts';
import type { Column } from '../../../table/column.ts';
import { Table } from '../../../table/table.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Short } from '../../../ui/short.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import { Unknown } from '../../../ui/unknown.tsx';
import { useTextMemo } from '../../../ui/use-locale.ts';

/** Page of an alliance: members, totals, and who joined and left. */
export function AlliancePage({ alliance }: { alliance: Alliance }) {
  const { game, kingdom_id, tag, name, captured_at, member_count } = alliance;
  const { name: title, kingdom } = GAMES[game];
  return (
    <Page
      title={`[${tag}]${name && ` ${name}`}`}
      about={
        <p>
          <T
            of="{title} · {kingdomlink} · {member_count} as of {time}"
            title={title}
            kingdomlink={
              <KingdomLink game={game} id={kingdom_id}>
                {words(capital(kingdom.one))} {kingdom_id}
              </KingdomLink>
            }
            member_count={counted(member_count, 'member', 'members')}
            time={<Time at={captured_at} />}
          />
        </p>
      }
    >
      <OwnScansOf game={game} kingdom={kingdom_id} />
      <Charts alliance={alliance} />
      <Panels>
        <Panel title={t('Totals')}>
          <Facts facts={totals(alliance)} />
        </Panel>
      </Panels>
      <Wars game={game} one={{ kind: 'alliance', kingdom: kingdom_id, tag }} />
      <Panel
        title={t('Members')}
        about={member_count > alliance.members.length ? t('The strongest 300') : undefined}
        wide
      >
        <Table label={t('Members')} columns={memberColumns(game)} rows={alliance.members} rowId={({ id }) => id} />
      </Panel>
      <Panels broad>
        <Passers title={t('Joined')} other={t('Came from')} alliance={alliance} rows={alliance.joined} />
        <Passers title={t('Left')} other={t('Went to')} alliance={alliance} rows={alliance.left} />
      </Panels>
    </Page>
  );
}

function Charts({ alliance: { game, chart, same_count, member_count } }: { alliance: Alliance }) {
  const { score } = GAMES[game];
  const days = useMemo(() => chart.map(({ day }) => day), [chart]);
  const power = useTextMemo(() => [{ label: t('Power'), values: chart.map((day) => day.power) }], [chart]);
  const scores = useTextMemo(() => [{ label: words(score), values: chart.map((day) => day.score) }], [chart, score]);
  if (chart.length < 2) return null;
  return (
    <>
      <Panels>
        <LineChart label={t('Power')} days={days} lines={power} />
        <LineChart label={words(score)} days={days} lines={scores} />
      </Panels>
      {same_count < member_count && (
        <Notice>
          <T
            of="The lines cover the {same_count} found in every scan of these days, so that the same people are compared."
            same_count={counted(same_count, 'member')}
          />
        </Notice>
      )}
    </>
  );
}

function totals({ game, member_count, read_count, doubted, power, score, deads }: Alliance): [string, ReactNode][] {
  const { score: scoreTitle } = GAMES[game];
  const unread = member_count - read_count;
  return [
    [t('Members'), exact(member_count)],
    [t('Power'), summed(power, member_count, doubted.power)],
    [words(scoreTitle), summed(score, read_count, doubted.score)],
    [t('Deads'), summed(deads, read_count, doubted.deads)],
    ...(unread > 0
      ? ([
          [
            t('Profile not scanned'),
            t('{members}, excluded from these totals', { members: counted(unread, 'member') }),
          ],
        ] as [string, ReactNode][])
      : []),
  ];
}

/** A sum with the number of members it counts and excludes. */
const summed = (sum: number | null, read: number, doubted: number): ReactNode => (
  <>
    <Short value={sum} />{' '}
    {doubted > 0
      ? t('of {members}; {doubted} excluded because the figure is unverified', {
          members: counted(read - doubted, 'member'),
          doubted: exact(doubted),
        })
      : t('of {members}', { members: counted(read - doubted, 'member') })}
  </>
);

type Member = Alliance['members'][number];

const figureColumn = (id: 'power' | 'score' | 'deads', title: string): Column<Member> => ({
  id,
  title,
  figures: true,
  cell: (row) => <Short value={row[id]} />,
});

const memberColumns = (game: GameId): Column<Member>[] => [
  {
    id: 'name',
    title: t('Name'),
    grow: true,
    cell: ({ id, name }) => <GovernorLink game={game} id={id} name={name} />,
  },
  { id: 'id', title: t('ID'), figures: true, cell: ({ id }) => id },
  figureColumn('power', t('Power')),
  figureColumn('score', GAMES[game].score),
  figureColumn('deads', t('Deads')),
  {
    id: 'hall',
    title: GAMES[game].hall.title,
    figures: true,
    cell: ({ hall }) => hall ?? <Unknown why={t('Not read in the last scan.')} />,
  },
];

function Passers({
  title,
  other,
  alliance: { game, kingdom_id },
  rows,
}: {
  title: string;
  other: string;
  alliance: Alliance;
  rows: Alliance['joined'];
}) {
  const columns: Column<Alliance['joined'][number]>[] = [
    {
      id: 'name',
      title: t('Name'),
      grow: true,
      cell: ({ id, name }) => <GovernorLink game={game} id={id} name={name} />,
    },
    {
      id: 'other',
      title: other,
      cell: ({ tag, kingdom_id: home }) => (
        <>
          {tag === '' ? t('no alliance') : <AllianceLink game={game} kingdom={home} tag={tag} />}
          {home !== kingdom_id && (
            <>
              {' · '}
              <KingdomLink game={game} id={home}>
                {words(capital(GAMES[game].kingdom.one))} {home}
              </KingdomLink>
            </>
          )}
        </>
      ),
    },
    {
      id: 'power',
      title: t('Power'),
      figures: true,
      cell: ({ power }) => <Short value={power} unknown={t('Not read.')} />,
    },
    { id: 'time', title: t('Seen'), cell: ({ time }) => <Time at={time} /> },
  ];
  return (
    <Panel title={title}>
      {rows.length > 0 ? (
        <Table label={title} columns={columns} rows={rows} rowId={({ id, time }) => `${id} ${time}`} />
      ) : (
        <Nothing>{t('Nobody in the scans so far.')}</Nothing>
      )}
    </Panel>
  );
}
