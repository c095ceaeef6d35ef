import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { t } from '../../domain/language/text.ts';
import { eventListQuery } from '../api/events.ts';
import { EventMap } from '../components/events/event-map.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { Nothing } from '../components/panel.tsx';
import styles from './maps.module.css';

export const Route = createFileRoute('/maps')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(eventListQuery);
  },
  component: Maps,
});

/** Shows events as pictures: camps, strength and gains. */
function Maps() {
  const events = useQuery(eventListQuery);
  return (
    <Page
      title={t('Maps')}
      about={<p>{t('Events as pictures: the camps, their kingdoms, how strong each is and what it gained.')}</p>}
    >
      <Loaded query={events} what={t('the events')} heights={['22rem']}>
        {(all) =>
          all.length === 0 ? (
            <Nothing>{t('No event is being followed yet.')}</Nothing>
          ) : (
            <div className={styles.maps}>
              {all.map((event) => (
                <EventMap key={event.dashboard_id} event={event} />
              ))}
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}
