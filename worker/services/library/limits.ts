import { DAY_MS } from '../../../domain/days.ts';
import { MAX_FILE_BYTES, MAX_FILE_ROWS } from '../../../scan-files/limits.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { filesToday } from '../../models/library/imports.ts';
import { rowsOf } from '../../models/library/scans.ts';

/** Returns the limits on own scans (wrangler.toml). */
export const allowanceOf = ({ OWN_FILES_PER_DAY, OWN_ROWS, OWN_DAYS }: Env) => ({
  filesPerDay: Number(OWN_FILES_PER_DAY),
  rows: Number(OWN_ROWS),
  days: Number(OWN_DAYS),
});

/** Returns when a scan saved now expires. */
export const expiryOf = (env: Env, now: number): number => now + allowanceOf(env).days * DAY_MS;

/** Returns a user's limits and usage, for pages. */
export async function limitsOf(env: Env, db: Db, userId: string) {
  const [files_today, rows_kept] = await Promise.all([filesToday(db, userId), rowsOf(db, userId)]);
  const { filesPerDay, rows, days } = allowanceOf(env);
  return {
    files_per_day: filesPerDay,
    files_today,
    rows,
    rows_kept,
    days,
    file_bytes: MAX_FILE_BYTES,
    file_rows: MAX_FILE_ROWS,
  };
}
