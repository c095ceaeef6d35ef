import type * as z from 'zod';
import { capital, counted, exact } from '../../../domain/figures.ts';
import { labelled, t, words } from '../../../domain/language/text.ts';
import { ENTRY_TITLES } from '../../../domain/money/entry-titles.ts';
import { formatCents } from '../../../domain/money/money.ts';
import { noteText } from '../../../domain/money/notes.ts';
import type { adminOrder } from '../../../domain/orders/admin-contract.ts';
import { reasonText } from '../../../domain/orders/reasons.ts';
import type { WholeOrder } from '../../models/orders/whole-order.ts';

/** Reconstructs an order's history from its rows, as sentences in the reader's language. */

type Moment = z.infer<typeof adminOrder>['timeline'][number];

const ACTS: Readonly<Record<string, (by: string) => string>> = {
  'order.retry': (by) => t('{by} put it back into the queue', { by }),
  'order.repair': (by) => t('{by} repaired it', { by }),
  'order.cancel': (by) => t('{by} cancelled it', { by }),
  'order.finish': (by) => t('{by} ended it with what there was', { by }),
  'order.return': (by) => t('{by} returned money', { by }),
};

/** Returns an item's name: 'kingdom 1042'. */
function nameOf(order: WholeOrder): (itemId: string) => string {
  const names = new Map(
    order.items.map(({ id, game, kingdom_id }) => {
      const values = { game, id: String(kingdom_id) };
      return [id, t('{game, select, cod {server} other {kingdom}} {id}', values)] as const;
    }),
  );
  return (itemId) => names.get(itemId) ?? t('item {id}', { id: itemId });
}

function workMoments(order: WholeOrder, name: (itemId: string) => string): Moment[] {
  return order.work.flatMap(({ item_id, bot_id, state, subtasks, leased_at, ended_at }): Moment[] => {
    const values = { bot: bot_id, subtasks: counted(subtasks, 'subtask'), item: name(item_id) };
    return [
      ...(leased_at === null || bot_id === ''
        ? []
        : [
            {
              at: leased_at,
              kind: 'bot' as const,
              text: t('Bot {bot} was leased {subtasks} of {item}.', values),
              item_id,
            },
          ]),
      ...(ended_at === null || state !== 'done'
        ? []
        : [
            {
              at: ended_at,
              kind: 'bot' as const,
              text: t('Bot {bot} handed in {subtasks} of {item}.', values),
              item_id,
            },
          ]),
    ];
  });
}

function itemMoments(order: WholeOrder, name: (itemId: string) => string): Moment[] {
  return order.items.flatMap(({ id, state, error, finished_at, repaired_at, version }): Moment[] => [
    ...(repaired_at === null
      ? []
      : [
          {
            at: repaired_at,
            kind: 'order' as const,
            text: t('Repair {number} of {item} began.', { number: version - 1, item: name(id) }),
            item_id: id,
          },
        ]),
    ...(finished_at === null || state === 'done'
      ? []
      : [
          {
            at: finished_at,
            kind: 'failure' as const,
            text: [endText(capital(name(id)), state), error && reasonText(error)].filter(Boolean).join(' '),
            item_id: id,
          },
        ]),
  ]);
}

const entryText = (title: string, amount: string, note: string | null): string =>
  labelled(title, note ? t('{name} ({note})', { name: amount, note }) : amount);

const endText = (item: string, state: WholeOrder['items'][number]['state']): string =>
  state === 'cancelled' ? t('{item} was cancelled.', { item }) : t('{item} failed.', { item });

const deliveredText = (item: string, rows: number, version: number): string =>
  version > 1
    ? t('{item}: {rows} rows were delivered by repair {number}.', { item, rows: exact(rows), number: version - 1 })
    : t('{item}: {rows} rows were delivered.', { item, rows: exact(rows) });

/** Returns what happened, oldest first. */
export function timelineOf(whole: WholeOrder): Moment[] {
  const name = nameOf(whole);
  const { order } = whole;
  const moments: Moment[] = [
    { at: order.placed_at, kind: 'order', text: t('Placed by {name}.', { name: order.username }), item_id: null },
    ...whole.ledger.map(
      ({ created_at, kind, amount_cents, note }): Moment => ({
        at: created_at,
        kind: 'money',
        text: entryText(words(ENTRY_TITLES[kind]), `${formatCents(amount_cents)} USD`, note && noteText(note)),
        item_id: null,
      }),
    ),
    ...workMoments(whole, name),
    ...whole.attempts.map(
      ({ at, item_id, bot_id, reason }): Moment => ({
        at,
        kind: 'failure',
        text: t('Bot {bot} brought no rows of {item}: {reason}', {
          bot: bot_id || t('unknown'),
          item: name(item_id),
          reason: reasonText(reason),
        }),
        item_id,
      }),
    ),
    ...itemMoments(whole, name),
    ...whole.snapshots.map(
      ({ created_at, item_id, rows, version }): Moment => ({
        at: created_at,
        kind: 'result',
        text: deliveredText(capital(name(item_id)), rows, version),
        item_id,
      }),
    ),
    ...whole.reports.flatMap((report): Moment[] => [
      {
        at: report.created_at,
        kind: 'report',
        text: t('Reported: {message}', { message: report.message }),
        item_id: report.item_id,
      },
      ...(report.answered_at === null
        ? []
        : [
            {
              at: report.answered_at,
              kind: 'report' as const,
              text:
                report.answer === null
                  ? t('The report was closed.')
                  : t('Answered: {answer}', { answer: report.answer }),
              item_id: report.item_id,
            },
          ]),
    ]),
    ...whole.acts.map(({ at, action, by, detail }): Moment => {
      const { reason, item } = JSON.parse(detail) as { reason?: string; item?: string | null };
      return {
        at,
        kind: 'admin',
        text: `${ACTS[action]?.(by) ?? `${by} ${action}`}${reason ? `: ${reason}` : '.'}`,
        item_id: item ?? null,
      };
    }),
  ];
  return moments.sort((a, b) => a.at - b.at);
}
