import { words } from '../../../domain/language/text.ts';
import '../camps.css';
import styles from './camp-mark.module.css';

/** A camp's colour with its name, because colour alone is not accessible. */
export const CampMark = ({ name }: { name: string }) => (
  <span className={styles.mark}>
    <span className={styles.dot} data-camp={name} />
    {words(name)}
  </span>
);
