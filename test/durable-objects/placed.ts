import { env } from 'cloudflare:workers';
import { packColumns } from '../../domain/scans/staged.ts';
import { columnsFor, scanOf, signedInUser } from '../worker/client.ts';

/** Orders with the objects behind them, and what bots deliver for them. */

export interface Subtask {
  id: number;
  number: number;
  item_id: string;
}

/** An order of one kingdom and the object and subtasks behind it. */
export async function place(kingdom: number, governors = 200) {
  const user = await signedInUser();
  const { data } = await user.call('POST', '/v1/order/create', { orders: [scanOf([kingdom], governors)] });
  await env.DB.prepare(`UPDATE subtasks SET bot_id = 'group/bot' WHERE order_id = ?`).bind(data.order_id).run();
  const { results } = await env.DB.prepare(
    `SELECT id, number, item_id FROM subtasks WHERE order_id = ? ORDER BY number`,
  )
    .bind(data.order_id)
    .all<Subtask>();
  return {
    user,
    orderId: data.order_id as number,
    object: env.ORDER_PROGRESS.getByName(String(data.order_id)),
    subtasks: results,
  };
}

/** An order of a hundred governors of each kingdom, with its subtasks in the order of kingdoms. */
export async function placeAll(kingdoms: number[]) {
  const user = await signedInUser();
  const { data } = await user.call('POST', '/v1/order/create', { orders: [scanOf(kingdoms)] });
  const { results } = await env.DB.prepare(
    `SELECT subtasks.id, number, item_id, items.kingdom_id FROM subtasks JOIN items ON items.id = item_id
     WHERE items.order_id = ? ORDER BY items.kingdom_id`,
  )
    .bind(data.order_id)
    .all<Subtask & { kingdom_id: number }>();
  return { user, object: env.ORDER_PROGRESS.getByName(String(data.order_id)), subtasks: results };
}

export const rowsOf = (kingdom: number, { number }: Subtask) =>
  columnsFor({ game: 'rok', kingdom_id: kingdom, from_rank: number * 100 + 1, to_rank: number * 100 + 100 });

export const deliveryOf = (
  kingdom: number,
  subtask: Subtask,
  captured_at = 1_700_000_000_000,
  version = 1,
  columns = rowsOf(kingdom, subtask),
) => ({
  subtask_id: subtask.id,
  bot: 'group/bot',
  lease: 'lease-1',
  item_id: subtask.item_id,
  version,
  captured_at,
  source: 'made up',
  columns: packColumns('rok', columns),
});
