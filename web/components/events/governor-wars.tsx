import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { dashboardPath, type GovernorWar, governorWarsQuery } from '../../api/events.ts';
import { capital, exact } from '../../format.ts';
import type { Column } from '../../table/column.ts';
import { Table, Under } from '../../table/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Gain } from '../difference/gain.tsx';
import { Panel } from '../panel.tsx';
import { RoomLink } from './room-link.tsx';

const share = (value: number | null): string => (value === null ? '?' : `${value.toFixed(1)}%`);
const ranked = (rank: number | null, of: number) => (
  <>
    {rank === null ? '?' : `#${exact(rank)}`}
    <Under>of {exact(of)}</Under>
  </>
);

const gainColumn = (key: string, title: string): Column<GovernorWar> => ({
  id: key,
  title,
  figures: true,
  cell: ({ gains }) => <Gain value={gains[key] ?? null} />,
});

const columnsFor = (game: GameId): Column<GovernorWar>[] => [
  {
    id: 'event',
    title: 'Event',
    grow: true,
    sticky: true,
    cell: (war) => (
      <>
        <Link {...dashboardPath(war)}>{war.event}</Link>
        <Under>
          <RoomLink meta={war} kingdom={war.kingdom}>
            {capital(GAME_NAMES[game].kingdom.one)} {war.kingdom}
          </RoomLink>{' '}
          · {war.camp} · <Time at={war.range.end} />
        </Under>
      </>
    ),
  },
  {
    id: 'dkp',
    title: 'DKP',
    about: 'Guarded score of the whole event',
    figures: true,
    cell: ({ dkp, doubt }) => (
      <>
        <strong>
          <Gain value={dkp} />
        </strong>
        {doubt && <Under>unverified</Under>}
      </>
    ),
  },
  { id: 'event_rank', title: 'Rank', figures: true, cell: ({ event_rank, event_of }) => ranked(event_rank, event_of) },
  {
    id: 'rank',
    title: `In the ${GAME_NAMES[game].kingdom.one}`,
    figures: true,
    cell: ({ rank, of }) => ranked(rank, of),
  },
  {
    id: 'percentile',
    title: 'Percentile',
    about: `Percent of the ${GAME_NAMES[game].kingdom.one}’s other scores that are lower`,
    figures: true,
    cell: ({ percentile }) => share(percentile),
  },
  { id: 'goal', title: 'Goal', figures: true, cell: ({ goal }) => (goal === null ? '' : share(goal)) },
  ...(game === 'rok' ? [gainColumn('killcount_t4', 'T4 kills'), gainColumn('killcount_t5', 'T5 kills')] : []),
  gainColumn(GAME_NAMES[game].roles.deads, 'Deads'),
];

/** What a governor did in each public event; nothing if no event has them. */
export default function GovernorWars({ game, id }: { game: GameId; id: number }) {
  const wars = useQuery(governorWarsQuery(id)).data?.wars.filter((war) => war.game === game) ?? [];
  if (wars.length === 0) return null;
  return (
    <Panel title="Wars" about="Public events, newest first">
      <Table label="Wars" columns={columnsFor(game)} rows={wars} rowId={({ dashboard_id }) => dashboard_id} />
    </Panel>
  );
}
