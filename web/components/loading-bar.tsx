import { useIsFetching } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { t } from '../../domain/language/text.ts';
import styles from './loading-bar.module.css';

/** Quick answers show no bar. Slow ones show it within 200 ms of the click. */
const QUIET_MS = 120;

/** Shows progress while a page or the first answer of a query loads. */
export function LoadingBar() {
  const navigating = useRouterState({ select: ({ isLoading }) => isLoading });
  const asking = useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0;
  const loading = navigating || asking;
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!loading) return;
    const timer = setTimeout(setShown, QUIET_MS, true);
    return () => {
      clearTimeout(timer);
      setShown(false);
    };
  }, [loading]);
  return shown && <div className={styles.bar} role="progressbar" aria-label={t('Loading')} />;
}
