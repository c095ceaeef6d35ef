import { useQuery } from '@tanstack/react-query';
import { GAMES } from '../../../../domain/games/games.ts';
import { message, t } from '../../../../domain/language/text.ts';
import { type FleetState, fleetQuery } from '../../../api/admin-fleet.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { Panel } from '../../../components/panel.tsx';
import { exact } from '../../../format.ts';
import type { Column } from '../../../table/column.ts';
import { Table } from '../../../table/table.tsx';
import { Unknown } from '../../../ui/unknown.tsx';

type Game = FleetState['games'][number];

/** Returns a span of time in the largest whole unit. */
export function span(seconds: number): string {
  if (seconds < 120) return t('{count} s', { count: exact(seconds) });
  if (seconds < 7200) return t('{count} min', { count: exact(Math.round(seconds / 60)) });
  return t('{count} h', { count: exact(Math.round(seconds / 3600)) });
}

const COLUMNS: readonly Column<Game>[] = [
  { id: 'game', title: message('Game'), sticky: true, cell: ({ game }) => GAMES[game].name },
  { id: 'bots', title: message('Bots online'), figures: true, cell: ({ bots_online }) => exact(bots_online) },
  {
    id: 'customers',
    title: message('Customers'),
    about: message('Subtasks of customers'),
    figures: true,
    cell: ({ lanes }) => exact(lanes.customers),
  },
  {
    id: 'events',
    title: message('Events'),
    about: message('Subtasks of events'),
    figures: true,
    cell: ({ lanes }) => exact(lanes.events),
  },
  { id: 'leased', title: message('Leased'), figures: true, cell: ({ leased }) => exact(leased) },
  {
    id: 'oldest',
    title: message('Oldest'),
    figures: true,
    cell: ({ oldest_seconds }) => (oldest_seconds === null ? '–' : span(oldest_seconds)),
  },
  {
    id: 'old',
    title: message('Over 10 min'),
    figures: true,
    cell: ({ ages }) => exact(ages.hour + ages.longer),
  },
  { id: 'pace', title: message('Done in an hour'), figures: true, cell: ({ done_last_hour }) => exact(done_last_hour) },
  {
    id: 'failed',
    title: message('Failed in an hour'),
    figures: true,
    cell: ({ failed_last_hour }) => exact(failed_last_hour),
  },
  {
    id: 'empty',
    title: message('Empty in'),
    figures: true,
    cell: ({ seconds_to_empty }) =>
      seconds_to_empty === null ? <Unknown why={t('Nothing was done in the last hour.')} /> : span(seconds_to_empty),
  },
];

/** Queues, pace and failures of the whole fleet. */
export function FleetPanel() {
  const fleet = useQuery(fleetQuery);
  return (
    <Panel title={t('Fleet')} about={t('Queues by game, and what the last hour brought.')} wide>
      <Loaded query={fleet} what={t('the state of the fleet')} heights={['8rem']}>
        {({ games, reasons }) => (
          <>
            <Table label={t('Queues')} columns={COLUMNS} rows={games} rowId={({ game }) => game} />
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
      {t('{count, plural, one {# failed attempt in 24 hours} other {# failed attempts in 24 hours}}', {
        count: reasons.reduce((sum, { count }) => sum + count, 0),
      })}
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
