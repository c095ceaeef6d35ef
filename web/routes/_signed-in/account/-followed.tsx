import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { GAME_NAMES } from '../../../../domain/games/game-names.ts';
import { t, words } from '../../../../domain/language/text.ts';
import { messageOf } from '../../../api/client.ts';
import { dashboardPath, roomPath } from '../../../api/events.ts';
import { type FollowedEvent, followingQuery, useFollowing } from '../../../api/following.ts';
import { STATE_TITLE } from '../../../components/events/event-words.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { capital } from '../../../format.ts';
import { Button } from '../../../ui/button.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { T } from '../../../ui/text.tsx';
import styles from './-security/lists.module.css';

/** Events, and kingdoms in them, that the user follows. */
export function Followed() {
  const following = useQuery(followingQuery);
  const { choosing } = useFollowing(true);
  return (
    <Panel title={t('Events that you follow')} about={t('One message after each new scan, with what changed.')}>
      {choosing.isError && <Notice tone="danger">{messageOf(choosing.error)}</Notice>}
      <Loaded query={following} what={t('what you follow')} heights={['4rem']}>
        {({ events }) =>
          events.length === 0 ? (
            <Nothing>
              <T
                of="You follow no event. Open one of <link>the events</link>, or a kingdom in it, and press Follow."
                link={(text) => <Link to="/maps">{text}</Link>}
              />
            </Nothing>
          ) : (
            <ul className={styles.list}>
              {events.map((one) => {
                const { dashboard_id, kingdom } = one;
                const what = nameOf(one);
                return (
                  <li key={`${dashboard_id} ${kingdom}`} className={styles.line}>
                    <div className={styles.words}>
                      <p className={styles.title}>
                        <Link {...(kingdom === null ? dashboardPath(one) : roomPath(one, kingdom))}>{what}</Link>
                      </p>
                      <p className={layout.quiet}>
                        {GAME_NAMES[one.game].name}
                        {one.state === 'running' ? '' : ` · ${words(STATE_TITLE[one.state])}`}
                      </p>
                    </div>
                    <Button
                      busy={
                        choosing.isPending &&
                        choosing.variables.dashboard_id === dashboard_id &&
                        choosing.variables.kingdom === kingdom
                      }
                      onClick={() => choosing.mutate({ dashboard_id, kingdom, on: false })}
                      aria-label={t('Stop to follow {what}', { what })}
                    >
                      {t('Stop')}
                    </Button>
                  </li>
                );
              })}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

const nameOf = ({ game, name, kingdom }: FollowedEvent): string =>
  kingdom === null ? name : `${words(capital(GAME_NAMES[game].kingdom.one))} ${kingdom} · ${name}`;
