import type { Db } from '../../db/open.ts';
import { logError } from '../../log.ts';
import { beginWork, endedWellStatement, failedStatement, type Work } from '../../models/service/setbacks.ts';

/**
 * Does one piece of a cron's work by itself: a failure is logged, counted and put aside, and goes no further. Answers
 * whether it went well.
 */
export async function byItself(db: Db, work: Work, act: () => Promise<unknown>, now = Date.now()): Promise<boolean> {
  const tries = await beginWork(db, work, now);
  if (tries === null) return false;
  try {
    await act();
    await endedWellStatement(db, work).run();
    return true;
  } catch (error) {
    logError({ ...work, tries }, error);
    await failedStatement(db, work, { tries, error, now }).run();
    return false;
  }
}

/** The same for each row of a job, one after the other; `subjectOf` names a row. Answers how many went well. */
export async function oneByOne<Row>(
  db: Db,
  { job, rows, subjectOf }: { job: string; rows: readonly Row[]; subjectOf: (row: Row) => string },
  act: (row: Row) => Promise<unknown>,
  now = Date.now(),
): Promise<number> {
  let well = 0;
  for (const row of rows) if (await byItself(db, { job, subject: subjectOf(row) }, () => act(row), now)) well += 1;
  return well;
}
