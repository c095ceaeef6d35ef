import { createFileRoute, notFound } from '@tanstack/react-router';
import { EventPage } from '../../components/events/event-page.tsx';
import { eventSearch, isEventId } from '../../components/events/event-search.ts';
import { loadEvent } from '../../components/events/load-event.ts';

export const Route = createFileRoute('/dashboards/$dashboardId')({
  validateSearch: eventSearch,
  beforeLoad: ({ params }) => {
    if (!isEventId(params.dashboardId)) throw notFound();
  },
  loaderDeps: ({ search: { start, end, tab } }) => ({ start, end, tab }),
  loader: ({ context, params, deps }) => {
    void loadEvent(context, params.dashboardId, deps);
  },
  component: Dashboard,
});

function Dashboard() {
  const { dashboardId } = Route.useParams();
  return <EventPage id={dashboardId} game="rok" search={Route.useSearch()} />;
}
