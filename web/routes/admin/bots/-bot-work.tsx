import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { message, t } from '../../../../domain/language/text.ts';
import type { Bot } from '../../../api/admin.ts';
import { actOnBot, type BotWork, botWorkQuery } from '../../../api/admin-fleet.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { Facts, Nothing } from '../../../components/panel.tsx';
import { exact } from '../../../format.ts';
import type { Column } from '../../../table/column.ts';
import { Table } from '../../../table/table.tsx';
import layout from '../../../ui/layout.module.css';
import { T } from '../../../ui/text.tsx';
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
  { id: 'at', title: message('Ended'), cell: ({ at }) => <Time at={at} /> },
  { id: 'order', title: message('Order'), cell: ({ order_id }) => <OrderLink id={order_id} /> },
  {
    id: 'what',
    title: message('What'),
    cell: ({ game, kingdom_id, from_rank, to_rank }) =>
      t('{game} {kingdom}, ranks {from}–{to}', {
        game: game.toUpperCase(),
        kingdom: kingdom_id,
        from: exact(from_rank),
        to: exact(to_rank),
      }),
  },
  { id: 'outcome', title: message('Outcome'), grow: true, wraps: true, cell: ({ reason }) => reason ?? t('done') },
];

/** Returns the share of attempts that brought rows, in words. */
const successText = ({ done_last_day, failed_last_day }: BotWork): string => {
  const all = done_last_day + failed_last_day;
  if (all === 0) return t('no task in 24 hours');
  return t('{percent} % of {tasks}', { percent: exact(Math.round((100 * done_last_day) / all)), tasks: exact(all) });
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
          label={paused ? t('Resume') : t('Pause')}
          title={paused ? t('Resume {name}', { name: bot_id }) : t('Pause {name}', { name: bot_id })}
          about={
            paused
              ? t('It gets work again.')
              : t('It finishes what it holds and gets no more work until it is resumed.')
          }
          act={async (form) =>
            (await actOnBot(bot_id, paused ? 'resume' : 'pause', { group_id, reason: textOf(form, 'reason') })).msg
          }
        />
        <Act
          label={t('Retire')}
          title={t('Retire {bot_id}', { bot_id })}
          about={t('It leaves the list and gets no work. What it holds goes to others.')}
          disabled={rest === 'retired'}
          act={async (form) => (await actOnBot(bot_id, 'retire', { group_id, reason: textOf(form, 'reason') })).msg}
        />
        {rest && (
          <span className={layout.quiet}>
            <T of="This bot gets no work: {rest}." rest={rest} />
          </span>
        )}
      </div>
      {work && (
        <>
          <Facts
            facts={[
              [t('Success'), successText(work)],
              [t('Ranks in the last hour'), exact(work.rows_last_hour)],
              [t('Leases in hand'), exact(work.in_hand.length)],
              ...work.in_hand.map(
                ({ subtask_id, order_id, kingdom_id, from_rank, lease_until }) =>
                  [
                    t('Kingdom {kingdom} from rank {rank}', { kingdom: kingdom_id, rank: exact(from_rank) }),
                    <span key={subtask_id}>
                      <T
                        of="{order}, until {time}"
                        order={<OrderLink id={order_id} />}
                        time={<Time at={lease_until} />}
                      />
                    </span>,
                  ] as const,
              ),
            ]}
          />
          {work.reasons.length > 0 && <Reasons reasons={work.reasons} />}
          {work.tasks.length === 0 ? (
            <Nothing>{t('It has ended no task yet.')}</Nothing>
          ) : (
            <Table
              label={t('Last tasks of {bot_id}', { bot_id })}
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
