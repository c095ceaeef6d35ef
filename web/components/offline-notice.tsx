import { onlineManager } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import styles from './offline-notice.module.css';

const isOnline = () => onlineManager.isOnline();

/**
 * Says that there is no connection. Until it is back the screen stays: the next one's code cannot come, and a page
 * load would lose what was typed. What was sent meanwhile waits in the query client, which sends it then.
 */
export function OfflineNotice() {
  const online = useSyncExternalStore((tell) => onlineManager.subscribe(tell), isOnline);
  const { history } = useRouter();
  useEffect(
    () =>
      history.block({
        blockerFn: ({ currentLocation, nextLocation }) =>
          !isOnline() && currentLocation.pathname !== nextLocation.pathname,
        enableBeforeUnload: false,
      }),
    [history],
  );
  return (
    <div role="status" className={styles.place}>
      {!online && <p className={styles.notice}>You are offline. What you send goes out when the connection is back.</p>}
    </div>
  );
}
