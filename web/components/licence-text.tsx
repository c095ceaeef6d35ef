import { LANGUAGES, SOURCE_LOCALE } from '../../domain/language/locales.ts';
import { t } from '../../domain/language/text.ts';
import styles from './licence-text.module.css';
import { Paragraphs } from './paragraphs.tsx';

/** The text of a licence, which is English in every language. */
export const LicenceText = ({ text }: { text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
  <section className={styles.text} aria-label={t('Licence text')} tabIndex={0}>
    <div className="contents" lang={SOURCE_LOCALE} dir={LANGUAGES[SOURCE_LOCALE].dir}>
      <Paragraphs text={text} />
    </div>
  </section>
);
