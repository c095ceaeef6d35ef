import type { PersonalData } from '../../../domain/accounts/personal-data.ts';
import type { Db } from '../../db/open.ts';

const MOST_ROWS = 10_000;

/** Returns a user's rows of a table. Columns in `parsed` are JSON. */
async function held(db: Db, userId: string, columns: string, table: string, parsed: readonly string[] = []) {
  const { results } = await db.$client
    .prepare(`SELECT ${columns} FROM ${table} WHERE user_id = ? LIMIT ?`)
    .bind(userId, MOST_ROWS)
    .all<Record<string, unknown>>();
  return results.map((row) => ({
    ...row,
    ...Object.fromEntries(parsed.map((column) => [column, JSON.parse(String(row[column])) as unknown])),
  }));
}

/**
 * Returns everything stored about a user's own scans and what the user made from them, for the data export. `GET
 * /v1/scans/{id}/download` returns the rows of a scan.
 */
export async function ownDataOf(db: Db, userId: string): Promise<PersonalData['own_scans']> {
  const [scans, files, labels, mappings, reports, links, fights, rosters, goals] = await Promise.all([
    held(
      db,
      userId,
      'id, game, kingdom_id, captured_at, range_from, stage, source, dialect, rows, bytes, quality, created_at, expires_at',
      'scans',
      ['quality'],
    ),
    held(db, userId, 'name, said, state, created_at, expires_at', 'imports', ['said']),
    held(db, userId, 'scan_id, name, tags, note, hidden', 'scan_labels', ['tags']),
    held(db, userId, 'mapping, updated_at', 'header_mappings', ['mapping']),
    held(db, userId, 'id, name, game, ranges, settings, created_at, updated_at', 'reports', ['ranges', 'settings']),
    held(db, userId, 'id, report_id, created_at, expires_at, revoked_at', 'report_links'),
    held(db, userId, 'id, game, name, from_scans, to_scans, created_at', 'fights', ['from_scans', 'to_scans']),
    held(db, userId, 'game, kingdom_id, entries, updated_at', 'rosters', ['entries']),
    held(db, userId, 'game, kingdom_id, goals, farms, updated_at', 'kingdom_goals', ['goals']),
  ]);
  // Rows as stored. The response schema describes the columns, and tests check against it.
  return {
    scans,
    files,
    labels,
    mappings,
    reports,
    report_links: links,
    fights,
    rosters,
    kingdom_goals: goals,
  } as never;
}
