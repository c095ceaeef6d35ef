import { GAME_IDS } from '../../../domain/games/games.ts';
import type { Db } from '../../db/open.ts';
import { fleetNow } from '../../models/fleet/state.ts';
import { countUnsent } from '../../models/messages/outbox.ts';
import { databaseSizes } from '../../models/service/database.ts';
import { serviceTotals } from '../../models/service/overview.ts';

/** Figures of the service as OpenMetrics (https://prometheus.io/docs/specs/om/open_metrics_spec/). */

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

interface Metric {
  name: string;
  type: 'gauge' | 'counter';
  unit?: 'seconds' | 'bytes';
  help: string;
  samples: readonly Sample[];
}

const quoted = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

function written({ name, type, unit, help, samples }: Metric): string {
  const lines = samples.map(([labels, value]) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${quoted(text)}"`);
    return `${name}${type === 'counter' ? '_total' : ''}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`;
  });
  return [
    `# TYPE ${name} ${type}`,
    ...(unit ? [`# UNIT ${name} ${unit}`] : []),
    `# HELP ${name} ${help}`,
    ...lines,
  ].join('\n');
}

/** Returns the figures as text. Figures that are unknown, such as the age of an empty queue, have no sample. */
export async function writeMetrics(db: Db, now = Date.now()): Promise<string> {
  const [{ games }, mails, totals, sizes] = await Promise.all([
    fleetNow(db, GAME_IDS, now),
    countUnsent(db),
    serviceTotals(db),
    databaseSizes(db),
  ]);
  const each = (value: (state: (typeof games)[number]) => number | null): Sample[] =>
    games.flatMap((state) => {
      const figure = value(state);
      return figure === null ? [] : [[{ game: state.game }, figure] as const];
    });
  const metrics: Metric[] = [
    {
      name: 'muster_bots_online',
      type: 'gauge',
      help: 'Bots that were heard of lately.',
      samples: each((state) => state.bots_online),
    },
    {
      ...{ name: 'muster_subtasks_queued', type: 'gauge', help: 'Subtasks that wait or are leased.' },
      samples: games.flatMap(({ game, customers, events }): Sample[] => [
        [{ game, lane: 'customers' }, customers],
        [{ game, lane: 'events' }, events],
      ]),
    },
    {
      name: 'muster_subtasks_leased',
      type: 'gauge',
      help: 'Subtasks leased to bots.',
      samples: each(({ leased }) => leased),
    },
    {
      ...{
        name: 'muster_queue_oldest_seconds',
        type: 'gauge',
        unit: 'seconds',
        help: 'Age of the first of the queue.',
      },
      samples: each(({ oldest_due }) => (oldest_due === null ? null : Math.max(0, (now - oldest_due) / 1000))),
    },
    {
      ...{ name: 'muster_subtasks_done_last_hour', type: 'gauge', help: 'Subtasks done in the last hour.' },
      samples: each((state) => state.done_last_hour),
    },
    {
      ...{ name: 'muster_attempts_failed_last_hour', type: 'gauge', help: 'Failed attempts of the last hour.' },
      samples: each((state) => state.failed_last_hour),
    },
    {
      name: 'muster_alerts_open',
      type: 'gauge',
      help: 'Problems that admins were alerted to.',
      samples: [[{}, totals.alerts]],
    },
    {
      name: 'muster_reports_open',
      type: 'gauge',
      help: 'Reports of users that wait for an answer.',
      samples: [[{}, totals.reports]],
    },
    { name: 'muster_orders', type: 'counter', help: 'Orders placed.', samples: [[{}, totals.orders]] },
    { name: 'muster_users', type: 'gauge', help: 'Accounts.', samples: [[{}, totals.users]] },
    {
      ...{ name: 'muster_mails_unsent', type: 'gauge', help: 'Mails that wait or were given up.' },
      samples: [
        [{ state: 'waiting' }, mails.waiting],
        [{ state: 'failed' }, mails.failed],
      ],
    },
    {
      ...{ name: 'muster_database_bytes', type: 'gauge', unit: 'bytes', help: 'Size of the fullest database.' },
      samples: [[{}, sizes.fullest]],
    },
  ];
  return `${metrics.map(written).join('\n')}\n# EOF\n`;
}
