import { waitAfter } from '../../../domain/work.ts';
import type { Db } from '../../db/open.ts';
import { logError } from '../../errors.ts';
import { beginWork, failedStatement, type Job, succeededStatement } from '../../models/service/job-failures.ts';

/**
 * Runs one piece of a cron's work in isolation: a failure is logged, counted and put into backoff, and is not thrown.
 * Work that kills the process stays in backoff too, because the attempt is recorded before it begins. Returns whether it
 * succeeded.
 */
export async function runIsolated(
  db: Db,
  work: Job,
  act: (tries: number) => Promise<unknown>,
  now = Date.now(),
): Promise<boolean> {
  const tries = await beginWork(db, work, now);
  if (tries === null) return false;
  return attempt(db, work, { tries, now }, async () => {
    await act(tries);
    await succeededStatement(db, work).run();
  });
}

/**
 * Like `runIsolated`, but does not record the start, which saves four rows. Work that kills the process is therefore not
 * in backoff; the job must use `runIsolated` after a run that did not finish.
 */
export const runUnrecorded = (db: Db, work: Job, act: () => Promise<unknown>, now = Date.now()): Promise<boolean> =>
  attempt(db, work, { tries: 1, next_at: now + waitAfter(1), now }, act);

/** Does the work; logs and records a failure. */
async function attempt(
  db: Db,
  work: Job,
  begun: { tries: number; next_at?: number; now: number },
  act: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    logError({ ...work, tries: begun.tries }, error);
    await failedStatement(db, work, { ...begun, error }).run();
    return false;
  }
}

/**
 * Does the same as `runIsolated` for each row of a job in sequence; `subjectOf` names a row. Returns how many
 * succeeded.
 */
export async function oneByOne<Row>(
  db: Db,
  { job, rows, subjectOf }: { job: string; rows: readonly Row[]; subjectOf: (row: Row) => string },
  act: (row: Row) => Promise<unknown>,
  now = Date.now(),
): Promise<number> {
  let well = 0;
  for (const row of rows) if (await runIsolated(db, { job, subject: subjectOf(row) }, () => act(row), now)) well += 1;
  return well;
}
