import { t } from '../../domain/language/text.ts';
import { Loading, Skeleton } from '../ui/skeleton.tsx';
import styles from './page.module.css';

/** Shown while a page loads. */
export const PagePending = () => (
  <div className={styles.page}>
    <Loading what={t('the page')} />
    <div>
      <Skeleton width="14rem" height="2rem" />
    </div>
    <Skeleton height="9rem" />
    <Skeleton height="24rem" />
  </div>
);
