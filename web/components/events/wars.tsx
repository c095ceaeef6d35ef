import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Profiled } from '../../../domain/boards/profile.ts';
import { GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { message, t, words } from '../../../domain/language/text.ts';
import {
  type AllianceWar,
  allianceWarsQuery,
  dashboardPath,
  type GovernorWar,
  governorCard,
  governorWarsQuery,
  type KingdomWar,
  kingdomWarsQuery,
} from '../../api/events.ts';
import { capital, exact, numbered } from '../../format.ts';
import { useSettings } from '../../page-settings.ts';
import type { Column } from '../../table/column.ts';
import { Table, Under } from '../../table/table.tsx';
import { T } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { Gain, percent, Standing } from '../difference/gain.tsx';
import { Panel } from '../panel.tsx';
import { GovernorGain } from './governor-gain.tsx';
import { RoomLink } from './room-link.tsx';
import styles from './wars.module.css';

/** Results in public events, of a governor, a kingdom or an alliance. Renders nothing if no event includes them. */
export default function Wars({ game, one }: { game: GameId; one: Profiled }) {
  if (one.kind === 'governor') return <GovernorWars game={game} id={one.id} />;
  if (one.kind === 'kingdom') return <KingdomWars game={game} kingdom={one.id} />;
  return <AllianceWars game={game} kingdom={one.kingdom} tag={one.tag} />;
}

type AnyWar = GovernorWar | KingdomWar | AllianceWar;

const rankColumn = <War extends AnyWar>(
  id: string,
  title: string,
  of: (war: War) => readonly [rank: number | null, of: number],
): Column<War> => ({
  id,
  title,
  figures: true,
  cell: (war) => {
    const [rank, all] = of(war);
    return (
      <>
        {rank === null ? '?' : numbered(rank)}{' '}
        <small>
          <T of="of {all}" all={exact(all)} />
        </small>
      </>
    );
  },
});

const eventColumn = <War extends AnyWar>(): Column<War> => ({
  id: 'event',
  title: t('Event'),
  grow: true,
  sticky: true,
  cell: (war) => (
    <>
      <Link {...dashboardPath(war)} className={styles.event}>
        {war.event}
      </Link>
      <Under>
        <RoomLink meta={war} kingdom={war.kingdom}>
          {words(capital(GAME_NAMES[war.game].kingdom.one))} {war.kingdom}
        </RoomLink>{' '}
        · {words(war.camp)} · <Time at={war.range.end} />
      </Under>
    </>
  ),
});

const dkpColumn = <War extends AnyWar>(note: (war: War) => string | false): Column<War> => ({
  id: 'dkp',
  title: t('DKP'),
  about: t('Guarded score of the whole event'),
  figures: true,
  cell: (war) => (
    <>
      <strong>
        <Gain value={war.dkp} />
      </strong>
      {note(war) && <Under>{note(war)}</Under>}
    </>
  ),
});

/** A sum's note of the scores that it excludes. */
const excluded = ({ left_out }: { left_out: number }): string | false =>
  left_out > 0 && t('{left_out} unverified excluded', { left_out: exact(left_out) });

const powerColumn: Column<KingdomWar | AllianceWar> = {
  id: 'power',
  title: message('Power'),
  figures: true,
  cell: ({ power }) => <Standing value={power} />,
};

const gainColumn = (key: string, title: string): Column<GovernorWar> => ({
  id: key,
  title,
  figures: true,
  cell: (war) => <GovernorGain of={war} figure={key} />,
});

const governorColumns = (game: GameId, id: number, api: string): Column<GovernorWar>[] => [
  eventColumn(),
  dkpColumn(({ doubt }) => doubt !== null && t('unverified')),
  rankColumn('event_rank', t('Rank'), ({ event_rank, event_of }) => [event_rank, event_of]),
  rankColumn('rank', t('{game, select, cod {In the server} other {In the kingdom}}', { game }), ({ rank, of }) => [
    rank,
    of,
  ]),
  {
    id: 'percentile',
    title: t('Percentile'),
    about: t('Percent of the {one}’s other scores that are lower', { one: words(GAME_NAMES[game].kingdom.one) }),
    figures: true,
    cell: ({ percentile }) => percent(percentile),
  },
  { id: 'goal', title: t('Goal'), figures: true, cell: ({ goal }) => (goal === null ? '' : percent(goal)) },
  ...(game === 'rok' ? [gainColumn('killcount_t4', t('T4 kills')), gainColumn('killcount_t5', t('T5 kills'))] : []),
  gainColumn(GAME_NAMES[game].roles.deads, t('Deads')),
  {
    id: 'card',
    title: t('Share of all'),
    cell: ({ dashboard_id, event }) => (
      <a
        href={governorCard(api, dashboard_id, id)}
        target="_blank"
        rel="noreferrer"
        aria-label={t('Picture: {event}', { event })}
      >
        {t('Picture')}
      </a>
    ),
  },
];

function GovernorWars({ game, id }: { game: GameId; id: number }) {
  const { api } = useSettings();
  const wars = useQuery(governorWarsQuery(id)).data?.wars.filter((war) => war.game === game);
  return <List wars={wars} columns={governorColumns(game, id, api)} />;
}

function KingdomWars({ game, kingdom }: { game: GameId; kingdom: number }) {
  const wars = useQuery(kingdomWarsQuery(game, kingdom)).data?.wars;
  const columns: Column<KingdomWar>[] = [
    eventColumn(),
    dkpColumn<KingdomWar>(excluded),
    rankColumn('rank', t('Rank'), ({ rank, of }) => [rank, of]),
    rankColumn('camp_rank', t('Camp'), ({ camp_rank, camps }) => [camp_rank, camps]),
    powerColumn,
  ];
  return <List wars={wars} columns={columns} />;
}

function AllianceWars({ game, kingdom, tag }: { game: GameId; kingdom: number; tag: string }) {
  const wars = useQuery(allianceWarsQuery(game, kingdom, tag)).data?.wars;
  const columns: Column<AllianceWar>[] = [
    eventColumn(),
    dkpColumn<AllianceWar>(excluded),
    rankColumn('rank', t('{game, select, cod {In the server} other {In the kingdom}}', { game }), ({ rank, of }) => [
      rank,
      of,
    ]),
    {
      id: 'governors',
      title: capital(GAME_NAMES[game].governor.many),
      figures: true,
      cell: ({ governors }) => exact(governors),
    },
    powerColumn,
  ];
  return <List wars={wars} columns={columns} />;
}

const List = <War extends AnyWar>({ wars = [], columns }: { wars?: War[] | undefined; columns: Column<War>[] }) =>
  wars.length > 0 && (
    <Panel title={t('Wars')} about={t('Public events, newest first')}>
      <Table
        label={t('Wars')}
        columns={columns}
        rows={wars}
        rowId={({ dashboard_id, kingdom }) => `${dashboard_id} ${kingdom}`}
      />
    </Panel>
  );
