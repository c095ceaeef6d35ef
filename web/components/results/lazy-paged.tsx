import { type ComponentProps, lazy, Suspense } from 'react';
import { Skeletons } from '../../ui/skeleton.tsx';

const Paged = lazy(async () => ({ default: (await import('./paged-results.tsx')).PagedResults }));

/** Results page by page, whose code is fetched where there are too many for one: few scans are as large. */
export const PagedResults = (props: ComponentProps<typeof Paged>) => (
  <Suspense fallback={<Skeletons what="results" heights={['36rem']} />}>
    <Paged {...props} />
  </Suspense>
);
