import type { MouseEvent } from 'react';
import { locale } from '../../domain/language/current.ts';
import { LANGUAGES, SOURCE_LOCALE } from '../../domain/language/locales.ts';
import { t } from '../../domain/language/text.ts';
import { useSettings } from '../page-settings.ts';

const LONGEST = 500;

/**
 * Links to a mail about a translation: the page, its language and the text that the reader selected. Not shown in
 * English. The mail is composed on click, when the selection is known.
 */
export function Wording() {
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
