import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Radio } from 'lucide';
import { lazy, type ReactNode, Suspense, useDeferredValue } from 'react';
import { lateWords } from '../../../domain/events/late.ts';
import { GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { listed, message, t, words } from '../../../domain/language/text.ts';
import { messageOf } from '../../api/client.ts';
import { dashboardPath, type EventBoard, type EventMeta, eventPageQuery } from '../../api/events.ts';
import { counted, dateTime } from '../../format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Logo } from '../../ui/logo.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useSearchChange } from '../../ui/search-input.tsx';
import { Loading, Skeleton, Skeletons } from '../../ui/skeleton.tsx';
import tabs from '../../ui/tabs.module.css';
import { T } from '../../ui/text.tsx';
import { Time, useOwnMoment, useOwnTime } from '../../ui/time.tsx';
import { figureTitles } from '../difference/figure-titles.ts';
import { useLinkTarget } from '../embedded.ts';
import styles from './event-page.module.css';
import type { ChangeSearch, EventSearch } from './event-search.ts';
import { ago, everyText, nextFight, STATE_TITLE } from './event-words.ts';
import { Individual } from './individual.tsx';
import { LazyFollowButton } from './lazy-follow-button.tsx';
import { MyKingdom } from './my-kingdom-line.tsx';
import { NoEvent } from './no-event.tsx';
import { RangeChoice } from './range-choice.tsx';
import { Scoreboard } from './scoreboard.tsx';
import { ShareButton } from './share-button.tsx';
import { untilNext, useNow, useRefresh } from './use-refresh.ts';

const BeforeTheFirstScan = lazy(async () => ({
  default: (await import('./before-the-first-scan.tsx')).BeforeTheFirstScan,
}));
const Summarized = lazy(async () => ({ default: (await import('./summarized.tsx')).Summarized }));
const EventChanges = lazy(async () => ({ default: (await import('./event-changes.tsx')).EventChanges }));
const Download = lazy(async () => ({ default: (await import('./download.tsx')).Download }));

/** Live page of an event: the scoreboard and the three views of the specification. */
export function EventPage({ id, game, search }: { id: string; game: GameId; search: EventSearch }) {
  const page = useQuery(eventPageQuery(id, search));
  useRefresh(id, page.data?.meta);
  const change = useSearchChange<EventSearch>();
  const { data, error } = page;
  // Renders in two steps, like `Loaded`.
  const waits = useDeferredValue(page.isPending);
  if (error && !data)
    return (
      <NoEvent error={error} retry={() => void page.refetch()} busy={page.isFetching} search={search} change={change} />
    );
  if (!data || waits) return <Waiting />;
  if (data.meta.game !== game) return <OtherGame meta={data.meta} />;
  const { meta, board } = data;
  return (
    <div className={styles.page} data-embed={search.embed}>
      <title>{t('{name} · Muster', { name: meta.name })}</title>
      <EventHead meta={meta} board={board} loadedAt={page.dataUpdatedAt} embed={search.embed === true} />
      {error && (
        <Notice tone="danger">
          <T
            of="{error} The page shows data from {time}."
            error={messageOf(error)}
            time={<Time at={meta.snapshots.at(-1)?.ts ?? meta.start} />}
          />
        </Notice>
      )}
      {board ? (
        <Board id={id} meta={meta} board={board} search={search} change={change} stale={page.isPlaceholderData} />
      ) : (
        <Suspense fallback={<Skeletons what={t('the event')} heights={['11rem']} />}>
          <BeforeTheFirstScan meta={meta} />
        </Suspense>
      )}
    </div>
  );
}

function Board({
  id,
  meta,
  board,
  search,
  change,
  stale,
}: {
  id: string;
  meta: EventMeta;
  board: EventBoard;
  search: EventSearch;
  change: ChangeSearch;
  stale: boolean;
}) {
  const { start, end } = board.range;
  const shared = { id, meta, board, search, change };
  return (
    <div className={styles.board} data-stale={stale || undefined} aria-busy={stale}>
      <RangeChoice
        meta={meta}
        start={start}
        end={end}
        change={(range) => change({ ...range, since: undefined, page: undefined })}
      />
      <Missing meta={meta} board={board} />
      <MyKingdom meta={meta} board={board} />
      <Scoreboard meta={meta} board={board} />
      <Tabs tab={search.tab ?? 1} />
      <Suspense fallback={<Skeletons what={t('the view')} heights={['24rem']} />}>
        {search.tab === 2 ? (
          <Summarized {...shared} />
        ) : search.tab === 3 ? (
          <Download meta={meta} range={board.range} />
        ) : search.tab === 4 ? (
          <EventChanges {...shared} />
        ) : (
          <Individual {...shared} />
        )}
      </Suspense>
    </div>
  );
}

const TABS = [
  [1, message('Individual')],
  [2, message('Summarized')],
  // For translators: a tab, a column and a section with files to download, so a noun.
  [3, message('Download')],
  [4, message('Changes')],
] as const;

const Tabs = ({ tab }: { tab: 1 | 2 | 3 | 4 }) => (
  <nav className={`${tabs.tabs} ${styles.tabs}`} aria-label={t('View')}>
    {TABS.map(([number, title]) => (
      <Link
        key={number}
        to="."
        search={(now: EventSearch) => ({
          ...now,
          tab: number === 1 ? undefined : number,
          page: undefined,
          open: undefined,
        })}
        replace
        resetScroll={false}
        className={tabs.tab}
        data-on={number === tab || undefined}
        aria-current={number === tab ? 'page' : undefined}
      >
        {words(title)}
      </Link>
    ))}
  </nav>
);

function EventHead({
  meta,
  board,
  loadedAt,
  embed,
}: {
  meta: EventMeta;
  board: EventBoard | null;
  loadedAt: number;
  embed: boolean;
}) {
  const now = useNow(loadedAt);
  const ownMoment = useOwnMoment();
  const latest = meta.snapshots.at(-1);
  const fight = meta.state === 'running' ? nextFight(meta, now) : null;
  return (
    <header className={styles.head}>
      {!embed && (
        <Link to="/maps" className={styles.home} aria-label={t('All events')}>
          <Logo />
        </Link>
      )}
      <div className={styles.names}>
        <h1>{meta.name}</h1>
        <p className={styles.about}>
          <span className={styles.state} data-state={meta.state}>
            {meta.state === 'running' && <Icon of={Radio} size={14} />}
            {words(STATE_TITLE[meta.state])}
          </span>
          <span>{GAME_NAMES[meta.game].name}</span>
          <span>
            <T of="KvK {kvk_id}" kvk_id={meta.kvk_id} />
          </span>
          {meta.season && (
            <span>
              <T of="Season {season}" season={meta.season} />
            </span>
          )}
          <span>
            {counted(meta.kingdoms.length, GAME_NAMES[meta.game].kingdom.one, GAME_NAMES[meta.game].kingdom.many)}
          </span>
        </p>
      </div>
      <dl className={styles.clock}>
        {latest && (
          <Clock
            name={latest.state === 'corrected' ? t('Corrected scan') : t('Newest scan')}
            title={dateTime(latest.ts)}
          >
            {ago(latest.ts, now)}
          </Clock>
        )}
        {meta.next_refresh !== null && (
          <Clock name={t('Next refresh')} title={dateTime(meta.next_refresh)}>
            {untilNext(meta.next_refresh, now)} <small>{everyText(meta.refresh_rate)}</small>
          </Clock>
        )}
        {fight && (
          <Clock name={fight.label} title={dateTime(fight.ts)}>
            {ownMoment(fight.ts)}
          </Clock>
        )}
      </dl>
      {!embed && (
        <div className={styles.ways}>
          <LazyFollowButton id={meta.dashboard_id} kingdom={null} />
          {board && <ShareButton meta={meta} what={{ kind: 'event', board }} />}
        </div>
      )}
      {(meta.late || meta.failed) && (
        <p className={styles.failed} role="status">
          {meta.late ? (
            <T
              of="Late: a new scan was expected by {time}. {msg}"
              time={<Time at={meta.late.since} />}
              msg={lateWords(meta.late.msg)}
            />
          ) : (
            t('The last refresh brought no new data: {msg}', { msg: lateWords(meta.failed?.msg ?? '') })
          )}{' '}
          {latest && <T of="The figures are from {time}." time={<Time at={latest.ts} />} />}
        </p>
      )}
      {meta.publication_delay > 0 && (
        <p className={styles.note}>
          <T
            of="Shown with a delay of {publication_delay}, so that no side can follow the other live."
            publication_delay={counted(meta.publication_delay, 'hour')}
          />
        </p>
      )}
      {meta.sponsored_text && <p className={styles.sponsor}>{meta.sponsored_text}</p>}
    </header>
  );
}

const Clock = ({ name, title, children }: { name: string; title: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd title={title}>{children}</dd>
  </div>
);

/** Names kingdoms that were not scanned for one of the two snapshots, with the earlier scan used instead. */
function Missing({ meta, board }: { meta: EventMeta; board: EventBoard }) {
  const ownTime = useOwnTime();
  const restarted = Object.keys(board.seasons);
  const { game } = meta;
  // A kingdom may be missing in both snapshots.
  const missing = new Set(
    board.missing.map(({ kingdom, captured_at }) =>
      captured_at === null
        ? t(
            '{game, select, cod {Server {kingdom} was not scanned, so it is not included.} other {Kingdom {kingdom} was not scanned, so it is not included.}}',
            { game, kingdom: String(kingdom) },
          )
        : t(
            '{game, select, cod {Server {kingdom} was not scanned; its scan of {time} is used instead.} other {Kingdom {kingdom} was not scanned; its scan of {time} is used instead.}}',
            { game, kingdom: String(kingdom), time: ownTime(captured_at) },
          ),
    ),
  );
  const ends = meta.snapshots.filter(({ ts }) => ts === board.range.start || ts === board.range.end);
  const byFile = [...new Set(ends.flatMap(({ by_file_time }) => by_file_time))];
  return (
    <>
      {missing.size > 0 && <Notice>{[...missing].join(' ')}</Notice>}
      {byFile.length > 0 && (
        <Notice>
          <T
            of="Scans of {byFile} do not say when they were made. The time of the file stands for it."
            byFile={listed(byFile)}
          />
        </Notice>
      )}
      {restarted.length > 0 && (
        <Notice>
          <T
            of="A new season began between the two scans. {restarted} restarted from zero, so the current value is the gain."
            restarted={listed(restarted.map((key) => figureTitles(game)[key] ?? key))}
          />
        </Notice>
      )}
    </>
  );
}

/** Shown if the event belongs to the other game: links to the right page. */
function OtherGame({ meta }: { meta: EventMeta }) {
  const target = useLinkTarget();
  return (
    <div className={styles.page}>
      <title>{t('{name} · Muster', { name: meta.name })}</title>
      <h1>{meta.name}</h1>
      <p>
        <T
          of="This is an event of {name}. <link>Open its dashboard</link>"
          name={GAME_NAMES[meta.game].name}
          link={(text) => (
            <Link {...dashboardPath(meta)} {...target}>
              {text}
            </Link>
          )}
        />
      </p>
    </div>
  );
}

const Waiting = () => (
  <div className={styles.page}>
    <title>{t('Event · Muster')}</title>
    <Loading what={t('the event')} />
    <Skeleton width="18rem" height="2.25rem" />
    <Skeleton height="1.75rem" />
    <Skeleton height="11rem" />
    <Skeleton height="40rem" />
  </div>
);
