import styles from './unknown.module.css';

/** A figure that is not known, with the reason, which `tellReasons` shows on tap. */
export const Unknown = ({ why }: { why: string }) => (
  <span className={styles.unknown} title={why}>
    ?
  </span>
);
