import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { labelled, listed, message, t, words } from '../../../../domain/language/text.ts';
import {
  type AdminEvent,
  actOnEvent,
  adminEventQuery,
  type EventAct,
  type LoadedSnapshot,
  loadSnapshot,
  removeSnapshot,
} from '../../../api/admin-events.ts';
import { fieldError } from '../../../api/client.ts';
import { dashboardPath } from '../../../api/events.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { FormCard } from '../../../components/form-card.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { INVALID_TIME, parseTime } from '../../../form-times.ts';
import { counted, exact, ownTime } from '../../../format.ts';
import type { Column } from '../../../table/column.ts';
import { Table } from '../../../table/table.tsx';
import { buttonClass } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { Skeletons } from '../../../ui/skeleton.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import { Act, codeIn } from '../-act.tsx';

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
      <title>{t('{title} · Muster', { title: event.data?.event.name ?? t('Event') })}</title>
      <Loaded query={event} what={t('the event')} heights={['8rem', '20rem']}>
        {(data) => <Event key={data.dashboard_id} event={data} />}
      </Loaded>
    </>
  );
}

/** Returns a function that refetches the event's dashboard. `Act` refetches the event here. */
function useDashboardChanged(id: number): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['event', String(id)] });
}

/** Returns a function that refetches the event here and on its dashboard. */
function useChanged(id: number): () => Promise<void> {
  const client = useQueryClient();
  const dashboardChanged = useDashboardChanged(id);
  return async () => {
    await client.invalidateQueries({ queryKey: ['admin', 'events'] });
    await dashboardChanged();
  };
}

function Event({ event }: { event: AdminEvent }) {
  const id = event.dashboard_id;
  const changed = useChanged(id);
  return (
    <>
      <h2>{event.event.name}</h2>
      <div className={layout.wrap}>
        {event.state !== 'draft' && (
          <Link {...dashboardPath({ game: event.event.game, dashboard_id: id })} className={buttonClass('primary')}>
            {t('Open the dashboard')}
          </Link>
        )}
        <Acts event={event} />
        <Link to="/admin/events/new" search={{ from: id }} className={buttonClass()}>
          {t('Clone')}
        </Link>
      </div>
      {event.state === 'draft' && (
        <Notice>
          {t('This is a draft: visitors do not see it, and nothing is scanned for it until it is published.')}
        </Notice>
      )}
      <Snapshots event={event} />
      <LoadForm event={event} changed={changed} />
      <Gatherings event={event} />
      <Suspense fallback={<Skeletons what={t('the form')} heights={['40rem']} />}>
        <EditEvent event={event} changed={changed} />
      </Suspense>
    </>
  );
}

const ACTS: Readonly<Record<AdminEvent['state'], readonly EventAct[]>> = {
  draft: ['publish', 'archive'],
  upcoming: ['close', 'archive'],
  running: ['refresh', 'close'],
  ended: ['reopen', 'archive'],
  archived: ['reopen'],
};

const ACT_WORDS: Readonly<Record<EventAct, { label: string; about: string }>> = {
  publish: {
    label: message('Publish'),
    about: message('Visitors see it at once, and its scans begin when it starts. Archive it to hide it again.'),
  },
  refresh: {
    label: message('Scan now'),
    about: message('Bots scan all of its kingdoms now. The next scan of the plan follows after its usual time.'),
  },
  close: {
    label: message('End now'),
    about: message('It ends now, and nothing more is scanned for it. Visitors still see it. It can be opened again.'),
  },
  reopen: {
    label: message('Open again'),
    about: message('Visitors see it, and scans go on until its end. If that is over, it stays ended.'),
  },
  archive: {
    label: message('Archive'),
    about: message('Visitors no longer see it, and nothing more is scanned for it. It can be opened again.'),
  },
};

function Acts({ event }: { event: AdminEvent }) {
  const dashboardChanged = useDashboardChanged(event.dashboard_id);
  return ACTS[event.state].map((act) => {
    const { label, about } = ACT_WORDS[act];
    return (
      <Act
        key={act}
        label={words(label)}
        title={labelled(words(label), event.event.name)}
        about={words(about)}
        reason={false}
        act={async () => {
          await actOnEvent(event.dashboard_id, act);
          void dashboardChanged();
          return null;
        }}
      />
    );
  });
}

type Snapshot = AdminEvent['snapshots'][number];

function Snapshots({ event }: { event: AdminEvent }) {
  const dashboardChanged = useDashboardChanged(event.dashboard_id);
  const columns: Column<Snapshot>[] = [
    { id: 'ts', title: t('Scan'), grow: true, wraps: true, cell: ({ ts }) => <Time at={ts} /> },
    { id: 'source', title: t('Source'), cell: ({ source }) => (source === 'bots' ? t('bots') : source) },
    { id: 'rows', title: t('Rows'), figures: true, cell: ({ rows }) => exact(rows) },
    {
      id: 'missing',
      title: t('Missing'),
      cell: ({ missing }) => listed(missing.map(({ kingdom }) => kingdom)) || '–',
    },
    {
      id: 'replaced',
      title: t('Replaced'),
      wraps: true,
      cell: ({ replaced }) =>
        replaced
          .map(({ kingdom, source, rows }) => labelled(String(kingdom), listed([counted(rows, 'row'), source])))
          .join(' · ') || '–',
    },
    { id: 'public', title: t('Public'), cell: ({ public_at }) => <Time at={public_at} /> },
    {
      id: 'remove',
      title: '',
      cell: ({ ts }) => (
        <Act
          label={t('Remove')}
          name={t('Remove the scan of {time}', { time: ownTime(ts) })}
          title={t('Remove the scan of {time}?', { time: ownTime(ts) })}
          about={t('From then on all figures of the dashboard are computed without it. This cannot be undone.')}
          reason={false}
          proof
          act={async (form) => {
            await removeSnapshot(event.dashboard_id, ts, codeIn(form));
            void dashboardChanged();
            return null;
          }}
        />
      ),
    },
  ];
  return (
    <Panel title={t('Scans')} about={t("Each combines its kingdoms' scans at one time.")}>
      {event.snapshots.length === 0 ? (
        <Nothing>{t('No scans yet. The first one runs when the event starts, or load a file.')}</Nothing>
      ) : (
        <Table
          label={t('Scans of the event')}
          columns={columns}
          rows={event.snapshots.toReversed()}
          rowId={({ ts }) => ts}
        />
      )}
    </Panel>
  );
}

function LoadForm({ event, changed }: { event: AdminEvent; changed: () => Promise<void> }) {
  const loading = useMutation({
    mutationFn: async (form: FormData) => {
      const file = form.get('file');
      if (!(file instanceof File) || file.size === 0) throw new Error(t('Choose a file first.'));
      const written = textOf(form, 'captured_at');
      const moment = parseTime(written);
      if (written !== '' && moment === null) throw fieldError('captured_at', INVALID_TIME);
      return loadSnapshot(event.dashboard_id, file, moment);
    },
    onSuccess: changed,
  });
  return (
    <FormCard
      title={t('Load a file as a scan')}
      about={t(
        'A csv, xlsx, ods or json file with the {game, select, cod {servers} other {kingdoms}} of the event, up to 20 MB.',
        { game: event.event.game },
      )}
      action={t('Load')}
      sending={loading}
      done={loading.data && <Result of={loading.data} />}
      onSubmit={loading.mutate}
    >
      <TextField label={t('File')} name="file" type="file" accept=".csv,.xlsx,.ods,.json,.jsonl,.txt" required />
      <TextField
        label={t('Scanned at')}
        name="captured_at"
        type="datetime-local"
        help={t('In UTC. Leave empty to take it from the file or its name.')}
      />
    </FormCard>
  );
}

const PROBLEMS_SHOWN = 10;

const Result = ({ of }: { of: LoadedSnapshot }) => (
  <>
    <T
      of={
        of.repeated
          ? 'This file was loaded before, as the scan of {time}.'
          : 'Loaded: {rows} of {kingdoms}, as the scan of {time}.'
      }
      rows={counted(of.rows, 'row')}
      kingdoms={counted(of.kingdoms.length, 'kingdom')}
      time={<Time at={of.ts} />}
    />
    {of.problems.length > 0 && (
      <ul>
        {of.problems.slice(0, PROBLEMS_SHOWN).map(({ line, sheet, column, reason }) => (
          <li key={`${sheet} ${line} ${column} ${reason}`}>
            {labelled(
              listed([sheet, line === null ? null : t('line {line}', { line }), column].filter((each) => each != null)),
              reason,
            )}
          </li>
        ))}
        {of.problems.length > PROBLEMS_SHOWN && (
          <li>{t('and {count} more lines', { count: exact(of.problems.length - PROBLEMS_SHOWN) })}</li>
        )}
      </ul>
    )}
  </>
);

type Gathering = AdminEvent['refreshes'][number];

const GATHERING_STATES: Record<Gathering['state'], string> = {
  running: message('running'),
  done: message('done'),
  failed: message('failed'),
};

const GATHERINGS: readonly Column<Gathering>[] = [
  { id: 'due', title: message('Due'), cell: ({ due_at }) => <Time at={due_at} /> },
  { id: 'state', title: message('State'), cell: ({ state }) => words(GATHERING_STATES[state]) },
  {
    id: 'in',
    title: message('Kingdoms in'),
    figures: true,
    cell: (each) => t('{done} of {whole}', { done: exact(each.in), whole: exact(each.kingdoms) }),
  },
  { id: 'msg', title: message('Result'), grow: true, wraps: true, cell: ({ msg }) => msg || '–' },
];

const Gatherings = ({ event }: { event: AdminEvent }) =>
  event.refreshes.length > 0 && (
    <Panel title={t('Scan runs')} about={t('Newest first.')}>
      <Table label={t('Scan runs')} columns={GATHERINGS} rows={event.refreshes} rowId={({ due_at }) => due_at} />
    </Panel>
  );
