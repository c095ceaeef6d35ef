import { T } from '../ui/text.tsx';
import { Time } from '../ui/time.tsx';

/** Explains that an item waits for a bot to reach the kingdom; otherwise renders nothing. */
export const Preparing = ({ item, className }: { item: { preparing_until: number | null }; className?: string }) =>
  item.preparing_until !== null && (
    <p className={className}>
      <T
        of="This kingdom is new. Bots need to reach it first, which may take a few hours. Next check: {time}."
        time={<Time at={item.preparing_until} />}
      />
    </p>
  );
