import styles from './unknown.module.css';

/** An unknown figure with its reason, which `showReasonsOnTap` shows on tap. */
export const Unknown = ({ why }: { why: string }) => (
  <span className={styles.unknown} title={why}>
    ?
  </span>
);
