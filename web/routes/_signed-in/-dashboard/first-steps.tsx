import { Link } from '@tanstack/react-router';
import { t } from '../../../../domain/language/text.ts';
import { buttonClass } from '../../../ui/button.tsx';
import styles from './day.module.css';

/** First steps for a new user: order a scan, import a file, or look around. */
export const FirstSteps = () => (
  <section className={styles.steps} aria-label={t('First steps')}>
    <div className={styles.step}>
      <h2>{t('Scan your kingdom')}</h2>
      <p>
        {t('Our bots read every governor, usually within 10 minutes. The kingdom then stays on this page for 30 days.')}
      </p>
      <Link to="/orders/new" className={buttonClass('primary')}>
        {t('Order a first scan')}
      </Link>
    </div>
    <div className={styles.step}>
      <h2>{t('Already have scans?')}</h2>
      <p>{t('Drop files of RokTracker, Hero Scrolls or your own spreadsheet and compare them. It costs nothing.')}</p>
      <Link to="/scans" className={buttonClass()}>
        {t('Import a file')}
      </Link>
    </div>
    <div className={styles.step}>
      <h2>{t('Look around')}</h2>
      <p>{t('Who leads the war, and which kingdoms are the strongest.')}</p>
      <p className={styles.ways}>
        <Link to="/maps">{t('Running events')}</Link> <Link to="/leaderboard">{t('Leaderboards')}</Link>
      </p>
    </div>
  </section>
);
