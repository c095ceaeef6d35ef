import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RANKS_PER_SUBTASK } from '../../../../domain/orders/catalogue.ts';
import type { Bot } from '../../../api/admin.ts';
import { actOnBot, type BotWork, botWorkQuery } from '../../../api/admin-fleet.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { Facts, Nothing } from '../../../components/panel.tsx';
import { exact } from '../../../format.ts';
import type { Column } from '../../../table/column.ts';
import { Table } from '../../../table/table.tsx';
import layout from '../../../ui/layout.module.css';
import { Time } from '../../../ui/time.tsx';
import { Act } from '../-act.tsx';
import { Reasons } from './-fleet-state.tsx';

type Task = BotWork['tasks'][number];

const OrderLink = ({ id }: { id: number }) => (
  <Link to="/admin/orders/$orderId" params={{ orderId: String(id) }}>
    #{id}
  </Link>
);

const TASKS: readonly Column<Task>[] = [
  { id: 'at', title: 'Ended', cell: ({ at }) => <Time at={at} /> },
  { id: 'order', title: 'Order', cell: ({ order_id }) => <OrderLink id={order_id} /> },
  {
    id: 'what',
    title: 'What',
    cell: ({ game, kingdom_id, from_rank }) =>
      `${game.toUpperCase()} ${kingdom_id}, ranks ${exact(from_rank)}–${exact(from_rank + RANKS_PER_SUBTASK - 1)}`,
  },
  { id: 'outcome', title: 'Outcome', grow: true, wraps: true, cell: ({ reason }) => reason ?? 'done' },
];

/** Returns the share of attempts that brought rows, in words. */
const successText = ({ done_last_day, failed_last_day }: BotWork): string => {
  const all = done_last_day + failed_last_day;
  return all === 0 ? 'no task in 24 hours' : `${exact(Math.round((100 * done_last_day) / all))} % of ${exact(all)}`;
};

/** Shows a bot's latest tasks and success rate, with buttons to pause, resume or retire it. */
export function BotPanel({ bot }: { bot: Bot }) {
  const { bot_id, group_id, rest } = bot;
  const work = useQuery(botWorkQuery(bot_id)).data?.find((each) => each.group_id === group_id);
  const paused = rest === 'paused' || rest === 'retired';
  return (
    <>
      <div className={layout.row}>
        <Act
          label={paused ? 'Resume' : 'Pause'}
          title={`${paused ? 'Resume' : 'Pause'} ${bot_id}`}
          about={
            paused ? 'It gets work again.' : 'It finishes what it holds and gets no more work until it is resumed.'
          }
          act={async (form) =>
            (await actOnBot(bot_id, paused ? 'resume' : 'pause', { group_id, reason: textOf(form, 'reason') })).msg
          }
        />
        <Act
          label="Retire"
          title={`Retire ${bot_id}`}
          about="It leaves the list and gets no work. What it holds goes to others."
          disabled={rest === 'retired'}
          act={async (form) => (await actOnBot(bot_id, 'retire', { group_id, reason: textOf(form, 'reason') })).msg}
        />
        {rest && <span className={layout.quiet}>This bot gets no work: {rest}.</span>}
      </div>
      {work && (
        <>
          <Facts
            facts={[
              ['Success', successText(work)],
              ['Ranks in the last hour', exact(work.rows_last_hour)],
              ['Leases in hand', exact(work.in_hand.length)],
              ...work.in_hand.map(
                ({ subtask_id, order_id, kingdom_id, from_rank, lease_until }) =>
                  [
                    `Kingdom ${kingdom_id} from rank ${exact(from_rank)}`,
                    <span key={subtask_id}>
                      <OrderLink id={order_id} />, until <Time at={lease_until} />
                    </span>,
                  ] as const,
              ),
            ]}
          />
          {work.reasons.length > 0 && <Reasons reasons={work.reasons} />}
          {work.tasks.length === 0 ? (
            <Nothing>It has ended no task yet.</Nothing>
          ) : (
            <Table
              label={`Last tasks of ${bot_id}`}
              columns={TASKS}
              rows={work.tasks}
              rowId={({ at, item_id, from_rank }) => `${at} ${item_id} ${from_rank}`}
            />
          )}
        </>
      )}
    </>
  );
}
