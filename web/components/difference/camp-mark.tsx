import styles from './camp-mark.module.css';

/** A camp: its colour, and always its name beside it, since colours alone tell nothing to many. */
export const CampMark = ({ name, colour }: { name: string; colour: string | undefined }) => (
  <span className={styles.mark}>
    <span className={styles.dot} style={{ background: colour }} />
    {name}
  </span>
);
