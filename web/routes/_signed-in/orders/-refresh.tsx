import { RotateCw } from 'lucide';
import { useEffect, useState } from 'react';
import { t } from '../../../../domain/language/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { T } from '../../../ui/text.tsx';
import styles from './-refresh.module.css';

/** Seconds between refreshes of the list (specification, section 9). */
const PERIOD = 10;

interface Countdown {
  seconds: number;
  /** Refetches now and restarts the countdown. */
  refresh: () => void;
}

/**
 * Counts down to the next refresh while the list is live; pauses while the page is hidden. Only the user's own refresh
 * cancels a running one, because on a slow connection an answer may take longer than the countdown.
 */
export function useRefreshCountdown(live: boolean, refetch: (how: { cancelRefetch: boolean }) => unknown): Countdown {
  const [seconds, setSeconds] = useState(PERIOD);
  const start = (cancelRefetch: boolean) => {
    setSeconds(PERIOD);
    void refetch({ cancelRefetch });
  };
  useEffect(() => {
    if (!live) return;
    const timer = setInterval(() => {
      if (!document.hidden) setSeconds((left) => left - 1);
    }, 1_000);
    return () => clearInterval(timer);
  }, [live]);
  useEffect(() => {
    if (live && seconds <= 0) start(false);
  });
  return { seconds: Math.max(seconds, 0), refresh: () => start(true) };
}

/** The refresh button and, while the list is live, the countdown. */
export const RefreshControl = ({ live, busy, countdown }: { live: boolean; busy: boolean; countdown: Countdown }) => (
  <div className={styles.refresh}>
    {live && (
      <span className={styles.count}>
        <T of="Refresh in {span} s" span={<span className={`${styles.seconds} tabular`}>{countdown.seconds}</span>} />
      </span>
    )}
    <Button look="bare" onClick={countdown.refresh} aria-label={t('Refresh orders')}>
      <Icon of={RotateCw} size={16} className={busy ? styles.turning : ''} />
    </Button>
  </div>
);
