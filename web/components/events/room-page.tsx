import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pin, PinOff } from 'lucide';
import { lazy, type ReactNode, Suspense, useDeferredValue, useMemo, useState } from 'react';
import { GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { t, words } from '../../../domain/language/text.ts';
import { messageOf } from '../../api/client.ts';
import { dashboardPath, type EventMeta, type EventRoom, eventMetaQuery, eventRoomQuery } from '../../api/events.ts';
import { capital, counted, exact, numbered } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useSearchChange } from '../../ui/search-input.tsx';
import { Short } from '../../ui/short.tsx';
import { Skeletons } from '../../ui/skeleton.tsx';
import { CampMark } from '../difference/camp-mark.tsx';
import { percent } from '../difference/gain.tsx';
import { useLinkTarget } from '../embedded.ts';
import { useSignedIn } from '../signed-in.tsx';
import { ChangesPanel } from './changes-panel.tsx';
import page from './event-page.module.css';
import { STATE_TITLE } from './event-words.ts';
import { HeadToHead, rivalOf } from './head-to-head.tsx';
import { LazyFollowButton } from './lazy-follow-button.tsx';
import { useMyKingdom } from './my-kingdom.ts';
import { NoEvent } from './no-event.tsx';
import { RangeChoice } from './range-choice.tsx';
import { RoomGovernors } from './room-governors.tsx';
import styles from './room-page.module.css';
import type { ChangeRoom, RoomSearch } from './room-search.ts';
import { Alliances, Passing, Rivals } from './room-tables.tsx';
import { ShareButton } from './share-button.tsx';
import { goalsBy, NO_RULES, withRoster } from './with-roster.ts';

const RoomCharts = lazy(async () => ({ default: (await import('./room-charts.tsx')).RoomCharts }));
const RoomRoster = lazy(async () => ({ default: (await import('./room-roster.tsx')).RoomRoster }));

/** War room of a kingdom: its rank, who fights and who does not, and what changed. */
export function RoomPage({
  id,
  game,
  kingdom,
  search,
}: {
  id: string;
  game: GameId;
  kingdom: string;
  search: RoomSearch;
}) {
  const event = useQuery(eventMetaQuery(id));
  const answer = useQuery(eventRoomQuery(id, kingdom, search));
  const change = useSearchChange<RoomSearch>();
  const all = answer.data;
  const signedIn = useSignedIn();
  const [rules, setRules] = useState(NO_RULES);
  const room = useMemo(
    () => (all && event.data && rules !== NO_RULES ? withRoster(all, event.data, rules) : all),
    [all, event.data, rules],
  );
  const meta = useMemo(
    () => event.data && { ...event.data, goals: [...goalsBy(event.data, rules)] },
    [event.data, rules],
  );
  const waits = useDeferredValue(event.isPending || answer.isPending);
  const error = event.error ?? (all ? null : answer.error);
  if (error) {
    const retry = () => void Promise.all([event.refetch(), answer.refetch()]);
    return (
      <NoEvent
        error={error}
        retry={retry}
        busy={event.isFetching || answer.isFetching}
        search={search}
        change={change}
      />
    );
  }
  if (!event.data || !meta || !all || !room || waits)
    return (
      <div className={page.page}>
        <title>{t('War room · Muster')}</title>
        <Skeletons what={t('the war room')} heights={['3rem', '7rem', '12rem', '40rem']} />
      </div>
    );
  return (
    <div className={page.page} data-embed={search.embed}>
      <title>
        {t('{one} {kingdom} · {name} · Muster', {
          one: words(capital(GAME_NAMES[game].kingdom.one)),
          kingdom,
          name: meta.name,
        })}
      </title>
      <RoomHead meta={meta} room={room} embed={search.embed === true} />
      <div
        className={page.board}
        data-stale={answer.isPlaceholderData || undefined}
        aria-busy={answer.isPlaceholderData}
      >
        <RangeChoice
          meta={meta}
          {...room.range}
          change={(range) => change({ ...range, since: undefined, page: undefined })}
        />
        <Tiles meta={meta} room={room} change={change} />
        <ChangesPanel meta={meta} {...room} choose={(since) => change({ since })} />
        <RoomGovernors id={id} meta={meta} room={room} roster={rules.entries} search={search} change={change} />
        {signedIn && !search.embed && (
          <Suspense>
            <RoomRoster meta={event.data} room={all} shown={room} apply={setRules} />
          </Suspense>
        )}
        <Alliances room={room} game={meta.game} change={change} />
        <Rivals meta={meta} room={room} />
        <HeadToHead meta={meta} room={room} search={search} change={change} />
        <Suspense fallback={<Skeletons what={t('the charts')} heights={['20rem']} />}>
          <RoomCharts meta={meta} room={room} rival={rivalOf(room, search)} />
        </Suspense>
        <Passing meta={meta} room={room} />
      </div>
    </div>
  );
}

function RoomHead({ meta, room, embed }: { meta: EventMeta; room: EventRoom; embed: boolean }) {
  const { own, remember, error } = useMyKingdom(meta.game);
  const target = useLinkTarget();
  const { kingdom } = GAME_NAMES[meta.game];
  const mine = own === room.kingdom;
  return (
    <header className={page.head}>
      <div className={page.names}>
        <h1>
          {words(capital(kingdom.one))} {room.kingdom}
        </h1>
        <p className={page.about}>
          <CampMark name={room.camp} />
          <Link {...dashboardPath(meta)} {...target}>
            {meta.name}
          </Link>
          <span>{words(STATE_TITLE[meta.state])}</span>
        </p>
      </div>
      {!embed && (
        <div className={page.ways}>
          <Button aria-pressed={mine} onClick={() => remember(mine ? null : room.kingdom)}>
            <Icon of={mine ? PinOff : Pin} size={16} /> {mine ? t('Unpin') : t('My {one}', { one: words(kingdom.one) })}
          </Button>
          <LazyFollowButton id={meta.dashboard_id} kingdom={room.kingdom} />
          <ShareButton meta={meta} what={{ kind: 'room', room }} />
          {error && <Notice tone="danger">{messageOf(error)}</Notice>}
        </div>
      )}
    </header>
  );
}

/** The answer on the first screen: the rank, the score, and who must fight more. */
function Tiles({ meta, room, change }: { meta: EventMeta; room: EventRoom; change: ChangeRoom }) {
  const { counts } = room;
  const list = (only: RoomSearch['only'], count: number) => (
    <button
      type="button"
      className={styles.name}
      disabled={count === 0}
      onClick={() => change({ only, page: undefined })}
    >
      {exact(count)}
    </button>
  );
  return (
    <dl className={styles.tiles}>
      <Tile
        name={t('Rank')}
        about={t('of {kingdoms}', {
          kingdoms: counted(room.kingdoms, GAME_NAMES[meta.game].kingdom.one, GAME_NAMES[meta.game].kingdom.many),
        })}
      >
        {room.rank === null ? '?' : numbered(room.rank)}
      </Tile>
      <Tile
        name={t('DKP')}
        about={
          room.left_out > 0
            ? t('{left_out} unverified excluded', { left_out: exact(room.left_out) })
            : t('None unverified')
        }
      >
        <Short value={room.dkp} unknown={t('No score is known.')} />
      </Tile>
      <Tile name={t('Share of the camp')} about={words(room.camp)}>
        {percent(room.camp_share)}
      </Tile>
      <Tile name={t('Per million of power')} about={t('DKP, by power at the start')}>
        <Short value={room.efficiency} unknown={t('Score or power is unknown.')} />
      </Tile>
      <Tile name={t('Fighting')} about={t('of {common} in both scans', { common: exact(room.common) })}>
        {list('fighting', counts.fighting)}
      </Tile>
      <Tile
        name={t('Below goal')}
        about={
          counts.with_goal > 0
            ? t('of {with_goal} with a goal', { with_goal: exact(counts.with_goal) })
            : t('No goals are set')
        }
      >
        {list('below', counts.below_goal)}
      </Tile>
      <Tile name={t('Did not fight')} about={t('Gained nothing')}>
        {list('idle', counts.idle)}
      </Tile>
      <Tile
        name={t('Power')}
        about={counted(room.governors_now, GAME_NAMES[meta.game].governor.one, GAME_NAMES[meta.game].governor.many)}
      >
        <Short value={room.power_now} />
      </Tile>
    </dl>
  );
}

const Tile = ({ name, about, children }: { name: string; about: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
    <dd>
      <small>{about}</small>
    </dd>
  </div>
);
