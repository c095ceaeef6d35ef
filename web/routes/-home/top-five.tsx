import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { KingdomRow } from '../../../domain/boards/rows.ts';
import { GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { t, words } from '../../../domain/language/text.ts';
import { boardTopQuery } from '../../api/board-top.ts';
import { Failure } from '../../components/failure.tsx';
import { large } from '../../components/kingdom-figures.ts';
import { capital } from '../../format.ts';
import { Short } from '../../ui/short.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { T } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './top-five.module.css';

const TOP = 5;

/** Boards on the home page: kingdoms, because only their board has no publication delay. */
export const topQuery = (game: GameId) => boardTopQuery({ kind: 'kingdom', game, metric: 'power' });

/** The first five of a game's latest board, with bars relative to the first. */
export function TopFive({ game }: { game: GameId }) {
  const board = useQuery(topQuery(game));
  const { name, kingdom } = GAME_NAMES[game];
  const rows = board.data?.rankings.slice(0, TOP) as KingdomRow[] | undefined;
  const most = rows?.[0]?.total_power ?? 0;
  const title = `top-${game}`;
  return (
    <section className={styles.card} aria-labelledby={title}>
      <header className={styles.head}>
        <h2 id={title}>{name}</h2>
        <Link to="/leaderboard/kingdom" search={game === 'rok' ? {} : { game }}>
          <T of="All {many}" many={words(kingdom.many)} />
        </Link>
      </header>
      {board.isError ? (
        <Failure error={board.error} retry={() => void board.refetch()} busy={board.isFetching} />
      ) : (
        <ol className={styles.rows}>
          {rows
            ? rows.map((row) => (
                <li key={row.kingdom_id} className={styles.row}>
                  <span className={styles.rank}>{row.rank}</span>
                  <Link
                    to="/leaderboard/kingdom"
                    search={{ ...(game !== 'rok' && { game }), row: String(row.kingdom_id) }}
                    className={styles.name}
                  >
                    {words(capital(kingdom.one))} {row.kingdom_id}
                  </Link>
                  <Short value={row.total_power} show={large} className={styles.power} />
                  <svg className={styles.bar} width={`${((row.total_power ?? 0) / most) * 100}%`} aria-hidden />
                </li>
              ))
            : Array.from({ length: TOP }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: places without rows never move.
                <li key={index} className={styles.row} aria-hidden>
                  <Skeleton width={`${90 - 9 * index}%`} />
                </li>
              ))}
        </ol>
      )}
      <p className={styles.moment}>
        <Gathered rows={rows} captured_at={board.data?.info.captured_at} />
      </p>
    </section>
  );
}

/** When the board was gathered, or why there is none yet. */
function Gathered({
  rows,
  captured_at,
}: {
  rows: readonly KingdomRow[] | undefined;
  captured_at: number | null | undefined;
}) {
  if (rows?.length === 0) return t('Nothing is published yet: the first board comes the night after the first scan.');
  if (!captured_at) return ' ';
  return <T of="Total power as of {time}" time={<Time at={captured_at} />} />;
}
