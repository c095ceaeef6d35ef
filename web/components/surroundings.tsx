import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { followOtherTabs } from '../other-tabs.ts';
import { LoadingBar } from './loading-bar.tsx';
import { PageNotices } from './page-notices.tsx';

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
