import { onlineManager } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { t } from '../../domain/language/text.ts';
import { cameForNewVersion } from '../new-version.ts';
import { useHydrated } from '../ui/use-hydrated.ts';
import styles from './page-notices.module.css';

/** Notices above every page. */
export function PageNotices() {
  const hydrated = useHydrated();
  return (
    <>
      <OfflineNotice />
      {hydrated && cameForNewVersion() && (
        <p className={styles.news} role="status">
          {t('A new version is here. The page was reloaded.')}
        </p>
      )}
    </>
  );
}

const isOnline = () => onlineManager.isOnline();

/**
 * Tells the user that they are offline and blocks navigation. The next page's code could not load, and a page load
 * would lose unsaved input. The query client sends pending mutations once online.
 */
function OfflineNotice() {
  const online = useSyncExternalStore(
    (tell) => onlineManager.subscribe(tell),
    isOnline,
    () => true,
  );
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
          {refused
            ? t('You are offline. That page can be opened once the connection is back.')
            : t('You are offline. Changes are sent once the connection is back.')}
        </p>
      )}
    </div>
  );
}
