import { DOUBT_TEXT, DOUBT_TITLE, type Doubt } from '../../../domain/difference/doubts.ts';
import { compact, exact } from '../../format.ts';
import styles from './gain.module.css';

/** A gain: signed, short, exact on hover; '?' with the reason where it is unknown or doubted. */
export function Gain({
  value,
  raw = null,
  doubt = null,
}: {
  /** Guarded; null where unknown or doubted. */
  value: number | null;
  raw?: number | null;
  doubt?: Doubt | null;
}) {
  if (doubt !== null) {
    const reading = raw === null ? '' : ` As read: ${exact(raw)}.`;
    return (
      <span className={styles.doubted} title={`${DOUBT_TITLE[doubt]}. ${DOUBT_TEXT[doubt]}${reading}`}>
        ?<span className="visually-hidden"> {DOUBT_TITLE[doubt]}</span>
      </span>
    );
  }
  if (value === null)
    return (
      <span className={styles.unknown} title="Not read in one of the two scans">
        ?
      </span>
    );
  return (
    <span className={value < 0 ? styles.less : value === 0 ? styles.none : undefined} title={exact(value)}>
      {value > 0 ? '+' : ''}
      {compact(value)}
    </span>
  );
}

/** A figure as it stands; '?' where no scan has it. */
export const Standing = ({ value }: { value: number | null | undefined }) =>
  value === null || value === undefined || Number.isNaN(value) ? (
    <span className={styles.unknown} title="Not read">
      ?
    </span>
  ) : (
    <span title={exact(value)}>{compact(value)}</span>
  );

/** A figure out of a column: NaN is unknown there. */
export const known = (value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : value;

/** 12.4%, rounded. Less than a whole never reads as 100%: a goal that was missed by a little was missed. */
export const percent = (value: number | null): string => {
  if (value === null) return '?';
  return `${(value < 100 ? Math.min(value, 99.9) : value).toFixed(1)}%`;
};
