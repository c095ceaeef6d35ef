import { type ComponentProps, lazy, Suspense } from 'react';
import { t } from '../../../domain/language/text.ts';
import { Skeletons } from '../../ui/skeleton.tsx';

const Paged = lazy(async () => ({ default: (await import('./paged-results.tsx')).PagedResults }));

/** Paged results, loaded lazily because few scans are that large. */
export const PagedResults = (props: ComponentProps<typeof Paged>) => (
  <Suspense fallback={<Skeletons what={t('results')} heights={['36rem']} />}>
    <Paged {...props} />
  </Suspense>
);
