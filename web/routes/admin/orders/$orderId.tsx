import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { labelled, message, t, words } from '../../../../domain/language/text.ts';
import { ENTRY_TITLES } from '../../../../domain/money/entry-titles.ts';
import { centsOf, dollars } from '../../../../domain/money/money.ts';
import { noteText } from '../../../../domain/money/notes.ts';
import { centsIn } from '../../../../domain/money/typed-cents.ts';
import type { OrderAct } from '../../../../domain/orders/admin-contract.ts';
import { refusalOf, standingOf } from '../../../../domain/orders/order.ts';
import { reasonText } from '../../../../domain/orders/reasons.ts';
import { actOnOrder, adminOrderQuery, returnMoney, type WholeOrder } from '../../../api/admin-orders.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Facts, Nothing, Panel, Panels } from '../../../components/panel.tsx';
import { counted, exact, money, numbered, usd } from '../../../format.ts';
import type { Column } from '../../../table/column.ts';
import { Table, Under } from '../../../table/table.tsx';
import { TextField } from '../../../ui/field.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import { Act, saidIn } from '../-act.tsx';
import { ReportCard } from '../-report-card.tsx';
import { STANDINGS, standingsText } from './index.tsx';
import styles from './order.module.css';

export const Route = createFileRoute('/admin/orders/$orderId')({
  loader: ({ context, params }) => {
    void context.client.prefetchQuery(adminOrderQuery(Number(params.orderId)));
  },
  component: OrderPage,
});

type Item = WholeOrder['items'][number];

function OrderPage() {
  const { orderId } = Route.useParams();
  const order = useQuery(adminOrderQuery(Number(orderId)));
  return (
    <>
      <title>{t('Order #{orderId} · Muster', { orderId })}</title>
      <p>
        <Link to="/admin/orders">{t('All orders')}</Link>
      </p>
      <Loaded query={order} what={t('the order')} heights={['10rem', '16rem']}>
        {(whole) => <Whole order={whole} />}
      </Loaded>
    </>
  );
}

function Whole({ order }: { order: WholeOrder }) {
  return (
    <div className={layout.stack}>
      <Panel title={t('Order #{order_id}', { order_id: order.order_id })} about={standingsText(order.standings)}>
        <Facts
          facts={[
            [
              t('User'),
              <Link key="user" to="/admin/accounts/$userId" params={{ userId: order.user_id }}>
                {order.username}
              </Link>,
            ],
            [t('E-mail'), order.email],
            [t('Placed'), <Time key="placed" at={order.placed_at} />],
            [t('Total'), usd(order.total)],
            [t('Returned'), usd(order.returned)],
            ...(order.schedule_id === null
              ? []
              : [[t('Run of schedule'), numbered(String(order.schedule_id))] as const]),
          ]}
        />
        <OrderActs order={order} items={order.items} itemId={null} />
      </Panel>
      {order.reports.map((report) => (
        <ReportCard key={report.report_id} report={{ ...report, ...order }} />
      ))}
      <Panel
        title={t('Items')}
        about={
          order.items.length < order.item_count
            ? t('The first {shown} of {items}, those that are not done first.', {
                shown: exact(order.items.length),
                items: exact(order.item_count),
              })
            : undefined
        }
        wide
      >
        <Table
          label={t('Items')}
          columns={COLUMNS}
          rows={order.items}
          rowId={({ item_id }) => item_id}
          detail={(item) => <ItemDetail order={order} item={item} />}
        />
      </Panel>
      <Panels broad>
        <Timeline order={order} />
        <Panel title={t('Ledger')}>
          {order.ledger.length === 0 ? (
            <Nothing>{t('No money has moved.')}</Nothing>
          ) : (
            <Table label={t('Ledger')} columns={LEDGER} rows={order.ledger} rowId={({ entry_id }) => entry_id} />
          )}
        </Panel>
      </Panels>
    </div>
  );
}

const LEDGER: readonly Column<WholeOrder['ledger'][number]>[] = [
  { id: 'time', title: message('Time'), cell: ({ created_at }) => <Time at={created_at} /> },
  {
    id: 'note',
    title: message('What'),
    grow: true,
    wraps: true,
    cell: ({ kind, note }) => noteText(note) || words(ENTRY_TITLES[kind]),
  },
  { id: 'amount', title: message('Amount'), figures: true, cell: ({ amount }) => usd(amount) },
];

const COLUMNS: readonly Column<Item>[] = [
  {
    id: 'kingdom',
    title: message('Item'),
    sticky: true,
    cell: ({ game, kingdom_id, product_name }) => (
      <>
        {game.toUpperCase()} {kingdom_id}
        <Under>{words(product_name)}</Under>
      </>
    ),
  },
  { id: 'state', title: message('State'), cell: (item) => words(STANDINGS[standingOf(item)]) },
  {
    id: 'progress',
    title: message('Subtasks'),
    figures: true,
    // Subtasks of delivered items are deleted in time; those of cancelled items are kept.
    cell: ({ state, subtask_count, incomplete_count, failed_count, subtasks }) =>
      t('{done} of {whole}', {
        done: exact(state === 'cancelled' ? (subtasks.done ?? 0) : subtask_count - incomplete_count - failed_count),
        whole: exact(subtask_count),
      }),
  },
  { id: 'failed', title: message('Failed'), figures: true, cell: ({ failed_count }) => exact(failed_count) },
  {
    id: 'why',
    title: message('Why'),
    grow: true,
    wraps: true,
    wide: true,
    cell: ({ trouble, error }) => trouble ?? error ?? '–',
  },
  { id: 'price', title: message('Price'), figures: true, cell: ({ price }) => usd(price) },
  {
    id: 'returned',
    title: message('Returned'),
    figures: true,
    cell: ({ returned }) => (returned ? usd(returned) : '–'),
  },
];

/** Results of an item and what can be done with it. */
function ItemDetail({ order, item }: { order: WholeOrder; item: Item }) {
  const trouble = item.trouble ?? (item.error && reasonText(item.error));
  return (
    <div className={styles.detail}>
      {trouble && <Notice>{trouble}</Notice>}
      {item.snapshots.map(({ version, captured_at, rows, flawed }) => (
        <p key={version} className={layout.quiet}>
          <T
            of={
              flawed > 0
                ? '{results}: {rows}, {flawed} badly read, scanned {time}'
                : '{results}: {rows}, scanned {time}'
            }
            results={version === 1 ? t('Results') : t('Results of repair {number}', { number: version - 1 })}
            rows={counted(rows, 'row')}
            flawed={exact(flawed)}
            time={<Time at={captured_at} />}
          />
        </p>
      ))}
      <OrderActs order={order} items={[item]} itemId={item.item_id} />
    </div>
  );
}

const WORDS: Record<OrderAct, { label: string; about: string }> = {
  retry: {
    label: message('Retry'),
    about: message(
      'Puts unfinished subtasks back at the head of the queue, for any bot and with all of their attempts.',
    ),
  },
  repair: {
    label: message('Repair'),
    about: message('Bots read again what failed or was badly read. It costs nothing.'),
  },
  cancel: {
    label: message('Cancel'),
    about: message('Stops items without results. Their price returns to the balance.'),
  },
  finish: {
    label: message('Finish with what there is'),
    about: message(
      'Delivers the rows that have arrived. The customer can repair the rest; otherwise its price returns within a day.',
    ),
  },
};

/** Whether one of the items may take an act. The server decides again. */
function allows(act: OrderAct, items: readonly Item[]): boolean {
  if (act === 'retry') return items.some(({ state }) => state === 'open');
  if (act === 'finish') return items.some(({ state, subtasks }) => state === 'open' && (subtasks.done ?? 0) > 0);
  return items.some((item) => refusalOf(act, item) === null);
}

function OrderActs({
  order: { order_id },
  items,
  itemId,
}: {
  order: WholeOrder;
  items: readonly Item[];
  itemId: string | null;
}) {
  const [only] = items;
  const what =
    itemId === null
      ? t('order #{order_id}', { order_id })
      : t('kingdom {kingdom} of order #{order_id}', { kingdom: only?.kingdom_id ?? '', order_id });
  const left = itemId === null || !only ? 0 : (centsOf(only.price) ?? 0) - (centsOf(only.returned) ?? 0);
  return (
    <div className={layout.row}>
      {(Object.keys(WORDS) as OrderAct[]).map((act) => (
        <Act
          key={act}
          label={words(WORDS[act].label)}
          title={labelled(words(WORDS[act].label), what)}
          about={words(WORDS[act].about)}
          disabled={!allows(act, items)}
          act={async (form) =>
            (await actOnOrder(order_id, act, { item_id: itemId, reason: textOf(form, 'reason') })).msg
          }
        />
      ))}
      {itemId !== null && (
        <Act
          label={t('Return money')}
          title={t('Return money for {what}', { what })}
          about={t('At most {left}. The customer reads the reason in the statement.', { left: money(left) })}
          disabled={left === 0}
          proof
          act={async (form, key) => {
            const { returned } = await returnMoney(order_id, {
              item_id: itemId,
              amount: centsIn(textOf(form, 'amount')) ?? 0,
              ...saidIn(form),
              key,
            });
            return t('{amount} returned in all.', { amount: usd(returned) });
          }}
        >
          <TextField
            label={t('Amount in USD')}
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            required
            defaultValue={String(dollars(left))}
          />
        </Act>
      )}
    </div>
  );
}

const Timeline = ({ order: { timeline } }: { order: WholeOrder }) => (
  <Panel title={t('What happened')}>
    <ol className={styles.timeline}>
      {timeline.map(({ at, kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no id and keep their order.
        <li key={index} data-kind={kind}>
          <span className={layout.quiet}>
            <Time at={at} />
          </span>
          <span className={styles.text}>{text}</span>
        </li>
      ))}
    </ol>
  </Panel>
);
