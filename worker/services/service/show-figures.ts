import type * as z from 'zod';
import { addDays, dayOf, dayStart } from '../../../domain/days.ts';
import { dollars } from '../../../domain/money/money.ts';
import type { adminFigures, adminTrends } from '../../../domain/service/admin.ts';
import { DATABASE_BYTES, monthCosts, PRICES } from '../../../domain/service/month-costs.ts';
import type { Db } from '../../db/open.ts';
import { readBackupState } from '../../gateways/backup-store.ts';
import { countUnsent } from '../../models/messages/outbox.ts';
import { databaseSizes } from '../../models/service/database.ts';
import { needsNow } from '../../models/service/needs.ts';
import { serviceFigures } from '../../models/service/overview.ts';
import { trendsSince } from '../../models/service/trends.ts';
import { alertLimits } from './alert-limits.ts';

/** Returns the service's figures for admins. */
export async function showFigures(db: Db, now = Date.now()): Promise<z.infer<typeof adminFigures>> {
  const percent = alertLimits(db).then(({ value }) => value.database_percent);
  const [{ balances_cents, charged_last_day_cents, ...figures }, mails, waiting] = await Promise.all([
    serviceFigures(db, now),
    countUnsent(db),
    needsNow(db, percent, now),
  ]);
  return {
    ...figures,
    balances: dollars(balances_cents),
    charged_last_day: dollars(charged_last_day_cents),
    mails,
    needs: waiting,
  };
}

const DAYS = 30;

/** Returns figures of the last 30 days, and how far the platform's limits are used. */
export async function showTrends(db: Db, backup: R2Bucket, now = Date.now()): Promise<z.infer<typeof adminTrends>> {
  const today = dayOf(now);
  const first = addDays(today, 1 - DAYS);
  const [{ users, orders, scanned, mails, kingdoms }, { bots_online }, sizes, state] = await Promise.all([
    trendsSince(db, dayStart(first)),
    serviceFigures(db, now),
    databaseSizes(db),
    // Figures of the database are shown even if the bucket of backups cannot be read.
    readBackupState(backup).catch(() => null),
  ]);
  const of = <Row extends { day: string }>(rows: readonly Row[], day: string) => rows.find((row) => row.day === day);
  const days = Array.from({ length: DAYS }, (_, index) => {
    const day = addDays(first, index);
    const placed = of(orders, day);
    return {
      day,
      users: of(users, day)?.users ?? 0,
      orders: placed?.orders ?? 0,
      governors: of(scanned, day)?.governors ?? 0,
      revenue: dollars(placed?.revenue_cents ?? 0),
    };
  });
  const objects = state?.latest && state.stored ? { ...state.stored, at: state.latest } : null;
  const { rows, month_rows, cost } = monthCosts(
    {
      days: days.map(({ day, governors }) => ({
        governors,
        scans: of(scanned, day)?.scans ?? 0,
        mails: of(mails, day)?.mails ?? 0,
      })),
      bots: bots_online,
      database_bytes: sizes.sum,
      object_bytes: objects?.bytes ?? 0,
    },
    now,
  );
  return {
    days,
    kingdoms: kingdoms.map(({ revenue_cents, ...kingdom }) => ({ ...kingdom, revenue: dollars(revenue_cents) })),
    platform: {
      database_bytes: sizes.fullest,
      database_limit: DATABASE_BYTES,
      rows,
      month_rows,
      rows_included: PRICES.rows.included,
      objects,
      objects_included: PRICES.objects.included,
      month_cost: cost,
    },
  };
}
