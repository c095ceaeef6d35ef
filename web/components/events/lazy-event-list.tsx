import { lazy, Suspense } from 'react';
import { Skeletons } from '../../ui/skeleton.tsx';

const EventList = lazy(async () => ({ default: (await import('./event-list.tsx')).EventList }));

/** Events that stand below what a visitor comes for, so their list is fetched after it; `most` at most. */
export const LazyEventList = (props: { most?: number }) => (
  <Suspense fallback={<Skeletons what="the events" heights={['8rem']} />}>
    <EventList {...props} />
  </Suspense>
);
