import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { t } from '../../domain/language/text.ts';
import { followOtherTabs } from '../other-tabs.ts';
import styles from './around.module.css';
import { PageNotices } from './page-notices.tsx';

/** The footer and the parts around every page, in one file that loads after the first page. */
export { Footer } from './footer.tsx';

/** Reacts to other tabs, the connection and pending requests. */
export function Surroundings() {
  const client = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    const gone = new AbortController();
    followOtherTabs(client, () => router.invalidate(), gone.signal);
    return () => gone.abort();
  }, [client, router]);
  return (
    <>
      <LoadingBar />
      <PageNotices />
    </>
  );
}

/** Quick answers show no bar. Slow ones show it within 200 ms of the click. */
const QUIET_MS = 120;

/** Shows progress while a page or the first answer of one of its queries loads. */
function LoadingBar() {
  const navigating = useRouterState({ select: ({ isLoading }) => isLoading });
  const asking = useIsFetching({ predicate: (query) => query.isActive() && query.state.data === undefined }) > 0;
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
