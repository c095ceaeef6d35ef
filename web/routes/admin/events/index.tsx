import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { EVENT_FILTERS, type EventFilter } from '../../../../domain/events/event.ts';
import { GAMES } from '../../../../domain/games/games.ts';
import { message, t, words } from '../../../../domain/language/text.ts';
import { type AdminEvent, adminEventsQuery } from '../../../api/admin-events.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { More } from '../../../components/more.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { exact } from '../../../format.ts';
import { searchReader, text } from '../../../search-params.ts';
import type { Column } from '../../../table/column.ts';
import { Table, Under } from '../../../table/table.tsx';
import { buttonClass } from '../../../ui/button.tsx';
import layout from '../../../ui/layout.module.css';
import tabs from '../../../ui/tabs.module.css';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';

// Every page loads this reader, so the states are known to the page alone.
const eventsSearch = searchReader({ state: text });

export const Route = createFileRoute('/admin/events/')({
  validateSearch: eventsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.client.prefetchInfiniteQuery(adminEventsQuery(filterIn(deps.state)));
  },
  component: Events,
});

const COLUMNS: readonly Column<AdminEvent>[] = [
  {
    id: 'name',
    title: message('Event'),
    grow: true,
    wraps: true,
    cell: ({ dashboard_id, event }) => (
      <Link to="/admin/events/$eventId" params={{ eventId: String(dashboard_id) }}>
        {event.name}
      </Link>
    ),
  },
  { id: 'game', title: message('Game'), cell: ({ event }) => GAMES[event.game].short },
  { id: 'kvk', title: message('KvK'), cell: ({ event }) => event.kvk_id },
  {
    id: 'state',
    title: message('State'),
    cell: ({ state, late_since }) => (
      <>
        {t('{state, select, draft {draft} upcoming {upcoming} running {running} ended {ended} other {archived}}', {
          state,
        })}
        {late_since !== null && (
          <Under>
            <T of="late since {time}" time={<Time at={late_since} />} />
          </Under>
        )}
      </>
    ),
  },
  { id: 'snapshots', title: message('Scans'), figures: true, cell: ({ snapshots }) => exact(snapshots.length) },
  {
    id: 'next',
    title: message('Next scan'),
    cell: ({ next_refresh }) => (next_refresh === null ? '–' : <Time at={next_refresh} />),
  },
];

const filterIn = (text: string | undefined): EventFilter | undefined => EVENT_FILTERS.find((each) => each === text);

const FILTERS: Record<EventFilter, string> = {
  late: message('Late'),
  draft: message('Drafts'),
  upcoming: message('Upcoming'),
  running: message('Live'),
  ended: message('Ended'),
  archived: message('Archived'),
};

function Events() {
  const state = filterIn(Route.useSearch().state);
  const events = useInfiniteQuery(adminEventsQuery(state));
  const last = events.data?.pages[0]?.events[0];
  return (
    <>
      <title>{t('Events · Muster')}</title>
      <p className={layout.wrap}>
        <Link to="/admin/events/new" className={buttonClass('primary')}>
          {t('New event')}
        </Link>
        {last && (
          <Link to="/admin/events/new" search={{ from: last.dashboard_id }} className={buttonClass()}>
            {t('Clone the last event')}
          </Link>
        )}
        <Link to="/maps" className={buttonClass()}>
          {t('As visitors see them')}
        </Link>
      </p>
      <nav className={tabs.tabs} aria-label={t('States of events')}>
        {[undefined, ...EVENT_FILTERS].map((each) => (
          <Link
            key={each ?? 'all'}
            to="/admin/events"
            search={each ? { state: each } : {}}
            className={tabs.tab}
            data-on={each === state || undefined}
            aria-current={each === state ? 'page' : undefined}
          >
            {each ? words(FILTERS[each]) : t('All')}
          </Link>
        ))}
      </nav>
      <Panel title={state ? words(FILTERS[state]) : t('Events')}>
        <Loaded query={events} what={t('the events')} heights={['12rem']}>
          {({ pages }) => {
            const all = pages.flatMap((page) => page.events);
            return all.length === 0 ? (
              <Nothing>{state ? t('No event is in this state.') : t('There is no event yet.')}</Nothing>
            ) : (
              <Table label={t('Events')} columns={COLUMNS} rows={all} rowId={({ dashboard_id }) => dashboard_id} />
            );
          }}
        </Loaded>
        <More of={events}>{t('Older events')}</More>
      </Panel>
    </>
  );
}
