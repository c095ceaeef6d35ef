import { message, t, words } from '../../../domain/language/text.ts';
import dark from './results-dark.webp';
import light from './results-light.webp';
import styles from './results-picture.module.css';

const ABOUT = message(
  'The results page of a kingdom: what its governors add up to, power by rank as a line, and a table of names, power, killpoints and kills by tier.',
);

/** A picture of results in the reader's theme, made by `npm run pictures` from simulated data. */
export const ResultsPicture = () => (
  <figure className={styles.figure}>
    {/* Lazy loading fetches only the visible one of the two. */}
    <img
      className={styles.light}
      src={light}
      width={1200}
      height={720}
      alt={words(ABOUT)}
      loading="lazy"
      decoding="async"
    />
    <img
      className={styles.dark}
      src={dark}
      width={1200}
      height={720}
      alt={words(ABOUT)}
      loading="lazy"
      decoding="async"
    />
    <figcaption>{t('A kingdom’s results, sorted by power. The people in it are made up.')}</figcaption>
  </figure>
);
