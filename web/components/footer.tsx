import { Link } from '@tanstack/react-router';
import { t } from '../../domain/language/text.ts';
import { useSettings } from '../page-settings.ts';
import styles from './footer.module.css';
import { LanguageChoice } from './language-choice.tsx';
import { ThemeChoice } from './theme-choice.tsx';
import { Wording } from './wording.tsx';

/** Footer of every page: help, operator texts and theme. */
export function Footer() {
  const { chat, support } = useSettings();
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <p>{t('Muster counts. It never plays: no automation that touches the game.')}</p>
        <nav aria-label={t('Help')} className={styles.help}>
          <Link to="/faq">{t('FAQ')}</Link>
          <Link to="/eula">{t('Licence')}</Link>
          <Link to="/api-docs">{t('API')}</Link>
          <Link to="/recipes">{t('Recipes')}</Link>
          <Link to="/privacy">{t('Privacy')}</Link>
          <Link to="/removal">{t('Removal')}</Link>
          <Link to="/imprint">{t('Imprint')}</Link>
          <a href={chat}>{t('Community chat')}</a>
          <a href={`mailto:${support}`}>{support}</a>
          <Wording />
          <ThemeChoice />
        </nav>
        <LanguageChoice />
      </div>
    </footer>
  );
}
