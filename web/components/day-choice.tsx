import { Link } from '@tanstack/react-router';
import { CHART_DAYS, type ChartDays } from '../../domain/kingdoms/chart-days.ts';
import tabs from '../ui/tabs.module.css';
import styles from './day-choice.module.css';

/** How far back the charts go. What is not bought leads to where it is. */
export const DayChoice = ({ days, open }: { days: ChartDays; open: number }) => (
  <nav className={tabs.tabs} aria-label="Days in the charts">
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
          {each} days
        </Link>
      ) : (
        <Link key={each} to="/orders/new" className={tabs.tab} title={`${each} days open with the 90-day history`}>
          {each} days <span className={styles.more}>with history</span>
        </Link>
      ),
    )}
  </nav>
);
