import { Link } from '@tanstack/react-router';
import { t } from '../../../domain/language/text.ts';
import { ApiError, messageOf } from '../../api/client.ts';
import tabs from '../../ui/tabs.module.css';
import { useLinkTarget } from '../embedded.ts';
import { Failure } from '../failure.tsx';
import styles from './event-page.module.css';

interface Scans {
  start?: number | undefined;
  end?: number | undefined;
  since?: number | undefined;
}

/** Replaces an event that could not be shown: explains why, and links to other pages. */
export function NoEvent({
  error,
  retry,
  busy,
  search: { start, end, since },
  change,
}: {
  error: unknown;
  retry: () => void;
  busy: boolean;
  /** The scans that the address names. */
  search: Scans;
  change: (part: { start: undefined; end: undefined; since: undefined }) => void;
}) {
  const target = useLinkTarget();
  const namesScan = [start, end, since].some((ts) => ts !== undefined);
  const refused = error instanceof ApiError && (error.status === 404 || error.status === 400);
  return (
    <div className={styles.page}>
      <title>{t('Event · Muster')}</title>
      {refused ? (
        <>
          <h1>{t('Nothing to show here')}</h1>
          <p>{messageOf(error)}</p>
          <p className={styles.ways}>
            {namesScan && (
              <button
                type="button"
                className={tabs.tab}
                onClick={() => change({ start: undefined, end: undefined, since: undefined })}
              >
                {t('From the first scan to the latest')}
              </button>
            )}
            <Link to="/maps" {...target}>
              {t('All events')}
            </Link>
          </p>
        </>
      ) : (
        <>
          <h1>{t('This event could not be loaded')}</h1>
          <Failure error={error} retry={retry} busy={busy} />
          <p className={styles.ways}>
            <Link to="/maps" {...target}>
              {t('All events')}
            </Link>
          </p>
        </>
      )}
    </div>
  );
}
