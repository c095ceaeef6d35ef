import { DOUBT_TEXT, DOUBT_TITLE, type Doubt } from '../../../domain/difference/doubts.ts';
import { tenthOf } from '../../../domain/difference/percentages.ts';
import { plus } from '../../../domain/language/formats.ts';
import { labelled, t, words } from '../../../domain/language/text.ts';
import { compact, exact, percentage } from '../../format.ts';
import styles from './gain.module.css';

/**
 * A gain with its sign, shortened, with the exact value on hover. Shows '?' with the reason if it is unknown or
 * unverified.
 */
export function Gain({
  value,
  raw = null,
  doubt = null,
}: {
  /** Null if unknown or unverified. */
  value: number | null;
  raw?: number | null;
  doubt?: Doubt | null;
}) {
  if (doubt !== null) {
    const reading = raw === null ? '' : ` ${t('Raw: {raw}.', { raw: exact(raw) })}`;
    return (
      <span className={styles.doubted} title={labelled(words(DOUBT_TITLE[doubt]), words(DOUBT_TEXT[doubt])) + reading}>
        ?<span className="visually-hidden"> {words(DOUBT_TITLE[doubt])}</span>
      </span>
    );
  }
  if (value === null)
    return (
      <span className={styles.unknown} title={t('Not read in one of the two scans')}>
        ?
      </span>
    );
  return (
    <span className={value < 0 ? styles.less : value === 0 ? styles.none : undefined} title={exact(value)}>
      {plus(value)}
      {compact(value)}
    </span>
  );
}

/** A current value; '?' if no scan has it. */
export const Standing = ({ value }: { value: number | null | undefined }) =>
  value === null || value === undefined || Number.isNaN(value) ? (
    <span className={styles.unknown} title={t('Not read')}>
      ?
    </span>
  ) : (
    <span title={exact(value)}>{compact(value)}</span>
  );

/** Formats a percentage such as 12.4%. */
export const percent = (value: number | null): string => (value === null ? '?' : percentage(tenthOf(value), 1));
