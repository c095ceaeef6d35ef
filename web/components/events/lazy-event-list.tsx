import { lazy, Suspense } from 'react';
import { t } from '../../../domain/language/text.ts';
import { Skeletons } from '../../ui/skeleton.tsx';

const EventList = lazy(async () => ({ default: (await import('./event-list.tsx')).EventList }));

/** The event list, loaded after the main content because it stands below it. `most` limits the number of events. */
export const LazyEventList = (props: { most?: number }) => (
  <Suspense fallback={<Skeletons what={t('the events')} heights={['8rem']} />}>
    <EventList {...props} />
  </Suspense>
);
