import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isOver } from '../../../domain/events/event.ts';
import { GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { t, words } from '../../../domain/language/text.ts';
import { dashboardPath, eventListQuery, type ListedEvent } from '../../api/events.ts';
import { compact, date, exact } from '../../format.ts';
import { T } from '../../ui/text.tsx';
import { CampMark } from '../difference/camp-mark.tsx';
import { Loaded } from '../loaded.tsx';
import { Nothing } from '../panel.tsx';
import styles from './event-list.module.css';
import { leadOf, STATE_TITLE } from './event-words.ts';

/** Lists events, running ones first, then upcoming and past ones. `most` limits their number. */
export function EventList({ game, most }: { game?: GameId; most?: number }) {
  const events = useQuery(eventListQuery);
  return (
    <Loaded query={events} what={t('the events')} heights={['8rem']}>
      {(all) => {
        const shown = all.filter((event) => game === undefined || event.game === game).slice(0, most);
        if (shown.length === 0) return <Nothing>{t('No event is being followed yet.')}</Nothing>;
        return (
          <ul className={styles.list}>
            {shown.map((event) => (
              <li key={event.dashboard_id} className={styles.line}>
                <EventLine event={event} />
              </li>
            ))}
          </ul>
        );
      }}
    </Loaded>
  );
}

function EventLine({ event }: { event: ListedEvent }) {
  return (
    <>
      <span className={styles.state} data-state={event.state}>
        {words(STATE_TITLE[event.state])}
      </span>
      <span className={styles.name}>
        <Link {...dashboardPath(event)}>{event.name}</Link>
        <small>
          <T
            of="{name} · {start} to {end}"
            name={GAME_NAMES[event.game].name}
            start={date(event.start)}
            end={date(event.end)}
          />
        </small>
      </span>
      <span className={styles.standing}>{standingOf(event)}</span>
    </>
  );
}

/** The leader and the lead. */
function standingOf(event: ListedEvent) {
  const lead = leadOf(event);
  if (!lead)
    return event.snapshots === 0
      ? t('No scan yet')
      : t('{count, plural, one {# scan so far} other {# scans so far}}', { count: event.snapshots });
  return (
    <T
      of="{state, select, running {{camp} leads by {lead}} other {{camp} won by {lead}}}"
      state={isOver(event.state) ? 'over' : 'running'}
      camp={<CampMark name={lead.name} />}
      lead={
        <span title={exact(lead.by)}>
          <T of="{by} DKP" by={compact(lead.by)} />
        </span>
      }
    />
  );
}
