import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { GAMES } from '../../../../domain/games/games.ts';
import {
  type AdminEvent,
  actOnEvent,
  adminEventQuery,
  type EventAct,
  type LoadedSnapshot,
  loadSnapshot,
  removeSnapshot,
} from '../../../api/admin-events.ts';
import { ApiError, messageOf } from '../../../api/client.ts';
import { dashboardPath } from '../../../api/events.ts';
import { Confirmation } from '../../../components/confirmation.tsx';
import { textOf } from '../../../components/entry-page.tsx';
import { FormCard } from '../../../components/form-card.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { INVALID_TIME, parseTime } from '../../../form-times.ts';
import { counted, exact, ownTime } from '../../../format.ts';
import type { Column } from '../../../table/column.ts';
import { Table } from '../../../table/table.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { Skeletons } from '../../../ui/skeleton.tsx';
import { Time } from '../../../ui/time.tsx';

/** Loaded apart: it shares rows and scoring with comparisons. */
const EditEvent = lazy(async () => ({ default: (await import('./-edit-event.tsx')).EditEvent }));

export const Route = createFileRoute('/admin/events/$eventId')({
  loader: ({ context, params }) => {
    void context.client.prefetchQuery(adminEventQuery(params.eventId));
  },
  component: EventAdmin,
});

function EventAdmin() {
  const { eventId } = Route.useParams();
  const event = useQuery(adminEventQuery(eventId));
  return (
    <>
      <title>{`${event.data?.event.name ?? 'Event'} · Muster`}</title>
      <Loaded query={event} what="the event" heights={['8rem', '20rem']}>
        {(data) => <Event key={data.dashboard_id} event={data} />}
      </Loaded>
    </>
  );
}

/** Returns a function that refetches the event here and on its dashboard. */
function useChanged(id: number): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: ['admin', 'events'] });
    await client.invalidateQueries({ queryKey: ['event', String(id)] });
  };
}

function Event({ event }: { event: AdminEvent }) {
  const id = event.dashboard_id;
  const changed = useChanged(id);
  return (
    <>
      <h2>{event.event.name}</h2>
      <p className={layout.wrap}>
        {event.state !== 'draft' && (
          <Link {...dashboardPath({ game: event.event.game, dashboard_id: id })} className={buttonClass('primary')}>
            Open the dashboard
          </Link>
        )}
        <Acts event={event} changed={changed} />
        <Link to="/admin/events/new" search={{ from: id }} className={buttonClass()}>
          Clone
        </Link>
      </p>
      {event.state === 'draft' && (
        <Notice>This is a draft: visitors do not see it, and nothing is scanned for it until it is published.</Notice>
      )}
      <Snapshots event={event} changed={changed} />
      <LoadForm event={event} changed={changed} />
      <Gatherings event={event} />
      <Suspense fallback={<Skeletons what="the form" heights={['40rem']} />}>
        <EditEvent event={event} changed={changed} />
      </Suspense>
    </>
  );
}

const ACTS: Readonly<Record<AdminEvent['state'], readonly [EventAct, string][]>> = {
  draft: [
    ['publish', 'Publish'],
    ['archive', 'Archive'],
  ],
  upcoming: [
    ['close', 'Close'],
    ['archive', 'Archive'],
  ],
  running: [
    ['refresh', 'Scan now'],
    ['close', 'Close'],
  ],
  ended: [
    ['reopen', 'Open again'],
    ['archive', 'Archive'],
  ],
  archived: [['reopen', 'Open again']],
};

function Acts({ event, changed }: { event: AdminEvent; changed: () => Promise<void> }) {
  const acting = useMutation({
    mutationFn: (act: EventAct) => actOnEvent(event.dashboard_id, act),
    onSuccess: changed,
  });
  return (
    <>
      {ACTS[event.state].map(([act, title]) => (
        <Button key={act} busy={acting.isPending && acting.variables === act} onClick={() => acting.mutate(act)}>
          {title}
        </Button>
      ))}
      {acting.isError && <Notice tone="danger">{messageOf(acting.error)}</Notice>}
    </>
  );
}

type Snapshot = AdminEvent['snapshots'][number];

function Snapshots({ event, changed }: { event: AdminEvent; changed: () => Promise<void> }) {
  const [toDelete, setToDelete] = useState<number | null>(null);
  const removing = useMutation({
    mutationFn: () => (toDelete === null ? Promise.resolve() : removeSnapshot(event.dashboard_id, toDelete)),
    onSuccess: changed,
  });
  const columns: Column<Snapshot>[] = [
    { id: 'ts', title: 'Scan', grow: true, wraps: true, cell: ({ ts }) => <Time at={ts} /> },
    { id: 'source', title: 'From', cell: ({ source }) => source },
    { id: 'rows', title: 'Rows', figures: true, cell: ({ rows }) => exact(rows) },
    {
      id: 'missing',
      title: 'Missing',
      cell: ({ missing }) => missing.map(({ kingdom }) => kingdom).join(', ') || 'none',
    },
    {
      id: 'replaced',
      title: 'Replaced',
      wraps: true,
      cell: ({ replaced }) =>
        replaced.map(({ kingdom, source, rows }) => `${kingdom}: ${counted(rows, 'row')}, ${source}`).join('; ') ||
        'nothing',
    },
    { id: 'public', title: 'Public', cell: ({ public_at }) => <Time at={public_at} /> },
    {
      id: 'remove',
      title: '',
      cell: ({ ts }) => (
        <Button aria-label={`Remove the scan of ${ownTime(ts)}`} onClick={() => setToDelete(ts)}>
          Remove
        </Button>
      ),
    },
  ];
  return (
    <Panel title="Scans" about="Each combines its kingdoms' scans at one time.">
      {event.snapshots.length === 0 ? (
        <Nothing>No scans yet. The first one runs when the event starts, or load a file.</Nothing>
      ) : (
        <Table
          label="Scans of the event"
          columns={columns}
          rows={event.snapshots.toReversed()}
          rowId={({ ts }) => ts}
        />
      )}
      {toDelete !== null && (
        <Confirmation
          title={`Remove the scan of ${ownTime(toDelete)}?`}
          action="Remove"
          doing={removing}
          close={() => setToDelete(null)}
        >
          From then on all figures of the dashboard are computed without it.
        </Confirmation>
      )}
    </Panel>
  );
}

function LoadForm({ event, changed }: { event: AdminEvent; changed: () => Promise<void> }) {
  const { kingdom } = GAMES[event.event.game];
  const loading = useMutation({
    mutationFn: async (form: FormData) => {
      const file = form.get('file');
      if (!(file instanceof File) || file.size === 0) throw new Error('Choose a file first.');
      const written = textOf(form, 'captured_at');
      const moment = parseTime(written);
      if (written !== '' && moment === null) throw new ApiError(`captured_at: ${INVALID_TIME}`, 400);
      return loadSnapshot(event.dashboard_id, file, moment);
    },
    onSuccess: changed,
  });
  return (
    <FormCard
      title="Load a file as a scan"
      about={`A csv, xlsx, ods or json file with the ${kingdom.many} of the event, up to 20 MB.`}
      action="Load"
      sending={loading}
      done={loading.data && <Result of={loading.data} />}
      onSubmit={loading.mutate}
    >
      <TextField label="File" name="file" type="file" accept=".csv,.xlsx,.ods,.json,.jsonl,.txt" required />
      <TextField
        label="Scanned at"
        name="captured_at"
        type="datetime-local"
        help="In UTC. Leave empty to take it from the file or its name."
      />
    </FormCard>
  );
}

const PROBLEMS_SHOWN = 10;

const Result = ({ of }: { of: LoadedSnapshot }) => (
  <>
    {of.repeated
      ? 'This file was loaded before'
      : `Loaded: ${counted(of.rows, 'row')} of ${counted(of.kingdoms.length, 'kingdom')}`}
    , as the scan of <Time at={of.ts} />.
    {of.problems.length > 0 && (
      <ul>
        {of.problems.slice(0, PROBLEMS_SHOWN).map(({ line, sheet, column, reason }) => (
          <li key={`${sheet} ${line} ${column} ${reason}`}>
            {[sheet, line !== null && `line ${line}`, column].filter(Boolean).join(', ')}: {reason}
          </li>
        ))}
        {of.problems.length > PROBLEMS_SHOWN && <li>and {exact(of.problems.length - PROBLEMS_SHOWN)} more lines</li>}
      </ul>
    )}
  </>
);

type Gathering = AdminEvent['refreshes'][number];

const GATHERINGS: readonly Column<Gathering>[] = [
  { id: 'due', title: 'Due', cell: ({ due_at }) => <Time at={due_at} /> },
  { id: 'state', title: 'State', cell: ({ state }) => state },
  { id: 'in', title: 'Kingdoms in', figures: true, cell: (each) => `${exact(each.in)} of ${exact(each.kingdoms)}` },
  { id: 'msg', title: 'Result', grow: true, wraps: true, cell: ({ msg }) => msg || '–' },
];

const Gatherings = ({ event }: { event: AdminEvent }) =>
  event.refreshes.length > 0 && (
    <Panel title="Scan runs" about="Newest first.">
      <Table label="Scan runs" columns={GATHERINGS} rows={event.refreshes} rowId={({ due_at }) => due_at} />
    </Panel>
  );
