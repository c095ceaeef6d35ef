import { GAME_NAMES } from '../../../domain/games/game-names.ts';
import { t, words } from '../../../domain/language/text.ts';
import type { EventMeta } from '../../api/events.ts';
import { capital, dateTime } from '../../format.ts';
import { Notice } from '../../ui/notice.tsx';
import { T } from '../../ui/text.tsx';
import { useOwnMoment } from '../../ui/time.tsx';
import '../camps.css';
import styles from './before-the-first-scan.module.css';

/** What is known about an event before its first scan: start, camps and key dates. */
export function BeforeTheFirstScan({
  meta,
}: {
  meta: Pick<EventMeta, 'game' | 'state' | 'start' | 'dates' | 'camps' | 'camps_to_kingdoms'>;
}) {
  const { kingdom } = GAME_NAMES[meta.game];
  const ownMoment = useOwnMoment();
  const dates = Object.entries(meta.dates).toSorted(([, one], [, other]) => one - other);
  return (
    <>
      <Notice>
        {meta.state === 'upcoming' ? (
          <T
            of="This event begins {span}. The first scan comes with it."
            span={<span title={dateTime(meta.start)}>{ownMoment(meta.start)}</span>}
          />
        ) : (
          t('No scan is in yet. The first one brings the strength of each camp, the second one the gains.')
        )}
      </Notice>
      <ul className={styles.camps} aria-label={t('Camps')}>
        {meta.camps.map((camp) => (
          <li key={camp} className={styles.camp} data-camp={camp}>
            <h2>{words(camp)}</h2>
            <p>{words(capital(kingdom.many))}</p>
            <p className={styles.kingdoms}>{(meta.camps_to_kingdoms[camp] ?? []).join(' · ')}</p>
          </li>
        ))}
      </ul>
      {dates.length > 0 && (
        <dl className={styles.dates}>
          {dates.map(([label, ts]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd title={dateTime(ts)}>{ownMoment(ts)}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
