import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { adminEventsQuery, createEvent } from '../../../api/admin-events.ts';
import { useOnward } from '../../../components/use-onward.ts';
import { EventForm } from './-event-form.tsx';

export const Route = createFileRoute('/admin/events/new')({ component: NewEvent });

function NewEvent() {
  const client = useQueryClient();
  const navigate = Route.useNavigate();
  const creating = useMutation({
    mutationFn: createEvent,
    onSuccess: () => client.invalidateQueries({ queryKey: adminEventsQuery.queryKey }),
  });
  useOnward(creating.isSuccess, () =>
    navigate({ to: '/admin/events/$eventId', params: { eventId: String(creating.data?.dashboard_id) } }),
  );
  return (
    <>
      <title>New event · Muster</title>
      <EventForm title="New event" action="Make the event" sending={creating} />
    </>
  );
}
