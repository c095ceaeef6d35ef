import { Link } from '@tanstack/react-router';
import { t } from '../../../domain/language/text.ts';
import { ApiError, messageOf } from '../../api/client.ts';
import tabs from '../../ui/tabs.module.css';
import { useLinkTarget } from '../embedded.ts';
import { Failure } from '../failure.tsx';
import styles from './event-page.module.css';

/** Replaces an event that could not be shown: explains why, and links to other pages. */
export function NoEvent({
  error,
  retry,
  busy,
  change,
}: {
  error: unknown;
  retry: () => void;
  busy: boolean;
  change: (part: { start: undefined; end: undefined }) => void;
}) {
  const target = useLinkTarget();
  const refused = error instanceof ApiError && (error.status === 404 || error.status === 400);
  return (
    <div className={styles.page}>
      <title>{t('Event · Muster')}</title>
      {refused ? (
        <>
          <h1>{t('Nothing to show here')}</h1>
          <p>{messageOf(error)}</p>
          <p className={styles.ways}>
            {error.status === 400 && (
              <button type="button" className={tabs.tab} onClick={() => change({ start: undefined, end: undefined })}>
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
