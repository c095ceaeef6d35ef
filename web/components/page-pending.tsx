import { Loading, Skeleton } from '../ui/skeleton.tsx';
import styles from './page.module.css';

/** Stands in the place of a screen until it is known what is on it. */
export const PagePending = () => (
  <div className={styles.page}>
    <Loading what="the page" />
    <div>
      <Skeleton width="14rem" height="2rem" />
    </div>
    <Skeleton height="9rem" />
    <Skeleton height="24rem" />
  </div>
);
