import { Bell } from 'lucide';
import { lazy, Suspense } from 'react';
import { t } from '../../../domain/language/text.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

const FollowButton = lazy(async () => ({ default: (await import('./follow-button.tsx')).FollowButton }));

/** Follows an event, or a kingdom in it. While its script loads, a disabled button of the same size replaces it. */
export const LazyFollowButton = (props: { id: number; kingdom: string | null }) => (
  <Suspense
    fallback={
      <Button disabled>
        <Icon of={Bell} size={16} /> {t('Follow')}
      </Button>
    }
  >
    <FollowButton {...props} />
  </Suspense>
);
