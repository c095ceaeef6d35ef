import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import {
  type BoardKind,
  DELAY_DAYS,
  DELAYED_TO,
  GATHERED,
  metricOf,
  metricTitle,
} from '../../../domain/boards/leaderboard.ts';
import type {
  AllianceProfile,
  AnyProfile,
  GovernorProfile,
  KingdomProfile,
  Profiled,
} from '../../../domain/boards/profile.ts';
import { GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { t, words } from '../../../domain/language/text.ts';
import { ApiError } from '../../api/client.ts';
import { profileQuery } from '../../api/profiles.ts';
import { AccountOffer } from '../../components/account-offer.tsx';
import { Failure } from '../../components/failure.tsx';
import { AllianceLink, GovernorLink, KingdomLink } from '../../components/links.tsx';
import { Page } from '../../components/page.tsx';
import { Facts, Nothing, Panel, Panels } from '../../components/panel.tsx';
import { SearchButton } from '../../components/search-box.tsx';
import { capital, counted, date, exact, nameOr, numbered, titleName } from '../../format.ts';
import type { Column } from '../../table/column.ts';
import { Table, Under } from '../../table/table.tsx';
import { buttonClass } from '../../ui/button.tsx';
import layout from '../../ui/layout.module.css';
import { PlayerName } from '../../ui/player-name.tsx';
import { Short } from '../../ui/short.tsx';
import { Skeleton, Skeletons } from '../../ui/skeleton.tsx';
import { T } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { useHydrated } from '../../ui/use-hydrated.ts';
import styles from './-board.module.css';
import { Gained, Moved } from './-board-cells.tsx';
import { rowFigures } from './-board-columns.tsx';

/** Loaded on demand together with the chart library. */
const ProfileDays = lazy(() => import('./-profile-days.tsx'));
/** Loaded on demand, because most were in no event. */
const LazyWars = lazy(() => import('../../components/events/wars.tsx'));

/** The public page of a governor, a kingdom or an alliance. */
export function ProfilePage({ game, one }: { game: GameId; one: Profiled }) {
  const profile = useQuery(profileQuery(game, one));
  const { data, error } = profile;
  if (data) return <Shown profile={data} one={one} />;
  if (error instanceof ApiError && (error.status === 404 || error.status === 400))
    return <Unlisted game={game} kind={one.kind} message={error.message} />;
  return (
    <Page title={words(capital(GAME_NAMES[game][one.kind].one))}>
      {error ? (
        <Failure error={error} retry={() => void profile.refetch()} busy={profile.isFetching} />
      ) : (
        <Skeletons what={t('the profile')} heights={['18rem', '24rem']} />
      )}
    </Page>
  );
}

/** Says that no board has it, and where to go. */
const Unlisted = ({ game, kind, message }: { game: GameId; kind: BoardKind; message: string }) => (
  <Page title={t('Not on the boards')}>
    <p>
      <T
        of="{message} It may be too young, too small or not scanned, or a player may have asked not to be shown."
        message={message}
      />
    </p>
    <p className={layout.wrap}>
      <Link to={`/leaderboard/${kind}`} search={game === 'rok' ? {} : { game }} className={buttonClass('primary')}>
        <T of="All {many}" many={words(GAME_NAMES[game][kind].many)} />
      </Link>
      <SearchButton line={t('Search players, alliances and kingdoms')} />
    </p>
  </Page>
);

const isKingdom = (profile: AnyProfile): profile is KingdomProfile => 'alliances' in profile;
const isGovernor = (profile: AnyProfile): profile is GovernorProfile => 'governor_id' in profile.row;

function titleOf(profile: AnyProfile): string {
  const { governor, kingdom } = GAME_NAMES[profile.game];
  if (isKingdom(profile)) return `${words(capital(kingdom.one))} ${profile.row.kingdom_id}`;
  if (isGovernor(profile))
    return titleName(profile.row.name, `${words(capital(governor.one))} ${profile.row.governor_id}`);
  const { alliance_tag, alliance_name } = (profile as AllianceProfile).row;
  const name = titleName(alliance_name, '');
  return name === '' || name === alliance_tag
    ? `[${titleName(alliance_tag, '?')}]`
    : `[${titleName(alliance_tag, '?')}] ${name}`;
}

function Shown({ profile, one }: { profile: AnyProfile; one: Profiled }) {
  const { game, day, places, row } = profile;
  const { kind } = one;
  const [first] = places;
  return (
    <Page title={titleOf(profile)} about={<About profile={profile} />}>
      <Panels>
        <Panel title={t('Places')} about={t('On the public boards')}>
          <Facts
            facts={places.map((place) => [
              titleOfPlace(game, place.type),
              <Place key={place.type} place={place} row={row} />,
            ])}
          />
        </Panel>
        <Panel title={t('Figures')} about={kind === 'kingdom' ? t('Of its scan') : date(day)}>
          <Facts facts={rowFigures(kind, game, row)} />
        </Panel>
      </Panels>
      {first && <Days game={game} kind={kind} rank={first.rank} day={day} />}
      <Wars game={game} one={one} />
      {'governors' in profile && (
        <Panels broad>
          {isKingdom(profile) && <Alliances profile={profile} />}
          <Governors profile={profile} />
        </Panels>
      )}
      <AccountOffer game={game} one={one} className={styles.next} />
      {isGovernor(profile) && (
        <p className={layout.quiet}>
          <T
            of="Is this you? You can <link>ask not to be shown</link>."
            link={(text) => (
              <Link to="/removal" search={{ ...(game !== 'rok' && { game }), id: profile.row.governor_id }}>
                {text}
              </Link>
            )}
          />
        </p>
      )}
    </Page>
  );
}

const titleOfPlace = (game: GameId, type: string): string => metricTitle(game, metricOf(game, type) ?? 'power');

/** The game, where the subject belongs, and the specification's notice of the board's time. */
function About({ profile }: { profile: AnyProfile }) {
  const { game, day, row, captured_at } = profile;
  const { name, kingdom, governor } = GAME_NAMES[game];
  const home = (
    <KingdomLink game={game} id={row.kingdom_id} open>
      {words(capital(kingdom.one))} {row.kingdom_id}
    </KingdomLink>
  );
  if (isKingdom(profile))
    return (
      <p>
        <T
          of="{name} · {players} scanned · {gathered}"
          name={name}
          players={counted(profile.row.player_count, governor.one, governor.many)}
          gathered={<T of={GATHERED} time={<Time at={captured_at ?? profile.row.timestamp} />} />}
        />
      </p>
    );
  return (
    <p>
      {isGovernor(profile) && profile.row.alliance_tag && (
        <>
          [<AllianceLink game={game} kingdom={row.kingdom_id} tag={profile.row.alliance_tag} open />]{' '}
        </>
      )}
      {home} · {isGovernor(profile) && t('ID {governor_id} · ', { governor_id: String(profile.row.governor_id) })}
      <bdi>{name}</bdi> · <T of={DELAYED_TO} days={DELAY_DAYS} day={<strong>{date(day)}</strong>} />
    </p>
  );
}

type PlaceOf = AnyProfile['places'][number];

/** A place on a board, and what changed since the day before. */
const Place = ({ place: { rank, of, moved, gained }, row }: { place: PlaceOf; row: AnyProfile['row'] }) => (
  <>
    <T
      of="{strong} of {whole} {moved}{under}"
      strong={<strong>{numbered(rank)}</strong>}
      whole={exact(of)}
      moved={<Moved moved={moved} />}
      under={
        <Under>
          <T of="{gained} since the day before" gained={<Gained row={{ ...row, moved, gained }} />} />
        </Under>
      }
    />
  </>
);

/** Height of the charts, so that nothing moves when they arrive. */
const CHARTS = '18rem';

function Days(props: { game: GameId; kind: BoardKind; rank: number; day: string }) {
  const waiting = <Skeleton height={CHARTS} />;
  if (!useHydrated()) return waiting;
  return (
    <Suspense fallback={waiting}>
      <ProfileDays {...props} />
    </Suspense>
  );
}

const Wars = (props: { game: GameId; one: Profiled }) =>
  useHydrated() && (
    <Suspense fallback={null}>
      <LazyWars {...props} />
    </Suspense>
  );

type Listed = AllianceProfile['governors'][number];
type ListedAlliance = KingdomProfile['alliances'][number];

const place = <Row extends { rank: number }>(): Column<Row> => ({
  id: 'rank',
  title: '#',
  about: t('Place on the board'),
  ascending: true,
  value: ({ rank }) => rank,
  cell: ({ rank }) => exact(rank),
});

const figures = <Row extends Pick<Listed, 'power' | 'killpoints' | 'merits'>>(game: GameId): Column<Row>[] => [
  {
    id: 'power',
    title: t('Power'),
    figures: true,
    value: ({ power }) => power,
    cell: ({ power }) => <Short value={power} />,
  },
  {
    id: 'score',
    title: GAME_NAMES[game].score,
    figures: true,
    value: ({ killpoints, merits }) => killpoints ?? merits ?? null,
    cell: ({ killpoints, merits }) => <Short value={killpoints ?? merits} />,
  },
];

function governorColumns(game: GameId, kingdom: number, withTag: boolean): Column<Listed>[] {
  return [
    place(),
    {
      id: 'name',
      title: t('Name'),
      grow: true,
      cell: ({ governor_id, name, alliance_tag }) => (
        <>
          <GovernorLink game={game} id={governor_id} name={name} open />
          {withTag && (
            <Under>
              <AllianceLink game={game} kingdom={kingdom} tag={alliance_tag} open />
            </Under>
          )}
        </>
      ),
    },
    ...figures<Listed>(game),
  ];
}

const allianceColumns = (game: GameId, kingdom: number): Column<ListedAlliance>[] => [
  place(),
  {
    id: 'tag',
    title: t('Alliance'),
    grow: true,
    cell: ({ alliance_tag, alliance_name }) => (
      <>
        <AllianceLink game={game} kingdom={kingdom} tag={alliance_tag} open />
        <Under>
          <PlayerName name={nameOr(alliance_name, '')} />
        </Under>
      </>
    ),
  },
  {
    id: 'members',
    title: t('Members'),
    figures: true,
    value: (row) => row.member_count,
    cell: (row) => exact(row.member_count),
  },
  ...figures<ListedAlliance>(game),
];

/** A list of the delayed boards. */
function List({
  title,
  empty,
  day,
  children,
}: {
  title: string;
  empty: boolean;
  day: string | null;
  children: ReactNode;
}) {
  return (
    <Panel title={title} about={day ? t(DELAYED_TO, { days: DELAY_DAYS, day: date(day) }) : undefined}>
      {empty ? <Nothing>{t('None on the board of that day.')}</Nothing> : children}
    </Panel>
  );
}

function Governors({ profile }: { profile: AllianceProfile | KingdomProfile }) {
  const { game, governors, listed_day, row } = profile;
  const title = isKingdom(profile)
    ? t('{game, select, cod {Strongest lords} other {Strongest governors}}', { game })
    : t('Strongest members');
  return (
    <List title={title} empty={governors.length === 0} day={listed_day}>
      <Table
        label={title}
        columns={governorColumns(game, row.kingdom_id, isKingdom(profile))}
        rows={governors}
        rowId={({ governor_id }) => governor_id}
      />
    </List>
  );
}

const Alliances = ({ profile: { game, alliances, listed_day, row } }: { profile: KingdomProfile }) => (
  <List title={t('Alliances')} empty={alliances.length === 0} day={listed_day}>
    <Table
      label={t('Alliances')}
      columns={allianceColumns(game, row.kingdom_id)}
      rows={alliances}
      rowId={({ alliance_tag }) => alliance_tag}
    />
  </List>
);
