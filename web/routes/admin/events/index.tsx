import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { GAMES } from '../../../../domain/games/games.ts';
import { type AdminEvent, adminEventsQuery } from '../../../api/admin-events.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { More } from '../../../components/more.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { exact } from '../../../format.ts';
import type { Column } from '../../../table/column.ts';
import { Table } from '../../../table/table.tsx';
import { buttonClass } from '../../../ui/button.tsx';
import layout from '../../../ui/layout.module.css';
import { Time } from '../../../ui/time.tsx';

export const Route = createFileRoute('/admin/events/')({
  loader: ({ context }) => {
    void context.client.prefetchInfiniteQuery(adminEventsQuery);
  },
  component: Events,
});

const COLUMNS: readonly Column<AdminEvent>[] = [
  {
    id: 'name',
    title: 'Event',
    grow: true,
    wraps: true,
    cell: ({ dashboard_id, event }) => (
      <Link to="/admin/events/$eventId" params={{ eventId: String(dashboard_id) }}>
        {event.name}
      </Link>
    ),
  },
  { id: 'game', title: 'Game', cell: ({ event }) => GAMES[event.game].short },
  { id: 'kvk', title: 'KvK', cell: ({ event }) => event.kvk_id },
  { id: 'state', title: 'State', cell: ({ state }) => state },
  { id: 'snapshots', title: 'Scans', figures: true, cell: ({ snapshots }) => exact(snapshots.length) },
  {
    id: 'next',
    title: 'Next scan',
    cell: ({ next_refresh }) => (next_refresh === null ? '–' : <Time at={next_refresh} />),
  },
];

function Events() {
  const events = useInfiniteQuery(adminEventsQuery);
  const last = events.data?.pages[0]?.events[0];
  return (
    <>
      <title>Events · Muster</title>
      <p className={layout.wrap}>
        <Link to="/admin/events/new" className={buttonClass('primary')}>
          New event
        </Link>
        {last && (
          <Link to="/admin/events/new" search={{ from: last.dashboard_id }} className={buttonClass()}>
            Clone the last event
          </Link>
        )}
        <Link to="/maps" className={buttonClass()}>
          As visitors see them
        </Link>
      </p>
      <Panel title="Events">
        <Loaded query={events} what="the events" heights={['12rem']}>
          {({ pages }) => {
            const all = pages.flatMap((page) => page.events);
            return all.length === 0 ? (
              <Nothing>There is no event yet.</Nothing>
            ) : (
              <Table label="Events" columns={COLUMNS} rows={all} rowId={({ dashboard_id }) => dashboard_id} />
            );
          }}
        </Loaded>
        <More of={events}>Older events</More>
      </Panel>
    </>
  );
}
