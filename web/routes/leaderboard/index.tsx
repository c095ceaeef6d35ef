import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { BOARD_KINDS, DELAY_DAYS, DELAYED, GATHERED } from '../../../domain/boards/leaderboard.ts';
import { GAME_IDS, GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { labelled, t, words } from '../../../domain/language/text.ts';
import { eventListQuery } from '../../api/events.ts';
import { statsQuery } from '../../api/stats.ts';
import { LazyEventList } from '../../components/events/lazy-event-list.tsx';
import { Failure } from '../../components/failure.tsx';
import { Page } from '../../components/page.tsx';
import { capital, date, exact } from '../../format.ts';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { useOwnTime } from '../../ui/time.tsx';
import styles from './index.module.css';

export const Route = createFileRoute('/leaderboard/')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(statsQuery);
    void context.client.prefetchQuery(eventListQuery);
  },
  component: Leaderboards,
});

function Leaderboards() {
  const stats = useQuery(statsQuery);
  return (
    <Page
      title={t('Leaderboards')}
      about={
        <p>{t('Daily rankings of both games, from the scans that users order, and the events that we follow.')}</p>
      }
    >
      {stats.error && <Failure error={stats.error} retry={() => void stats.refetch()} busy={stats.isFetching} />}
      {stats.isPending && <Loading what={t('the totals')} />}
      {GAME_IDS.map((game) => (
        <section key={game} className={styles.game} aria-labelledby={`game-${game}`}>
          <h2 id={`game-${game}`}>{GAME_NAMES[game].name}</h2>
          <ul className={styles.tiles}>
            {BOARD_KINDS.toReversed().map((kind) => (
              <li key={kind}>
                <Tile game={game} kind={kind} stats={stats.data?.[game]} failed={stats.isError} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      <section className={styles.game} aria-labelledby="events-title">
        <h2 id="events-title">{t('Events')}</h2>
        <LazyEventList />
      </section>
    </Page>
  );
}

interface GameStats {
  kingdoms: number;
  governors: number;
  alliances: number;
  captured_at: number | null;
  delayed_day: string | null;
}

const COUNTED = { kingdom: 'kingdoms', alliance: 'alliances', governor: 'governors' } as const;

function Tile({
  game,
  kind,
  stats,
  failed,
}: {
  game: GameId;
  kind: (typeof BOARD_KINDS)[number];
  stats: GameStats | undefined;
  failed: boolean;
}) {
  const { many } = GAME_NAMES[game][kind];
  const own = useOwnTime();
  return (
    <Link to={`/leaderboard/${kind}`} search={game === 'rok' ? {} : { game }} className={styles.tile}>
      <span className={styles.total}>
        {stats ? exact(stats[COUNTED[kind]]) : failed ? '–' : <Skeleton width="4ch" />}
      </span>
      <span className={styles.what}>{words(capital(many))}</span>
      <span className={styles.note}>{stats ? noteOf(kind, stats, own) : ' '}</span>
    </Link>
  );
}

/** The specification's notices. */
function noteOf(
  kind: (typeof BOARD_KINDS)[number],
  { captured_at, delayed_day }: GameStats,
  own: (at: number) => string,
): string {
  if (kind === 'kingdom') return captured_at ? t(GATHERED, { time: own(captured_at) }) : t('Nothing gathered yet');
  return delayed_day ? labelled(t(DELAYED, { days: DELAY_DAYS }), date(delayed_day)) : t(DELAYED, { days: DELAY_DAYS });
}
