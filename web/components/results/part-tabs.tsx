import { Link } from '@tanstack/react-router';
import { capital } from '../../format.ts';
import tabs from '../../ui/tabs.module.css';
import styles from './part-tabs.module.css';
import type { ViewSearch } from './search.ts';

/** The rows of several results, or what they add up to; `rows` is what the game calls its people. */
export const PartTabs = ({ rows, sums }: { rows: string; sums: boolean }) => (
  <nav className={`${tabs.tabs} ${styles.parts}`} aria-label="Shown">
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
        {each ? 'Sums' : capital(rows)}
      </Link>
    ))}
  </nav>
);
