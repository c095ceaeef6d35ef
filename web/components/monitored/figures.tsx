import { Link } from '@tanstack/react-router';
import { signOf } from '../../../domain/language/formats.ts';
import { t } from '../../../domain/language/text.ts';
import type { Monitored } from '../../api/monitored.ts';
import { Sparkline } from '../../chart/sparkline.tsx';
import { compact, exact } from '../../format.ts';
import { Figure } from '../../ui/figure.tsx';
import { gameSearch } from '../game-search.ts';
import styles from './figures.module.css';
import { nameOf } from './monitored.ts';

/** A kingdom's name, linked to its page if the kingdom was scanned. */
export function KingdomLink({ kingdom }: { kingdom: Monitored }) {
  if (kingdom.last_scan === null) return <strong>{nameOf(kingdom)}</strong>;
  return (
    <Link
      to="/kingdoms/$kingdomId"
      params={{ kingdomId: String(kingdom.kingdom_id) }}
      search={gameSearch(kingdom.game)}
      className={styles.name}
    >
      {nameOf(kingdom)}
    </Link>
  );
}

/** A current sum and its change among governors in both scans; '?' if it was not read. `over` names the period. */
export function Changed({
  now,
  by,
  kingdom,
  over = t('in a week'),
}: {
  now: number | null;
  by: number | null;
  kingdom: Pick<Monitored, 'before' | 'compared'>;
  over?: string;
}) {
  if (now === null)
    return (
      <span className={styles.unknown} title={t('Not read in its last complete scan.')}>
        ?
      </span>
    );
  const incomparable = kingdom.before !== null && kingdom.compared === null;
  return (
    <span className={styles.changed}>
      <Figure value={now} />
      {by !== null && <Change by={by} ranks={kingdom.compared ?? 0} over={over} />}
      {incomparable && (
        <span className={styles.unknown} title={t('Nobody is in both scans.')}>
          {t('not comparable')}
        </span>
      )}
    </span>
  );
}

function Change({ by, ranks, over }: { by: number; ranks: number; over: string }) {
  const way = signOf(by);
  return (
    <span
      className={styles.change}
      data-way={Math.sign(by)}
      title={t('{sign}{exact} {over}, of the {ranks} who are in both scans', {
        sign: way,
        exact: exact(Math.abs(by)),
        over,
        ranks: exact(ranks),
      })}
    >
      {way}
      {compact(Math.abs(by))}
    </span>
  );
}

/** Number of governors who joined or left; a dash until there are two scans a week apart. */
export const Moved = ({ count }: { count: number | null }) =>
  count === null ? <span className={styles.unknown}>–</span> : exact(count);

/** Total power on the scanned days of the last 30. */
export const PowerLine = ({ kingdom }: { kingdom: Monitored }) => (
  <Sparkline
    label={t('Power of {kingdom} over the last 30 days', { kingdom: nameOf(kingdom) })}
    values={kingdom.line.map(({ power }) => power)}
    at={kingdom.line.map(({ day }) => Date.parse(day))}
  />
);
