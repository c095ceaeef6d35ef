import { useRouter, useRouterState } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { locale } from '../../domain/language/current.ts';
import { LANGUAGES, LOCALES, type Locale, localPath } from '../../domain/language/locales.ts';
import { isPublicPath } from '../../domain/language/public-paths.ts';
import { t } from '../../domain/language/text.ts';
import { chooseLanguage } from '../language.ts';
import { isPlainClick } from '../ui/plain-click.ts';
import styles from './language-choice.module.css';

/** Links to the page in each language. Before the page's script runs they load it; afterwards they redraw it. */
export function LanguageChoice() {
  const { history } = useRouter();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const search = useRouterState({ select: ({ location }) => location.searchStr });
  const addressIn = (language: Locale) => (isPublicPath(path) ? localPath(language, path) : path) + search;
  const choose = async (event: MouseEvent, language: Locale) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    await chooseLanguage(language, path);
    history.replace(addressIn(language));
  };
  return (
    <nav className={styles.languages} aria-label={t('Language')}>
      {LOCALES.map((language) => (
        <a
          key={language}
          href={addressIn(language)}
          lang={language}
          hrefLang={language}
          aria-current={language === locale() ? 'true' : undefined}
          onClick={(event) => void choose(event, language)}
        >
          {LANGUAGES[language].name}
        </a>
      ))}
    </nav>
  );
}
