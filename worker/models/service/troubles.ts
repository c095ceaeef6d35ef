import type { GameId } from '../../../domain/games/games.ts';
import type { Db } from '../../db/open.ts';
import { UNSIGNED, WEBHOOKS } from './setbacks.ts';

/** What the admins are mailed of by itself: signs that the service does not do its work. */

const MINUTE_MS = 60_000;
const WINDOW_MINUTES = 10;

/** Counts an answer that was a failure of our own. */
export async function noteFailedAnswer(db: Db, now: number): Promise<void> {
  await db.$client
    .prepare(
      `INSERT INTO failed_answers (minute, count) VALUES (?, 1) ON CONFLICT (minute) DO UPDATE SET count = count + 1`,
    )
    .bind(Math.floor(now / MINUTE_MS))
    .run();
}

export interface Trouble {
  /** Names the kind: one mail for each in a while. */
  kind: string;
  text: string;
}

/** A job that failed so often in a row does not mend itself by the next minute. */
const TRIES = 3;
const FAILED_ANSWERS = 20;
/** Without a bot for so long, orders wait. */
const NO_BOT_MS = 10 * MINUTE_MS;
const UNSENT_MAILS = 3;

const count = async (db: Db, sql: string, ...values: unknown[]): Promise<number> =>
  (
    await db.$client
      .prepare(sql)
      .bind(...values)
      .first<{ count: number }>()
  )?.count ?? 0;

async function failingJobs(db: Db): Promise<Trouble[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT job, max(tries) AS tries, max(error) AS error FROM setbacks
       WHERE error IS NOT NULL AND tries >= ? AND job <> ? GROUP BY job`,
    )
    .bind(TRIES, WEBHOOKS)
    .all<{ job: string; tries: number; error: string }>();
  return results.map(({ job, tries, error }) => ({
    kind: `job ${job}`,
    text: `The job '${job}' failed ${tries} times in a row: ${error}`,
  }));
}

/**
 * Signed calls of Stripe that failed and did not go well since, of one event or of several. Anybody can make unsigned
 * ones, so those are only listed. A wrong secret shows in the daily comparison with Stripe's books.
 */
async function refusedWebhooks(db: Db): Promise<Trouble[]> {
  const row = await db.$client
    .prepare(`SELECT sum(tries) AS calls, max(error) AS error FROM setbacks WHERE job = ? AND subject <> ?`)
    .bind(WEBHOOKS, UNSIGNED)
    .first<{ calls: number | null; error: string }>();
  return row && (row.calls ?? 0) >= TRIES
    ? [{ kind: 'webhooks', text: `${row.calls} calls of Stripe's webhook could not be taken: ${row.error}` }]
    : [];
}

async function idleFleets(db: Db, games: readonly GameId[], now: number): Promise<Trouble[]> {
  const troubles: Trouble[] = [];
  for (const game of games) {
    const bots = await count(
      db,
      `SELECT count(*) AS count FROM bots WHERE account_game = ? AND last_connected_at > ?`,
      game,
      now - NO_BOT_MS,
    );
    const waiting = await count(
      db,
      `SELECT count(*) AS count FROM subtasks WHERE game = ? AND state IN ('waiting', 'leased')`,
      game,
    );
    if (bots === 0)
      troubles.push({
        kind: `bots ${game}`,
        text: `No bot of ${game} was heard of for ten minutes; ${waiting} subtasks wait.`,
      });
  }
  return troubles;
}

/** What is wrong now; `games` are those whose products are open. */
export async function troublesNow(db: Db, games: readonly GameId[], now: number): Promise<Trouble[]> {
  const troubles = [...(await failingJobs(db)), ...(await refusedWebhooks(db)), ...(await idleFleets(db, games, now))];
  const unsent = await count(
    db,
    `SELECT count(*) AS count FROM outbox WHERE sent_at IS NULL AND error IS NOT NULL AND attempts >= ? AND created_at > ?`,
    TRIES,
    now - 24 * 60 * MINUTE_MS,
  );
  if (unsent >= UNSENT_MAILS)
    troubles.push({ kind: 'mails', text: `${unsent} mails of the last day could not be sent.` });
  const failed = await count(
    db,
    `SELECT coalesce(sum(count), 0) AS count FROM failed_answers WHERE minute > ?`,
    Math.floor(now / MINUTE_MS) - WINDOW_MINUTES,
  );
  if (failed >= FAILED_ANSWERS)
    troubles.push({
      kind: 'answers',
      text: `${failed} answers of the last ten minutes were failures of our own (5xx).`,
    });
  const open = await count(
    db,
    `SELECT count(*) AS count FROM payments WHERE state = 'open' AND session_id IS NULL AND created_at BETWEEN ? AND ?`,
    now - 60 * MINUTE_MS,
    now - MINUTE_MS,
  );
  if (open >= TRIES)
    troubles.push({ kind: 'payments', text: `Stripe answered none of ${open} top-ups of the last hour.` });
  return troubles;
}

/** The same trouble is told again after so long. */
const QUIET_MS = 6 * 60 * MINUTE_MS;

/** Mails the admins of a trouble, once in a while; forgets old counts. Answers how many mails. */
export async function tellAdmins(db: Db, troubles: readonly Trouble[], origin: string, now: number): Promise<number> {
  const [, ...told] = await db.$client.batch([
    db.$client.prepare(`DELETE FROM failed_answers WHERE minute < ?`).bind(Math.floor(now / MINUTE_MS) - 24 * 60),
    ...troubles.map(({ kind, text }) =>
      db.$client
        .prepare(
          `INSERT INTO outbox (reference, recipient, subject, text, created_at, next_at)
           SELECT 'trouble:' || ?1 || ':' || id || ':' || ?4, email, 'Trouble: ' || ?1, ?2, ?3, ?3 FROM users
           WHERE role = 'admin' AND deleted_at IS NULL AND NOT EXISTS (SELECT 1 FROM outbox
             WHERE recipient = email AND subject = 'Trouble: ' || ?1 AND created_at > ?3 - ${QUIET_MS})
           ON CONFLICT (reference) DO NOTHING`,
        )
        .bind(kind, `${text}\n\n${origin}/admin/`, now, String(now)),
    ),
  ]);
  return told.reduce((sum, { meta }) => sum + meta.changes, 0);
}
