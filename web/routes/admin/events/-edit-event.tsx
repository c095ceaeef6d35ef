import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { Goal } from '../../../../domain/difference/scoring.ts';
import { planChanges } from '../../../../domain/events/plan-changes.ts';
import { t } from '../../../../domain/language/text.ts';
import { type AdminEvent, adminEventQuery, changeEvent } from '../../../api/admin-events.ts';
import { ApiError } from '../../../api/client.ts';
import { eventTableQuery } from '../../../api/events.ts';
import { differenceRows, scoredRows } from '../../../components/difference/difference-rows.ts';
import { ChangedMeanwhile } from '../../../components/rows/changed-meanwhile.tsx';
import { goalBrackets } from '../../../components/rows/goal-brackets.ts';
import { knownGovernors, NO_GOVERNORS } from '../../../components/rows/known-governors.ts';
import { EventForm } from './-event-form.tsx';

/** Returns the event's governors and a count of who passes goals, by its public scans; without any, nobody. */
function useGovernors({ dashboard_id, state, snapshots, event }: AdminEvent) {
  const [now] = useState(() => Date.now());
  const shown = snapshots.filter(({ public_at }) => public_at <= now);
  const [start, end] = [shown[0]?.ts ?? 0, shown.at(-1)?.ts ?? 0];
  const isPublic = state !== 'draft' && state !== 'archived' && shown.length > 0;
  const table = useQuery({ ...eventTableQuery(String(dashboard_id), { start, end }), enabled: isPublic }).data;
  const known = useMemo(() => (table ? knownGovernors(table) : NO_GOVERNORS), [table]);
  const rows = useMemo(() => (table ? differenceRows(table) : null), [table]);
  const { game, exempt } = event;
  const scores = useMemo(() => rows && scoredRows(rows, event.game, event), [rows, event]);
  const count = useCallback(
    (goals: readonly Goal[]) => (rows && scores ? goalBrackets(rows, scores, { game, goals, exempt }) : []),
    [rows, scores, game, exempt],
  );
  return { known, count: rows ? count : null };
}

/** The form that changes an event. An edit of a plan that changed meanwhile is refused and shows the difference. */
export function EditEvent({ event, changed }: { event: AdminEvent; changed: () => Promise<void> }) {
  const client = useQueryClient();
  const { dashboard_id: id } = event;
  const { known, count } = useGovernors(event);
  /** The version that is edited; `round` tells a form from the one before it. */
  const [base, setBase] = useState({ plan: event.event, version: event.version, round: 0 });
  const [other, setOther] = useState<AdminEvent | null>(null);
  const read = () => client.fetchQuery({ ...adminEventQuery(String(id)), staleTime: 0 });
  const saving = useMutation({
    mutationFn: ({ plan, seen }: { plan: AdminEvent['event']; seen: string }) => changeEvent(id, plan, seen),
    onSuccess: async () => {
      const { event: plan, version } = await read();
      setOther(null);
      setBase((before) => ({ ...before, plan, version }));
      await changed();
    },
    onError: async (error) => {
      if (error instanceof ApiError && error.status === 409) setOther(await read());
    },
  });
  const mine = saving.variables?.plan;
  return (
    <>
      <EventForm
        key={base.round}
        event={base.plan}
        known={known}
        count={count}
        title={t('Change the event')}
        action={t('Save')}
        sending={{
          isPending: saving.isPending,
          isSuccess: saving.isSuccess,
          // A conflict shows its difference instead.
          error: other ? null : saving.error,
        }}
        send={(plan) => saving.mutate({ plan, seen: base.version })}
        done={saving.isSuccess && t('Saved. Visitors see it within half a minute.')}
      />
      {other && mine && (
        <ChangedMeanwhile
          what={t('This event')}
          differences={planChanges(base.plan, other.event).map((change) => ({ ...change, key: change.what }))}
          saving={saving.isPending}
          keep={() => saving.mutate({ plan: mine, seen: other.version })}
          take={() => {
            setBase({ plan: other.event, version: other.version, round: base.round + 1 });
            setOther(null);
            saving.reset();
          }}
        />
      )}
    </>
  );
}
