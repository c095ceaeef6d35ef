import { createFileRoute, notFound } from '@tanstack/react-router';
import { eventPageQuery } from '../../api/events.ts';
import { EventPage } from '../../components/events/event-page.tsx';
import { type EventSearch, eventSearch, isEventId } from '../../components/events/event-search.ts';

export const Route = createFileRoute('/dashboards/$dashboardId')({
  validateSearch: (search: Record<string, unknown>): EventSearch => eventSearch(search),
  beforeLoad: ({ params }) => {
    if (!isEventId(params.dashboardId)) throw notFound();
  },
  loaderDeps: ({ search: { start, end } }) => ({ start, end }),
  loader: ({ context, params, deps }) => {
    void context.client.prefetchQuery(eventPageQuery(params.dashboardId, deps));
  },
  component: Dashboard,
});

function Dashboard() {
  const { dashboardId } = Route.useParams();
  return <EventPage id={dashboardId} game="rok" search={Route.useSearch()} />;
}
