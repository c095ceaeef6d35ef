import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { waitingPairs } from '../../../../domain/compare/waiting-pairs.ts';
import { GAME_NAMES } from '../../../../domain/games/game-names.ts';
import { t, words } from '../../../../domain/language/text.ts';
import { reportsQuery } from '../../../api/compare-reports.ts';
import { libraryQuery } from '../../../api/scans.ts';
import { Panel } from '../../../components/panel.tsx';
import { capital } from '../../../format.ts';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import styles from './day.module.css';

const SHOWN = 4;

/**
 * The user's scans that have an earlier scan to compare with and are in no report yet. Renders nothing if there are
 * none.
 */
export function WaitingScans() {
  const library = useInfiniteQuery(libraryQuery({}));
  const reports = useQuery(reportsQuery);
  if (!library.data || !reports.data) return null;
  const pairs = waitingPairs(
    library.data.pages.flatMap(({ scans }) => scans),
    reports.data.reports,
  );
  if (pairs.length === 0) return null;
  return (
    <Panel title={t('Waiting to be compared')} about={<Link to="/scans">{t('My Scans')}</Link>}>
      <div className={styles.list}>
        {pairs.slice(0, SHOWN).map(({ game, kingdom_id, from, to }) => (
          <article key={to.scan_id} className={styles.line}>
            <h3>
              <Link to="/compare" search={{ from: from.scan_id, to: to.scan_id }}>
                {words(capital(GAME_NAMES[game].kingdom.one))} {kingdom_id}
              </Link>
            </h3>
            <p>
              <T of="{from} to {to}" from={<Time at={from.captured_at} />} to={<Time at={to.captured_at} />} />
            </p>
          </article>
        ))}
      </div>
    </Panel>
  );
}
