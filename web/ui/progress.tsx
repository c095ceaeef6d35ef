import styles from './progress.module.css';

/** A progress bar in whole percent. `label` names it for screen readers. */
export function Progress({ percent, label, note }: { percent: number; label: string; note: string }) {
  return (
    <div className={styles.progress}>
      <div
        className={styles.track}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={note}
      >
        <div className={styles.bar} style={{ transform: `scaleX(${percent / 100})` }} />
      </div>
      <span className={`${styles.note} tabular`} aria-hidden>
        {note}
      </span>
    </div>
  );
}
