import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { clonedPlan } from '../../../../domain/events/plan-changes.ts';
import { t } from '../../../../domain/language/text.ts';
import { type AdminEvent, adminEventQuery, createEvent } from '../../../api/admin-events.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { useOnward } from '../../../components/use-onward.ts';
import { Skeletons } from '../../../ui/skeleton.tsx';

/** Loaded apart: it shares rows with comparisons. */
const EventForm = lazy(async () => ({ default: (await import('./-event-form.tsx')).EventForm }));

export const Route = createFileRoute('/admin/events/new')({
  /** `from`: the event to clone. */
  validateSearch: ({ from }: Record<string, unknown>): { from?: number } =>
    Number.isSafeInteger(Number(from)) && Number(from) > 0 ? { from: Number(from) } : {},
  component: NewEvent,
});

function NewEvent() {
  const { from } = Route.useSearch();
  const cloned = useQuery({ ...adminEventQuery(String(from)), enabled: from !== undefined });
  return (
    <>
      <title>{t('New event · Muster')}</title>
      {from === undefined ? (
        <MakeEvent />
      ) : (
        <Loaded query={cloned} what={t('the event')} heights={['40rem']}>
          {({ event }) => <MakeEvent from={event} />}
        </Loaded>
      )}
    </>
  );
}

function MakeEvent({ from }: { from?: AdminEvent['event'] }) {
  const client = useQueryClient();
  const navigate = Route.useNavigate();
  const [plan] = useState(() => from && clonedPlan(from, Date.now()));
  const creating = useMutation({
    mutationFn: createEvent,
    onSuccess: () => client.invalidateQueries({ queryKey: ['admin', 'events'] }),
  });
  useOnward(creating.isSuccess, () =>
    navigate({ to: '/admin/events/$eventId', params: { eventId: String(creating.data?.dashboard_id) } }),
  );
  return (
    <Suspense fallback={<Skeletons what={t('the form')} heights={['40rem']} />}>
      <EventForm
        {...(plan && { event: plan })}
        isNew
        title={from ? t('New event like {name}', { name: from.name }) : t('New event')}
        action={t('Make the event')}
        sending={creating}
        send={creating.mutate}
      />
    </Suspense>
  );
}
