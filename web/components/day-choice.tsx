import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { GameId } from '../../domain/games/game-names.ts';
import { CHART_DAYS, type ChartDays } from '../../domain/kingdoms/chart-days.ts';
import { t } from '../../domain/language/text.ts';
import { PRODUCTS } from '../../domain/orders/catalogue.ts';
import { productsQuery } from '../api/products.ts';
import { date } from '../format.ts';
import tabs from '../ui/tabs.module.css';
import { T } from '../ui/text.tsx';
import styles from './day-choice.module.css';

interface DayChoiceProps {
  days: ChartDays;
  /** Number of days the user has access to. */
  open: number;
  /** The game and kingdom whose history gives access to the rest. */
  game: GameId;
  kingdom: number;
}

/**
 * Chooses how many days the charts cover. Ranges that are not bought link to the order form, or say that they are not
 * for sale.
 */
export const DayChoice = ({ days, open, game, kingdom }: DayChoiceProps) => (
  <nav className={tabs.tabs} aria-label={t('Days in the charts')}>
    {CHART_DAYS.map((each) =>
      Number(each) <= open ? (
        <Link
          key={each}
          to="."
          search={(before: Record<string, unknown>) => ({ ...before, days: each === '7' ? undefined : each })}
          replace
          resetScroll={false}
          className={tabs.tab}
          data-on={each === days || undefined}
          aria-current={each === days ? 'true' : undefined}
        >
          <T of="{each} days" each={each} />
        </Link>
      ) : (
        <Unbought key={each} days={each} game={game} kingdom={kingdom} />
      ),
    )}
  </nav>
);

function Unbought({ days, game, kingdom }: Pick<DayChoiceProps, 'days' | 'game' | 'kingdom'>) {
  const product = PRODUCTS.find(({ kind, game: of }) => kind === 'history' && of === game);
  const { data } = useQuery({ ...productsQuery, enabled: product !== undefined });
  const offer = data?.flatMap(({ items }) => items).find(({ id }) => id === product?.id);
  if (!product || offer?.ready === false)
    return (
      <span className={`${tabs.tab} ${styles.unbought}`}>
        {offer?.ready_from ? (
          <T
            of="{days} days <span>for sale from {day}</span>"
            days={days}
            day={date(offer.ready_from)}
            span={(text) => <span className={styles.more}>{text}</span>}
          />
        ) : (
          <T
            of="{days} days <span>not for sale yet</span>"
            days={days}
            span={(text) => <span className={styles.more}>{text}</span>}
          />
        )}
      </span>
    );
  return (
    <Link
      to="/orders/new"
      search={{ product: product.id, kingdoms: String(kingdom) }}
      className={`${tabs.tab} ${styles.unbought}`}
      title={t('{days} days open with the 90-day history', { days })}
    >
      <T
        of="{days} days <span>with history</span>"
        days={days}
        span={(text) => <span className={styles.more}>{text}</span>}
      />
    </Link>
  );
}
