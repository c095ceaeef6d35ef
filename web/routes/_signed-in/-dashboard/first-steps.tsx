import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../../ui/button.tsx';
import styles from './day.module.css';

/** First steps for a new user: order a scan, import a file, or look around. */
export const FirstSteps = () => (
  <section className={styles.steps} aria-label="First steps">
    <div className={styles.step}>
      <h2>Scan your kingdom</h2>
      <p>Our bots read every governor, usually within 10 minutes. The kingdom then stays on this page for 30 days.</p>
      <Link to="/orders/new" className={buttonClass('primary')}>
        Order a first scan
      </Link>
    </div>
    <div className={styles.step}>
      <h2>Already have scans?</h2>
      <p>Drop files of RokTracker, Hero Scrolls or your own spreadsheet and compare them. It costs nothing.</p>
      <Link to="/scans" className={buttonClass()}>
        Import a file
      </Link>
    </div>
    <div className={styles.step}>
      <h2>Look around</h2>
      <p>Who leads the war, and which kingdoms are the strongest.</p>
      <p className={styles.ways}>
        <Link to="/maps">Running events</Link> <Link to="/leaderboard">Leaderboards</Link>
      </p>
    </div>
  </section>
);
