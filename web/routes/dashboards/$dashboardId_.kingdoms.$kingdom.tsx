import { createFileRoute, notFound } from '@tanstack/react-router';
import { isEventId } from '../../components/events/event-search.ts';
import { loadRoom } from '../../components/events/load-event.ts';
import { RoomPage } from '../../components/events/room-page.tsx';
import { isKingdomKey, roomSearch } from '../../components/events/room-search.ts';

export const Route = createFileRoute('/dashboards/$dashboardId_/kingdoms/$kingdom')({
  validateSearch: roomSearch,
  beforeLoad: ({ params }) => {
    if (!isEventId(params.dashboardId) || !isKingdomKey(params.kingdom)) throw notFound();
  },
  loaderDeps: ({ search: { start, end, since } }) => ({ start, end, since }),
  loader: ({ context, params, deps }) => {
    void loadRoom(context, params.dashboardId, params.kingdom, deps);
  },
  component: Room,
});

function Room() {
  const { dashboardId, kingdom } = Route.useParams();
  return <RoomPage id={dashboardId} game="rok" kingdom={kingdom} search={Route.useSearch()} />;
}
