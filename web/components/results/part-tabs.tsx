import { Link } from '@tanstack/react-router';
import { t, words } from '../../../domain/language/text.ts';
import { capital } from '../../format.ts';
import tabs from '../../ui/tabs.module.css';
import styles from './part-tabs.module.css';
import type { ViewSearch } from './search.ts';

/** Switches between the rows of several results and their totals. `rows` is the game's plural for players. */
export const PartTabs = ({ rows, sums }: { rows: string; sums: boolean }) => (
  <nav className={`${tabs.tabs} ${styles.parts}`} aria-label={t('Shown')}>
    {([undefined, true] as const).map((each) => (
      <Link
        key={String(each)}
        to="."
        search={(before: ViewSearch) => ({ ...before, sums: each })}
        resetScroll={false}
        className={tabs.tab}
        data-on={(each ?? false) === sums || undefined}
        aria-current={(each ?? false) === sums ? 'page' : undefined}
      >
        {each ? t('Sums') : words(capital(rows))}
      </Link>
    ))}
  </nav>
);
