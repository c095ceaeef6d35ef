import { Time } from '../ui/time.tsx';

/** Explains that an item waits for a bot to reach the kingdom; otherwise renders nothing. */
export const Preparing = ({ item, className }: { item: { preparing_until: number | null }; className?: string }) =>
  item.preparing_until !== null && (
    <p className={className}>
      A new kingdom: bots have to get there first, which may take a few hours. Next look at{' '}
      <Time at={item.preparing_until} />.
    </p>
  );
