import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { followOtherTabs } from '../other-tabs.ts';
import { PageNotices } from './page-notices.tsx';

/** What a screen notices of what is around it: other tabs of its browser, and the connection. */
export function Surroundings() {
  const client = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    const gone = new AbortController();
    followOtherTabs(client, () => router.invalidate(), gone.signal);
    return () => gone.abort();
  }, [client, router]);
  return <PageNotices />;
}
