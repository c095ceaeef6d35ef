import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { GAME_NAMES } from '../../../../domain/games/game-names.ts';
import { t, words } from '../../../../domain/language/text.ts';
import { dashboardPath, roomPath } from '../../../api/events.ts';
import { type FollowedChanges, followedChangesQuery } from '../../../api/following.ts';
import { noteVisit } from '../../../api/monitored.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { capital, counted } from '../../../format.ts';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import styles from './day.module.css';

/** Sentences shown of each. Its page shows all. */
const SENTENCES = 4;

/** What changed in the user's own kingdoms' events and in what they follow, since the last visit. */
export function FollowedNews() {
  const changes = useQuery(followedChangesQuery);
  const known = changes.isSuccess;
  useEffect(() => {
    // If this fails, the next visit shows a longer period.
    if (known) void noteVisit().catch(() => undefined);
  }, [known]);
  return (
    <Panel title={t('In your wars')} about={<Link to="/account/notifications">{t('What you follow')}</Link>}>
      <Loaded query={changes} what={t('changes in your wars')} heights={['6rem']}>
        {({ events, more, last_visit }) =>
          events.length === 0 ? (
            <Nothing>
              {last_visit === null
                ? t('Follow an event or a kingdom on its page, or pin your own there: what changed is then shown here.')
                : t(
                    'No new scan since your last visit. Follow an event or a kingdom on its page, or pin your own there: what changed is then shown here.',
                  )}
            </Nothing>
          ) : (
            <div className={styles.list}>
              {events.map((one) => (
                <Changed key={`${one.dashboard_id} ${one.kingdom}`} one={one} />
              ))}
              {more > 0 && (
                <p>
                  <T
                    of="{link} had new scans too."
                    link={<Link to="/account/notifications">{counted(more, 'more', 'more')}</Link>}
                  />
                </p>
              )}
            </div>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Changed({ one }: { one: FollowedChanges['events'][number] }) {
  const { kingdom, name, game, since, changes } = one;
  const title = kingdom === null ? name : `${words(capital(GAME_NAMES[game].kingdom.one))} ${kingdom} · ${name}`;
  const page =
    kingdom === null
      ? { ...dashboardPath(one), search: { tab: 4, since } as const }
      : { ...roomPath(one, kingdom), search: { since } };
  const more = changes.length - SENTENCES;
  return (
    <article className={styles.line} aria-label={title}>
      <h3>
        <Link {...page}>{title}</Link>
      </h3>
      <p>
        {changes.length === 0 ? (
          <T of="Since the scan of {time} nothing changed" time={<Time at={since} />} />
        ) : (
          <T of="Since the scan of {time}" time={<Time at={since} />} />
        )}
      </p>
      <ul className={styles.sentences}>
        {changes.slice(0, SENTENCES).map(({ text }) => (
          <li key={text}>
            <bdi>{text}</bdi>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p>
          <Link {...page}>{counted(more, 'more change')}</Link>
        </p>
      )}
    </article>
  );
}
