import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { adminEventsQuery, createEvent } from '../../../api/admin-events.ts';
import { EventForm } from './-event-form.tsx';

export const Route = createFileRoute('/admin/events/new')({ component: NewEvent });

function NewEvent() {
  const client = useQueryClient();
  const navigate = Route.useNavigate();
  const creating = useMutation({
    mutationFn: createEvent,
    onSuccess: async ({ dashboard_id }) => {
      await client.invalidateQueries({ queryKey: adminEventsQuery.queryKey });
      await navigate({ to: '/admin/events/$eventId', params: { eventId: String(dashboard_id) } });
    },
  });
  return (
    <>
      <title>New event · Muster</title>
      <EventForm title="New event" action="Make the event" sending={creating} />
    </>
  );
}
