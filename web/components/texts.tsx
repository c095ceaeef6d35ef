import { useQuery } from '@tanstack/react-query';
import { LANGUAGES, SOURCE_LOCALE } from '../../domain/language/locales.ts';
import { t } from '../../domain/language/text.ts';
import type { TextName } from '../../domain/service/page-settings.ts';
import { textQuery } from '../api/texts.ts';
import { Loaded } from './loaded.tsx';
import { Page } from './page.tsx';
import styles from './texts.module.css';

/** Long text with one paragraph per line; numbered lines become headings. */
const Paragraphs = ({ text }: { text: string }) =>
  Array.from(text.trim().split('\n').filter(Boolean).entries(), ([at, line]) =>
    /^\d+\. /.test(line) ? <h2 key={at}>{line}</h2> : <p key={at}>{line}</p>,
  );

/** The text of a licence, which is English in every language. */
export const LicenceText = ({ text }: { text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
  <section className={styles.licence} aria-label={t('Licence text')} tabIndex={0}>
    <div className="contents" lang={SOURCE_LOCALE} dir={LANGUAGES[SOURCE_LOCALE].dir}>
      <Paragraphs text={text} />
    </div>
  </section>
);

/** A page with one of the operator's texts. */
export function OperatorText({ name, title }: { name: TextName; title: string }) {
  const query = useQuery(textQuery(name));
  return (
    <Page title={title}>
      <Loaded query={query} what={t('the text')} heights={['24rem']}>
        {({ text }) => (
          <div className={styles.text} dir="auto">
            <Paragraphs text={text} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}
