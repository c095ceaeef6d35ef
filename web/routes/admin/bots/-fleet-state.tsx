import { useQuery } from '@tanstack/react-query';
import { GAMES } from '../../../../domain/games/games.ts';
import { type FleetState, fleetQuery } from '../../../api/admin-fleet.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { Panel } from '../../../components/panel.tsx';
import { counted, exact } from '../../../format.ts';
import type { Column } from '../../../table/column.ts';
import { Table } from '../../../table/table.tsx';
import { Unknown } from '../../../ui/unknown.tsx';

type Game = FleetState['games'][number];

/** Returns a span of time in the largest whole unit. */
export function span(seconds: number): string {
  if (seconds < 120) return `${exact(seconds)} s`;
  if (seconds < 7200) return `${exact(Math.round(seconds / 60))} min`;
  return `${exact(Math.round(seconds / 3600))} h`;
}

const COLUMNS: readonly Column<Game>[] = [
  { id: 'game', title: 'Game', sticky: true, cell: ({ game }) => GAMES[game].name },
  { id: 'bots', title: 'Bots online', figures: true, cell: ({ bots_online }) => exact(bots_online) },
  {
    id: 'customers',
    title: 'Customers',
    about: 'Subtasks of customers',
    figures: true,
    cell: ({ lanes }) => exact(lanes.customers),
  },
  {
    id: 'events',
    title: 'Events',
    about: 'Subtasks of events',
    figures: true,
    cell: ({ lanes }) => exact(lanes.events),
  },
  { id: 'leased', title: 'Leased', figures: true, cell: ({ leased }) => exact(leased) },
  {
    id: 'oldest',
    title: 'Oldest',
    figures: true,
    cell: ({ oldest_seconds }) => (oldest_seconds === null ? '–' : span(oldest_seconds)),
  },
  {
    id: 'old',
    title: 'Over 10 min',
    figures: true,
    cell: ({ ages }) => exact(ages.hour + ages.longer),
  },
  { id: 'pace', title: 'Done in an hour', figures: true, cell: ({ done_last_hour }) => exact(done_last_hour) },
  { id: 'failed', title: 'Failed in an hour', figures: true, cell: ({ failed_last_hour }) => exact(failed_last_hour) },
  {
    id: 'empty',
    title: 'Empty in',
    figures: true,
    cell: ({ seconds_to_empty }) =>
      seconds_to_empty === null ? <Unknown why="Nothing was done in the last hour." /> : span(seconds_to_empty),
  },
];

/** Queues, pace and failures of the whole fleet. */
export function FleetPanel() {
  const fleet = useQuery(fleetQuery);
  return (
    <Panel title="Fleet" about="Queues by game, and what the last hour brought." wide>
      <Loaded query={fleet} what="the state of the fleet" heights={['8rem']}>
        {({ games, reasons }) => (
          <>
            <Table label="Queues" columns={COLUMNS} rows={games} rowId={({ game }) => game} />
            {reasons.length > 0 && <Reasons reasons={reasons} />}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** Why attempts of the last day failed. */
export const Reasons = ({ reasons }: { reasons: FleetState['reasons'] }) => (
  <details>
    <summary>
      {counted(
        reasons.reduce((sum, { count }) => sum + count, 0),
        'failed attempt',
      )}{' '}
      in 24 hours
    </summary>
    <ul>
      {reasons.map(({ reason, count }) => (
        <li key={reason}>
          {exact(count)} × {reason}
        </li>
      ))}
    </ul>
  </details>
);
