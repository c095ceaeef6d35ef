import { Hono } from 'hono';
import type * as z from 'zod';
import { downloadQuery } from '../../domain/orders/contract.ts';
import { orderRefusal, refusalOf } from '../../domain/orders/order.ts';
import { combinedResults, downloaded } from '../../domain/scans/answers.ts';
import { MAX_DOWNLOAD_ROWS, MAX_SHOWN_ROWS } from '../../domain/scans/results.ts';
import { answer } from '../answer.ts';
import type { Db } from '../db/open.ts';
import { notFound, Refusal } from '../errors.ts';
import { FILE_TYPES } from '../files/export.ts';
import { answers } from '../middleware/answers.ts';
import { limitedByUser } from '../middleware/limits.ts';
import { keyScope, signedIn, type UserEnv } from '../middleware/session.ts';
import { validate } from '../middleware/validate.ts';
import { countItems, itemOf, orderOf, snapshotsOfOrder, standingsOf } from '../models/orders/orders.ts';
import { versionsOf } from '../models/scans/snapshots.ts';
import { sumsOf } from '../services/results/combined-sums.ts';
import { deliver } from '../services/results/deliver-results.ts';
import { byShape, countRows, type Stored } from '../services/results/page-results.ts';

type Wanted = Pick<z.infer<typeof downloadQuery>, 'all' | 'version'>;

async function combined(db: Db, orderId: number): ReturnType<typeof snapshotsOfOrder> {
  const snapshots = await snapshotsOfOrder(db, orderId);
  if (snapshots.length > 0) return snapshots;
  const standings = (await standingsOf(db, [orderId])).get(orderId) ?? {};
  throw new Refusal('conflict', orderRefusal('download', standings) ?? 'There are no results yet.');
}

/** The order that an id stands for: its own, or that of an item. */
async function orderBehind(db: Db, userId: string, id: string): Promise<number> {
  const orderId = /^\d+$/.test(id)
    ? (await orderOf(db, userId, Number(id)))?.id
    : (await itemOf(db, userId, id))?.item.order_id;
  if (orderId === undefined) throw notFound('order');
  return orderId;
}

/** The snapshots that an id stands for: an item's own (or an earlier version), or those of its whole order. */
async function snapshotsOf(db: Db, userId: string, id: string, { all, version }: Wanted): Promise<Stored[]> {
  if (all || /^\d+$/.test(id)) return combined(db, await orderBehind(db, userId, id));
  const found = await itemOf(db, userId, id);
  if (!found) throw notFound('item');
  if (version !== undefined) {
    const kept = (await versionsOf(db, id)).find((each) => each.version === version);
    if (!kept) throw notFound('version');
    return [{ ...kept, game: found.item.game, kingdom_id: found.item.kingdom_id }];
  }
  const refusal = refusalOf('download', { ...found.item, has_results: found.snapshot !== null });
  if (refusal) throw new Refusal('conflict', refusal);
  return found.snapshot ? [found.snapshot] : [];
}

const downloadsPerUser = limitedByUser('DOWNLOAD_USER');

export const downloads = new Hono<UserEnv>({ strict: false })
  .get(
    '/order/:id/download',
    keyScope('read'),
    signedIn,
    downloadsPerUser,
    validate('query', downloadQuery),
    answers(downloaded, ...FILE_TYPES),
    async (context) => {
      const query = context.req.valid('query');
      const id = context.req.param('id');
      const snapshots = await snapshotsOf(context.get('db'), context.get('user').id, id, query);
      return deliver(context, snapshots, query);
    },
  )
  .get(
    '/order/:id/combined',
    keyScope('read'),
    signedIn,
    downloadsPerUser,
    answers(combinedResults),
    async (context) => {
      const db = context.get('db');
      const order_id = await orderBehind(db, context.get('user').id, context.req.param('id'));
      const snapshots = await combined(db, order_id);
      const rows = countRows(snapshots);
      // Past the limit they are only counted.
      const shown = rows <= MAX_SHOWN_ROWS ? snapshots : [];
      const groups = byShape(shown);
      const { parts, totals } = await sumsOf(context.env.STORE, shown);
      return answer(context, {
        order_id,
        item_count: await countItems(db, order_id),
        rows,
        downloadable: rows <= MAX_DOWNLOAD_ROWS,
        totals: groups.flatMap((group, index) => {
          const [[first], sums] = [group, totals[index]];
          const kingdom_count = new Set(group.map(({ kingdom_id }) => kingdom_id)).size;
          return first && sums
            ? { game: first.game, kind: first.kind, kingdom_count, rows: countRows(group), sums }
            : [];
        }),
        parts: shown.flatMap(({ item_id, game, kind, kingdom_id, captured_at, rows: own }, index) => {
          const sums = parts[index];
          return sums ? { item_id, game, kind, kingdom_id, captured_at, rows: own, sums } : [];
        }),
      });
    },
  );
