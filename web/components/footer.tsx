import { Link } from '@tanstack/react-router';
import { type MouseEvent, useState } from 'react';
import { locale } from '../../domain/language/current.ts';
import { LANGUAGES, SOURCE_LOCALE } from '../../domain/language/locales.ts';
import { t } from '../../domain/language/text.ts';
import { useSettings } from '../page-settings.ts';
import { chooseTheme, chosenTheme, THEMES } from '../theme.ts';
import { Select } from '../ui/select.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';
import styles from './footer.module.css';
import { LanguageChoice } from './language-choice.tsx';

/** Switches between system, light and dark theme. */
function ThemeChoice() {
  const hydrated = useHydrated();
  const [theme, setTheme] = useState(chosenTheme);
  return (
    <label className={styles.theme}>
      {t('Theme')}
      <Select
        value={hydrated ? theme : 'system'}
        onChange={({ target }) => {
          const chosen = THEMES.find((each) => each === target.value) ?? 'system';
          chooseTheme(chosen);
          setTheme(chosen);
        }}
      >
        <option value="system">{t('System')}</option>
        <option value="light">{t('Light')}</option>
        <option value="dark">{t('Dark')}</option>
      </Select>
    </label>
  );
}

const LONGEST = 500;

/**
 * Links to a mail about a translation: the page, its language and the text that the reader selected. Not shown in
 * English. The mail is composed on click, when the selection is known.
 */
function Wording() {
  const { support } = useSettings();
  if (locale() === SOURCE_LOCALE) return null;
  const write = ({ currentTarget: link }: MouseEvent<HTMLAnchorElement>) => {
    const body = [
      t('Page: {address}', { address: location.origin + location.pathname }),
      t('Language: {language}', { language: `${LANGUAGES[locale()].name} (${locale()})` }),
      t('Text: {text}', { text: String(getSelection() ?? '').slice(0, LONGEST) }),
      t('Better: {text}', { text: '' }),
    ];
    const subject = t('A better wording');
    link.href = `mailto:${support}?${mailQuery({ subject, body: body.join('\r\n') })}`;
  };
  return (
    <a href={`mailto:${support}`} onClick={write}>
      {t('Suggest a better wording')}
    </a>
  );
}

/** Programs for mail take a plus sign as it is, so URLSearchParams does not write their addresses. */
const mailQuery = (parts: Readonly<Record<string, string>>): string =>
  Object.entries(parts)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

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
