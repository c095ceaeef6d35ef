import { Link } from '@tanstack/react-router';
import { useSettings } from '../page-settings.ts';
import styles from './footer.module.css';
import { ThemeChoice } from './theme-choice.tsx';

/** Footer of every page: help, operator texts and theme. */
export function Footer() {
  const { chat, support } = useSettings();
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <p>Muster counts. It never plays: no automation that touches the game.</p>
        <nav aria-label="Help" className={styles.help}>
          <Link to="/faq">FAQ</Link>
          <Link to="/eula">Licence</Link>
          <Link to="/api-docs">API</Link>
          <Link to="/privacy">Privacy</Link>
          <Link to="/removal">Removal</Link>
          <Link to="/imprint">Imprint</Link>
          <a href={chat}>Community chat</a>
          <a href={`mailto:${support}`}>{support}</a>
          <ThemeChoice />
        </nav>
      </div>
    </footer>
  );
}
