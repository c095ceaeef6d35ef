import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { followOtherTabs } from '../other-tabs.ts';
import { LoadingBar } from './loading-bar.tsx';
import { PageNotices } from './page-notices.tsx';

/** What a screen notices of what is around it: other tabs of its browser, the connection, and
 * what is on its way. */
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
