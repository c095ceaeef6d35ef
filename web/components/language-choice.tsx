import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter, useRouterState } from '@tanstack/react-router';
import { type MouseEvent, useEffect, useRef } from 'react';
import { locale } from '../../domain/language/current.ts';
import { LANGUAGES, LOCALES, type Locale } from '../../domain/language/locales.ts';
import { addressIn } from '../../domain/language/public-paths.ts';
import { t } from '../../domain/language/text.ts';
import { expectLanguage, storeLanguage } from '../api/account-language.ts';
import { chooseLanguage } from '../language.ts';
import { relink } from '../relink.ts';
import { isPlainClick } from '../ui/plain-click.ts';
import { Select } from '../ui/select.tsx';
import { useLocale } from '../ui/use-locale.ts';
import styles from './language-choice.module.css';

type Place = 'account' | 'footer';
/** The place of the last choice. Its error is shown there only, because the account page has both places. */
let last: Place | undefined;

/** Returns a function that changes the language, also in the account, and the error of the last choice. */
function useLanguage(place: Place) {
  const client = useQueryClient();
  const router = useRouter();
  const storing = useMutation({
    // One after the other, because the account keeps the one that arrives last.
    scope: { id: 'language' },
    onMutate: (language: Locale) => expectLanguage(client, language),
    mutationFn: (language: Locale) => storeLanguage(client, language),
  });
  const choose = (language: Locale) => {
    last = place;
    storing.mutate(language);
    void chooseLanguage(language, router.latestLocation.pathname);
  };
  return { failure: last === place ? storing.error?.message : undefined, choose };
}

/** The account's choice of a language. */
export function LanguageField() {
  const { failure, choose } = useLanguage('account');
  return (
    <>
      <Select
        aria-label={t('Language of pages and mails')}
        value={locale()}
        onChange={({ target }) => choose(target.value as Locale)}
      >
        {LOCALES.map((language) => (
          <option key={language} value={language} lang={language}>
            {LANGUAGES[language].name}
          </option>
        ))}
      </Select>
      {failure && <p role="alert">{failure}</p>}
    </>
  );
}

/** Gives the page's address and its links the language's prefix after each change of it. */
function useRelink(): void {
  const router = useRouter();
  const language = useLocale();
  const linked = useRef(language);
  useEffect(() => {
    if (linked.current !== language) void relink(router);
    linked.current = language;
  }, [router, language]);
}

/** Links to the page in each language. Before the page's script runs they load it; afterwards they redraw it. */
export function LanguageChoice() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const search = useRouterState({ select: ({ location }) => location.searchStr });
  const { failure, choose } = useLanguage('footer');
  useRelink();
  const press = (event: MouseEvent, language: Locale) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    choose(language);
  };
  return (
    <nav className={styles.languages} aria-label={t('Language')}>
      {LOCALES.map((language) => (
        <a
          key={language}
          href={addressIn(language, path) + search}
          lang={language}
          hrefLang={language}
          aria-current={language === locale() ? 'true' : undefined}
          onClick={(event) => press(event, language)}
        >
          {LANGUAGES[language].name}
        </a>
      ))}
      {failure && <p role="alert">{failure}</p>}
    </nav>
  );
}
