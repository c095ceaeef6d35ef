import { GAMES } from '../../../../domain/games/games.ts';
import { t, words } from '../../../../domain/language/text.ts';
import type { Monitored } from '../../../api/monitored.ts';
import { CompareScans } from '../../../components/kingdom-ways.tsx';
import { Changed, KingdomLink, Moved, PowerLine } from '../../../components/monitored/figures.tsx';
import { nameOf } from '../../../components/monitored/monitored.ts';
import { counted } from '../../../format.ts';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import styles from './kingdom-card.module.css';

/** A monitored kingdom's last scan, compared to a week before. */
export const KingdomCard = ({ kingdom }: { kingdom: Monitored }) => (
  <article className={styles.card} aria-label={nameOf(kingdom)}>
    <header className={styles.head}>
      <h3>
        <KingdomLink kingdom={kingdom} />
      </h3>
      <p className={styles.when}>
        {kingdom.last_scan === null ? (
          t('Not scanned yet')
        ) : (
          <T of="Last scan {time}" time={<Time at={kingdom.last_scan} />} />
        )}
        {kingdom.scanned_at !== null && kingdom.scanned_at !== kingdom.last_scan && (
          <span>
            <T
              of="Figures of {counted} scanned {time}"
              counted={counted(
                kingdom.player_count ?? 0,
                GAMES[kingdom.game].governor.one,
                GAMES[kingdom.game].governor.many,
              )}
              time={<Time at={kingdom.scanned_at} />}
            />
          </span>
        )}
        {kingdom.next_run !== null && (
          <span>
            <T of="Next run {time}" time={<Time at={kingdom.next_run} />} />
          </span>
        )}
      </p>
      <PowerLine kingdom={kingdom} />
    </header>
    {kingdom.last_scan !== null && (
      <dl className={styles.figures}>
        <div>
          <dt>{t('Power')}</dt>
          <dd>
            <Changed now={kingdom.power} by={kingdom.power_change} kingdom={kingdom} />
          </dd>
        </div>
        <div>
          <dt>{words(GAMES[kingdom.game].score)}</dt>
          <dd>
            <Changed now={kingdom.score} by={kingdom.score_change} kingdom={kingdom} />
          </dd>
        </div>
        <div>
          <dt>{t('Joined')}</dt>
          <dd>
            <Moved count={kingdom.joined} />
          </dd>
        </div>
        <div>
          <dt>{t('Left')}</dt>
          <dd>
            <Moved count={kingdom.left} />
          </dd>
        </div>
      </dl>
    )}
    {kingdom.last_scan !== null && (
      <p>
        <CompareScans game={kingdom.game} kingdom={kingdom.kingdom_id} />
      </p>
    )}
  </article>
);
