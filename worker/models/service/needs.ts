import { DAY_MS } from '../../../domain/days.ts';
import type { Need } from '../../../domain/service/admin.ts';
import { DATABASE_BYTES } from '../../../domain/service/month-costs.ts';
import type { Db } from '../../db/open.ts';
import { MAX_MAIL_ATTEMPTS } from '../messages/outbox.ts';
import { databaseSizes } from './database.ts';
import { lateEvents } from './fleet-troubles.ts';
import { UNSIGNED, WEBHOOK_CALLS } from './job-failures.ts';

/** Work that waits for an admin. */

interface Waiting {
  kind: Need;
  count: number;
  since: number | null;
}

/** A job that failed this often in a row is shown. */
const TRIES = 2;
/** How long a day that does not reconcile is shown. */
const UNRECONCILED_DAYS = 7;

/** How long a dispute is shown that is not won: banks wait for evidence for about three weeks. */
const DISPUTED_DAYS = 21;

/** How many of a kind there are and when the oldest began: by an index that names its condition, or of few rows. */
const COUNTS = [
  ['reports', 'min(created_at) AS since FROM issue_reports WHERE answered_at IS NULL'],
  [
    'failed_items',
    `min(finished_at) AS since FROM items
     WHERE finished_at > ?1 - ${DAY_MS} AND finished_at IS NOT NULL AND state = 'failed'`,
  ],
  ['failed_mails', `min(created_at) AS since FROM outbox WHERE sent_at IS NULL AND attempts >= ${MAX_MAIL_ATTEMPTS}`],
  [
    'money',
    `min(ran_at) AS since FROM reconciliations
     WHERE ran_at > ?1 - ${UNRECONCILED_DAYS * DAY_MS} AND differences <> '[]'`,
  ],
  [
    'disputes',
    `min(created_at) AS since FROM reversals
     WHERE kind = 'dispute' AND amount_cents > 0 AND created_at > ?1 - ${DISPUTED_DAYS * DAY_MS}`,
  ],
  [
    'jobs',
    // Anybody can make calls without Stripe's signature.
    `min(begun_at) AS since FROM setbacks WHERE error IS NOT NULL AND tries >= ${TRIES}
       AND NOT (job = '${WEBHOOK_CALLS}' AND subject = '${UNSIGNED}')`,
  ],
  ['removals', `min(created_at) AS since FROM removals WHERE state = 'open'`],
] as const satisfies readonly (readonly [kind: Need, counted: string])[];

/** Returns the work that waits for an admin, without kinds that have none. `percent`: how full the database may be. */
export async function needsNow(db: Db, percent: Promise<number>, now: number): Promise<Waiting[]> {
  const { $client } = db;
  const [most, answers, late, { fullest }] = await Promise.all([
    percent,
    $client.batch<Omit<Waiting, 'kind'>>(
      COUNTS.map(([, counted]) => {
        const statement = $client.prepare(`SELECT count(*) AS count, ${counted}`);
        return counted.includes('?1') ? statement.bind(now) : statement;
      }),
    ),
    lateEvents(db, now),
    databaseSizes(db),
  ]);
  const full = Math.floor((fullest * 100) / DATABASE_BYTES);
  return [
    ...COUNTS.map(([kind], index) => ({ kind, ...(answers[index]?.results[0] ?? { count: 0, since: null }) })),
    { kind: 'late_events' as const, count: late.length, since: late[0]?.due ?? null },
    { kind: 'database' as const, count: full > most ? full : 0, since: null },
  ].filter(({ count }) => count > 0);
}
