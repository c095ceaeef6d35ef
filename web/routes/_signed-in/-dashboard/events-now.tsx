import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { listed, t, words } from '../../../../domain/language/text.ts';
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
      .map((key) => t('{name} ({note})', { name: key, note: words(name) })),
  );

/** Running events; those with the user's kingdoms come first. */
export function EventsNow() {
  const events = useQuery(eventListQuery);
  const own = useQuery(monitoredQuery).data ?? [];
  return (
    <Panel title={t('Events')} about={<Link to="/maps">{t('All events')}</Link>}>
      <Loaded query={events} what={t('the events')} heights={['6rem']}>
        {(all) => {
          const running = all
            .filter(({ state }) => state === 'running')
            .toSorted((one, other) => ownIn(other, own).length - ownIn(one, own).length)
            .slice(0, SHOWN);
          return running.length === 0 ? (
            <Nothing>{t('No event is running.')}</Nothing>
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
        {lead
          ? t('{name} leads by {by} DKP', { name: words(lead.name), by: compact(lead.by) })
          : t('{snapshots} so far', { snapshots: counted(event.snapshots, 'scan') })}
        {own.length > 0 && t(' · yours: {own}', { own: listed(own) })}
      </p>
    </article>
  );
}
