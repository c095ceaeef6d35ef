import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react';
import { t } from '../../../domain/language/text.ts';
import { Skeletons } from '../../ui/skeleton.tsx';

const Paged = lazy(async () => ({ default: (await import('./paged-results.tsx')).PagedResults }));

/** Paged results, loaded lazily because few scans are that large. */
export const PagedResults = ({
  waiting = <Skeletons what={t('results')} heights={['36rem']} />,
  ...props
}: Omit<ComponentProps<typeof Paged>, 'waiting'> & { waiting?: ReactNode }) => (
  <Suspense fallback={waiting}>
    <Paged {...props} waiting={waiting} />
  </Suspense>
);
