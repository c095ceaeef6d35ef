import type { PersonalData } from '../../../domain/accounts/personal-data.ts';
import type { Db } from '../../db/open.ts';
import { userRows } from '../user-rows.ts';

/** The lists of `own_scans` in the data export, as JSON texts of their rows. */
export type OwnData = { [List in keyof PersonalData['own_scans']]: AsyncIterable<string> };

/**
 * Returns everything stored about a user's own scans and what the user made from them, for the data export. `GET
 * /v1/scans/{id}/download` returns the rows of a scan.
 */
export function ownDataOf(db: Db, userId: string): OwnData {
  const rows = (table: string, columns: string, json: readonly string[] = []) =>
    userRows(db, userId, { table, columns, json });
  return {
    scans: rows(
      'scans',
      'id, game, kingdom_id, captured_at, range_from, stage, source, dialect, rows, bytes, quality, created_at, expires_at',
      ['quality'],
    ),
    files: rows('imports', 'name, said, state, created_at, expires_at', ['said']),
    labels: rows('scan_labels', 'scan_id, name, tags, note, hidden', ['tags']),
    mappings: rows('header_mappings', 'mapping, updated_at', ['mapping']),
    reports: rows('reports', 'id, name, game, ranges, settings, created_at, updated_at', ['ranges', 'settings']),
    report_links: rows('report_links', 'id, report_id, created_at, expires_at, revoked_at'),
    fights: rows('fights', 'id, game, name, from_scans, to_scans, created_at', ['from_scans', 'to_scans']),
    rosters: rows('rosters', 'game, kingdom_id, entries, updated_at', ['entries']),
    kingdom_goals: rows('kingdom_goals', 'game, kingdom_id, goals, farms, updated_at', ['goals']),
  };
}
