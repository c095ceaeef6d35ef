import { waitAfter } from '../../../domain/work.ts';
import type { Db } from '../../db/open.ts';
import { logError } from '../../errors.ts';
import { beginWork, failedStatement, type Job, succeededStatement } from '../../models/service/job-failures.ts';

/**
 * Runs one piece of a cron's work in isolation: a failure is logged, counted and put into backoff, and is not thrown.
 * So is work that ends the whole process. Returns whether it succeeded.
 */
export async function runIsolated(
  db: Db,
  work: Job,
  act: (tries: number) => Promise<unknown>,
  now = Date.now(),
): Promise<boolean> {
  const tries = await beginWork(db, work, now);
  if (tries === null) return false;
  try {
    await act(tries);
    await succeededStatement(db, work).run();
    return true;
  } catch (error) {
    logError({ ...work, tries }, error);
    await failedStatement(db, work, { tries, error, now }).run();
    return false;
  }
}

/**
 * Does the same without a record that the work began, which costs four rows. So work that ends the whole process is not
 * put into backoff; its job has to run the work with `runIsolated` if its last run did not come to an end.
 */
export async function runUnrecorded(
  db: Db,
  work: Job,
  act: () => Promise<unknown>,
  now = Date.now(),
): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    logError({ ...work, tries: 1 }, error);
    await failedStatement(db, work, { tries: 1, next_at: now + waitAfter(1), error, now }).run();
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
