import { GAMES } from '../../../domain/games/games.ts';
import { type Changes, changesOf, type Reading } from '../../../domain/scans/profile.ts';
import { cellOf, type Row } from '../../../domain/scans/rows.ts';
import { openIfStored } from '../../gateways/snapshot-store.ts';
import type { GovernorPage } from '../../models/kingdoms/governors.ts';

/**
 * Returns a governor's changes in any column in the seven days up to the newest scan, newest first. Reads the scans
 * themselves, so that profile figures are not stored twice.
 */
export async function governorChanges(store: R2Bucket, page: GovernorPage): Promise<Changes[]> {
  const { governor, scans } = page;
  const readings = await Promise.all(
    scans.map(({ key, captured_at }) => readingOf(store, key, governor.governor_id, captured_at)),
  );
  return changesOf(
    governor.game,
    readings.filter((reading) => reading !== null),
  );
}

async function readingOf(store: R2Bucket, key: string, id: number, time: number): Promise<Reading | null> {
  const snapshot = await openIfStored(store, key);
  if (!snapshot) return null;
  const { roles, columns } = GAMES[snapshot.meta.game];
  for await (const table of snapshot.groups()) {
    const index = table.numbers[roles.id]?.indexOf(id) ?? -1;
    if (index < 0) continue;
    const row: Row = {};
    for (const column of columns) row[column.key] = cellOf(table, column, index);
    return { time, row };
  }
  return null;
}
