import { dollars } from '../../../domain/money/money.ts';
import { type KeptEntry, priceEntry, shownEntry } from '../../../domain/orders/entry.ts';
import type { Sale } from '../../../domain/orders/sale.ts';
import { pausedBy } from '../../../domain/orders/schedule.ts';
import { MAX_DOWNLOAD_ROWS } from '../../../domain/scans/results.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { readSale } from '../../models/orders/sale.ts';
import { listSchedules, type RunWithOrder } from '../../models/orders/schedules.ts';

/** Returns a run in the specification's format. `note` says why no order was placed. */
const runAnswer = (run: RunWithOrder) => {
  const has_results = run.done_count > 0;
  const tooMany = run.rows > MAX_DOWNLOAD_ROWS;
  return {
    time: run.due_at,
    outcome: run.outcome,
    note: run.note,
    order_id: run.order_id,
    item_id: run.item_id,
    item_count: run.item_count,
    running: run.unfinished_count > 0,
    has_results,
    downloadable: has_results && !tooMany,
    not_downloadable: tooMany,
  };
};

type Listed = Awaited<ReturnType<typeof listSchedules>>[number];

const scheduleAnswer = (schedule: Listed, sale: Sale, now: number) => {
  const entries = JSON.parse(schedule.entries) as KeptEntry[];
  const prices = entries.map((entry) => priceEntry(entry, sale, now));
  return {
    schedule_id: schedule.id,
    start_at: schedule.start_at,
    end_at: schedule.end_at,
    next_at: schedule.next_at,
    period: schedule.period,
    interval: schedule.interval,
    state: schedule.state,
    paused_by: pausedBy(schedule, schedule.runs[0]?.outcome),
    entries: entries.map(shownEntry),
    // Current price of a run; null if a product cannot be ordered or no run is left.
    total:
      schedule.state === 'ended' || prices.some((price) => 'flaw' in price)
        ? null
        : dollars(prices.reduce((sum, each) => sum + ('price' in each ? each.price : 0), 0)),
    orders: schedule.runs.map(runAnswer),
  };
};

/** Returns a user's schedules with their runs. */
export async function showSchedules(db: Db, env: Env, userId: string, now = Date.now()) {
  const [listed, sale] = await Promise.all([listSchedules(db, userId), readSale(db, env)]);
  return listed.map((schedule) => scheduleAnswer(schedule, sale, now));
}
