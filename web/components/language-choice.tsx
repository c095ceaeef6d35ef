import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useRouter, useRouterState } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { locale } from '../../domain/language/current.ts';
import { LANGUAGES, LOCALES, type Locale, localPath } from '../../domain/language/locales.ts';
import { isPublicPath } from '../../domain/language/public-paths.ts';
import { t } from '../../domain/language/text.ts';
import { storeLanguage } from '../api/account.ts';
import { chooseLanguage } from '../language.ts';
import { isPlainClick } from '../ui/plain-click.ts';
import { Select } from '../ui/select.tsx';
import styles from './language-choice.module.css';

const STORING = 'language';

/**
 * Returns a function that changes the language, also in the account, and the error of the last attempt if it was made
 * at this place.
 */
function useLanguage(place: 'account' | 'footer') {
  const client = useQueryClient();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const storing = useMutation({
    mutationKey: [STORING, place],
    mutationFn: (language: Locale) => storeLanguage(client, language),
  });
  // Changing the language remounts this component, so the error is read from the mutation cache.
  const failures = useMutationState({
    filters: { mutationKey: [STORING] },
    select: ({ options, state }) => (options.mutationKey?.[1] === place ? state.error?.message : undefined),
  });
  const choose = (language: Locale) => {
    storing.mutate(language);
    return chooseLanguage(language, path);
  };
  return { failure: failures.at(-1), choose };
}

/** The account's choice of a language. */
export function LanguageField() {
  const { failure, choose } = useLanguage('account');
  return (
    <>
      <Select
        aria-label={t('Language of pages and mails')}
        value={locale()}
        onChange={({ target }) => void choose(target.value as Locale)}
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

/** Links to the page in each language. Before the page's script runs they load it; afterwards they redraw it. */
export function LanguageChoice() {
  const { history } = useRouter();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const search = useRouterState({ select: ({ location }) => location.searchStr });
  const addressIn = (language: Locale) => (isPublicPath(path) ? localPath(language, path) : path) + search;
  const { failure, choose } = useLanguage('footer');
  const press = async (event: MouseEvent, language: Locale) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    await choose(language);
    history.replace(addressIn(language) + window.location.hash);
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
          onClick={(event) => void press(event, language)}
        >
          {LANGUAGES[language].name}
        </a>
      ))}
      {failure && <p role="alert">{failure}</p>}
    </nav>
  );
}
