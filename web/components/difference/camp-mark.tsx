import { campColour } from '../../../domain/games/camps.ts';
import styles from './camp-mark.module.css';

/** A camp: its colour, and always its name beside it, since colours alone tell nothing to many. */
export const CampMark = ({ name }: { name: string }) => (
  <span className={styles.mark}>
    <span className={styles.dot} style={{ background: campColour(name) }} />
    {name}
  </span>
);
