import type * as z from 'zod';
import { capital, counted, exact } from '../../../domain/figures.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { ENTRY_TITLES } from '../../../domain/money/ledger.ts';
import { formatCents } from '../../../domain/money/money.ts';
import type { adminOrder } from '../../../domain/orders/admin-contract.ts';
import type { WholeOrder } from '../../models/orders/whole-order.ts';

/** Reconstructs an order's history as sentences from its rows. */

type Moment = z.infer<typeof adminOrder>['timeline'][number];

const ACTS: Readonly<Record<string, string>> = {
  'order.retry': 'put it back into the queue',
  'order.repair': 'repaired it',
  'order.cancel': 'cancelled it',
  'order.finish': 'ended it with what there was',
  'order.return': 'returned money',
};

/** Returns an item's name: 'kingdom 1042'. */
function nameOf(order: WholeOrder): (itemId: string) => string {
  const names = new Map(
    order.items.map(({ id, game, kingdom_id }) => [id, `${GAMES[game].kingdom.one} ${kingdom_id}`] as const),
  );
  return (itemId) => names.get(itemId) ?? `item ${itemId}`;
}

function workMoments(order: WholeOrder, name: (itemId: string) => string): Moment[] {
  return order.work.flatMap(({ item_id, bot_id, state, subtasks, leased_at, ended_at }): Moment[] => {
    const what = `${counted(subtasks, 'subtask')} of ${name(item_id)}`;
    return [
      ...(leased_at === null || bot_id === ''
        ? []
        : [{ at: leased_at, kind: 'bot' as const, text: `Bot ${bot_id} was leased ${what}.`, item_id }]),
      ...(ended_at === null || state !== 'done'
        ? []
        : [{ at: ended_at, kind: 'bot' as const, text: `Bot ${bot_id} handed in ${what}.`, item_id }]),
    ];
  });
}

function itemMoments(order: WholeOrder, name: (itemId: string) => string): Moment[] {
  return order.items.flatMap(({ id, state, error, finished_at, repaired_at, version }): Moment[] => [
    ...(repaired_at === null
      ? []
      : [
          { at: repaired_at, kind: 'order' as const, text: `Repair ${version - 1} of ${name(id)} began.`, item_id: id },
        ]),
    ...(finished_at === null || state === 'done'
      ? []
      : [
          {
            at: finished_at,
            kind: 'failure' as const,
            text: `${capital(name(id))} ${state === 'cancelled' ? 'was cancelled' : 'failed'}${error ? `: ${error}` : '.'}`,
            item_id: id,
          },
        ]),
  ]);
}

/** Returns what happened, oldest first. */
export function timelineOf(whole: WholeOrder): Moment[] {
  const name = nameOf(whole);
  const { order } = whole;
  const moments: Moment[] = [
    { at: order.placed_at, kind: 'order', text: `Placed by ${order.username}.`, item_id: null },
    ...whole.ledger.map(
      ({ created_at, kind, amount_cents, note }): Moment => ({
        at: created_at,
        kind: 'money',
        text: `${ENTRY_TITLES[kind]}: ${formatCents(amount_cents)} USD${note ? ` (${note})` : ''}.`,
        item_id: null,
      }),
    ),
    ...workMoments(whole, name),
    ...whole.attempts.map(
      ({ at, item_id, bot_id, reason }): Moment => ({
        at,
        kind: 'failure',
        text: `Bot ${bot_id || 'unknown'} brought no rows of ${name(item_id)}: ${reason}`,
        item_id,
      }),
    ),
    ...itemMoments(whole, name),
    ...whole.snapshots.map(
      ({ created_at, item_id, rows, version }): Moment => ({
        at: created_at,
        kind: 'result',
        text: `${capital(name(item_id))}: ${exact(rows)} rows were delivered${version > 1 ? ` by repair ${version - 1}` : ''}.`,
        item_id,
      }),
    ),
    ...whole.reports.flatMap((report): Moment[] => [
      { at: report.created_at, kind: 'report', text: `Reported: ${report.message}`, item_id: report.item_id },
      ...(report.answered_at === null
        ? []
        : [
            {
              at: report.answered_at,
              kind: 'report' as const,
              text: report.answer === null ? 'The report was closed.' : `Answered: ${report.answer}`,
              item_id: report.item_id,
            },
          ]),
    ]),
    ...whole.acts.map(({ at, action, by, detail }): Moment => {
      const { reason, item } = JSON.parse(detail) as { reason?: string; item?: string | null };
      return {
        at,
        kind: 'admin',
        text: `${by} ${ACTS[action] ?? action}${reason ? `: ${reason}` : '.'}`,
        item_id: item ?? null,
      };
    }),
  ];
  return moments.sort((a, b) => a.at - b.at);
}
