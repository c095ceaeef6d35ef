import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../../ui/button.tsx';
import styles from './day.module.css';

/** What a newcomer can do first: a scan of his kingdom, a file that he has, or a look at what others have. */
export const FirstSteps = () => (
  <section className={styles.steps} aria-label="First steps">
    <article className={styles.step}>
      <h2>Scan your kingdom</h2>
      <p>Our bots read it to the unit, most within 10 minutes. It stays here for 30 days afterwards, day by day.</p>
      <Link to="/orders/new" className={buttonClass('primary')}>
        Order a first scan
      </Link>
    </article>
    <article className={styles.step}>
      <h2>You have scans already?</h2>
      <p>Drop files of RokTracker, Hero Scrolls or your own spreadsheet and compare them. It costs nothing.</p>
      <Link to="/scans" className={buttonClass()}>
        Bring a file
      </Link>
    </article>
    <article className={styles.step}>
      <h2>Look around</h2>
      <p>Who leads the war, and which kingdoms are the strongest.</p>
      <p className={styles.ways}>
        <Link to="/maps">Running events</Link> <Link to="/leaderboard">Leaderboards</Link>
      </p>
    </article>
  </section>
);
