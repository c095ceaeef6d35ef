import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { centsOf } from '../../../domain/money/money.ts';
import { type AdminOrder, adminOrdersQuery } from '../../api/admin.ts';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Nothing } from '../../components/panel.tsx';
import { exact, money } from '../../format.ts';
import type { Column } from '../../table/column.ts';
import { Table } from '../../table/table.tsx';
import { Time } from '../../ui/time.tsx';

export const Route = createFileRoute('/admin/orders')({
  loader: ({ context }) => {
    void context.client.prefetchInfiniteQuery(adminOrdersQuery);
  },
  component: AdminOrders,
});

function stateOf({ item_count, done_count, failed_count, cancelled_count }: AdminOrder): string {
  const open = item_count - done_count - failed_count - cancelled_count;
  const parts = [
    [done_count, 'done'],
    [open, 'open'],
    [failed_count, 'failed'],
    [cancelled_count, 'cancelled'],
  ] as const;
  return parts.flatMap(([count, word]) => (count > 0 ? [`${exact(count)} ${word}`] : [])).join(', ');
}

const COLUMNS: readonly Column<AdminOrder>[] = [
  { id: 'order', title: 'Order', figures: true, cell: ({ order_id }) => order_id },
  { id: 'placed', title: 'Placed', cell: ({ placed_at }) => <Time at={placed_at} /> },
  { id: 'user', title: 'User', cell: ({ username }) => username },
  { id: 'items', title: 'Items', figures: true, cell: ({ item_count }) => exact(item_count) },
  { id: 'state', title: 'State', cell: stateOf, grow: true },
  { id: 'total', title: 'Total', figures: true, cell: ({ total }) => money(centsOf(total) ?? 0) },
  { id: 'returned', title: 'Returned', figures: true, cell: ({ returned }) => money(centsOf(returned) ?? 0) },
];

function AdminOrders() {
  const orders = useInfiniteQuery(adminOrdersQuery);
  const rows = orders.data?.pages.flatMap((page) => page.orders) ?? [];
  return (
    <>
      <title>Orders of everybody · Muster</title>
      <Loaded query={orders} what="the orders" heights={['20rem']}>
        {() =>
          rows.length === 0 ? (
            <Nothing>Nobody has ordered anything yet.</Nothing>
          ) : (
            <Table label="Orders of everybody" columns={COLUMNS} rows={rows} rowId={({ order_id }) => order_id} />
          )
        }
      </Loaded>
      <More of={orders}>Older orders</More>
    </>
  );
}
