import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { dashboardPath, eventListQuery, type ListedEvent } from '../../../api/events.ts';
import { type Monitored, monitoredQuery } from '../../../api/monitored.ts';
import { leadOf } from '../../../components/events/event-words.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { compact, counted } from '../../../format.ts';
import styles from './day.module.css';

const SHOWN = 3;

/** Returns the user's kingdoms that take part in an event. */
const ownIn = ({ game, camps }: ListedEvent, own: readonly Monitored[]): string[] =>
  camps.flatMap(({ name, kingdoms }) =>
    kingdoms
      .filter((key) =>
        own.some((kingdom) => kingdom.game === game && String(kingdom.kingdom_id) === key.split('-', 1)[0]),
      )
      .map((key) => `${key} (${name})`),
  );

/** Running events; those with the user's kingdoms come first. */
export function EventsNow() {
  const events = useQuery(eventListQuery);
  const own = useQuery(monitoredQuery).data ?? [];
  return (
    <Panel title="Events" about={<Link to="/maps">All events</Link>}>
      <Loaded query={events} what="the events" heights={['6rem']}>
        {(all) => {
          const running = all
            .filter(({ state }) => state === 'running')
            .toSorted((one, other) => ownIn(other, own).length - ownIn(one, own).length)
            .slice(0, SHOWN);
          return running.length === 0 ? (
            <Nothing>No event is running.</Nothing>
          ) : (
            <div className={styles.list}>
              {running.map((event) => (
                <EventLine key={event.dashboard_id} event={event} own={ownIn(event, own)} />
              ))}
            </div>
          );
        }}
      </Loaded>
    </Panel>
  );
}

function EventLine({ event, own }: { event: ListedEvent; own: readonly string[] }) {
  const lead = leadOf(event);
  return (
    <article className={styles.line} aria-label={event.name}>
      <h3>
        <Link {...dashboardPath(event)}>{event.name}</Link>
      </h3>
      <p>
        {lead ? `${lead.name} leads by ${compact(lead.by)} DKP` : `${counted(event.snapshots, 'scan')} so far`}
        {own.length > 0 && ` · yours: ${own.join(', ')}`}
      </p>
    </article>
  );
}
