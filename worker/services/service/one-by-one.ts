import type { Db } from '../../db/open.ts';
import { logError } from '../../errors.ts';
import { beginWork, failedStatement, type Job, succeededStatement } from '../../models/service/job-failures.ts';

/**
 * Runs one piece of a cron's work in isolation: a failure is logged, counted and put into backoff, and is not thrown.
 * Returns whether it succeeded.
 */
export async function runIsolated(db: Db, work: Job, act: () => Promise<unknown>, now = Date.now()): Promise<boolean> {
  const tries = await beginWork(db, work, now);
  if (tries === null) return false;
  try {
    await act();
    await succeededStatement(db, work).run();
    return true;
  } catch (error) {
    logError({ ...work, tries }, error);
    await failedStatement(db, work, { tries, error, now }).run();
    return false;
  }
}

/** Does the same for each row of a job in sequence; `subjectOf` names a row. Returns how many succeeded. */
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
