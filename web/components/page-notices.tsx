import { onlineManager } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { cameForNewVersion } from '../new-version.ts';
import styles from './page-notices.module.css';

/** What there is to say above every screen. */
export const PageNotices = () => (
  <>
    <OfflineNotice />
    {cameForNewVersion() && (
      <p className={styles.news} role="status">
        A new version is here. The page was reloaded.
      </p>
    )}
  </>
);

const isOnline = () => onlineManager.isOnline();

/**
 * Says that there is no connection. Until it is back the screen stays: the next one's code cannot come, and a page
 * load would lose what was typed. What was sent meanwhile waits in the query client, which sends it then.
 */
function OfflineNotice() {
  const online = useSyncExternalStore((tell) => onlineManager.subscribe(tell), isOnline);
  const [refused, setRefused] = useState(false);
  const { history } = useRouter();
  useEffect(
    () =>
      history.block({
        blockerFn: ({ currentLocation, nextLocation }) => {
          const stays = !isOnline() && currentLocation.pathname !== nextLocation.pathname;
          setRefused(stays);
          return stays;
        },
        enableBeforeUnload: false,
      }),
    [history],
  );
  return (
    <div role="status" className={styles.place}>
      {!online && (
        <p className={styles.notice}>
          You are offline.{' '}
          {refused
            ? 'That page can be opened once the connection is back.'
            : 'What you send goes out when the connection is back.'}
        </p>
      )}
    </div>
  );
}
