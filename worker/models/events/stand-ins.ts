/** SQL for earlier scans that stand in for missing ones. `?1` is the event, `?2` the time of its snapshot. */

/** SQL of the id of the event's snapshot at this time. */
export const HERE = `(SELECT id FROM event_snapshots WHERE event_id = ?1 AND ts = ?2)`;

/**
 * SQL of the scan that replaces a missing one of a kingdom (`kingdom` is SQL): the scan in the event's previous
 * snapshot, otherwise the newest scan up to that time other than `not` (SQL of an id).
 */
export const standInSql = (kingdom: string, not = 'NULL'): string => `
  coalesce(
    (SELECT event_parts.snapshot_id FROM event_parts
     JOIN event_snapshots earlier ON earlier.id = event_parts.event_snapshot_id
     WHERE earlier.event_id = ?1 AND earlier.ts < ?2 AND event_parts.kingdom_id = ${kingdom}
       AND event_parts.snapshot_id IS NOT NULL
     ORDER BY earlier.ts DESC LIMIT 1),
    (SELECT id FROM snapshots WHERE snapshots.game = (SELECT game FROM events WHERE id = ?1)
       AND snapshots.kingdom_id = ${kingdom} AND kind = 'scan' AND captured_at <= ?2
       AND id IS NOT ${not}
     ORDER BY captured_at DESC, id DESC LIMIT 1))`;

/**
 * SQL that lets the parts here (?3, JSON) replace missing scans of later snapshots too, up to the kingdom's next scan.
 * A newer scan from elsewhere stays.
 */
export const FOLLOW = `
  UPDATE event_parts SET snapshot_id = here.snapshot_id
  FROM (
    SELECT part.kingdom_id, part.snapshot_id, fresh.captured_at
    FROM json_each(?3) JOIN snapshots fresh ON fresh.key = value ->> 'key'
    JOIN event_parts part ON part.event_snapshot_id = ${HERE} AND part.kingdom_id = fresh.kingdom_id
      AND part.snapshot_id = fresh.id
    WHERE NOT part.stands_in
  ) here
  WHERE event_parts.stands_in AND event_parts.kingdom_id = here.kingdom_id
    AND event_parts.event_snapshot_id IN (
      SELECT later.id FROM event_snapshots later
      WHERE later.event_id = ?1 AND later.ts > ?2 AND NOT EXISTS (
        SELECT 1 FROM event_snapshots between_them
        JOIN event_parts own ON own.event_snapshot_id = between_them.id AND own.kingdom_id = here.kingdom_id
        WHERE between_them.event_id = ?1 AND between_them.ts > ?2 AND between_them.ts < later.ts AND NOT own.stands_in))
    AND (
      coalesce((SELECT captured_at FROM snapshots kept WHERE kept.id = event_parts.snapshot_id), 0) <= here.captured_at
      OR event_parts.snapshot_id IN (SELECT snapshot_id FROM event_part_versions WHERE event_snapshot_id = ${HERE}))`;

/** SQL that stops the scans of the snapshot here from replacing missing ones later, before the snapshot is removed. */
export const WITHDRAW = `
  UPDATE event_parts AS late SET snapshot_id = ${standInSql('late.kingdom_id', 'late.snapshot_id')}
  WHERE stands_in AND event_snapshot_id IN (SELECT id FROM event_snapshots WHERE event_id = ?1 AND ts > ?2)
    AND EXISTS (
      SELECT 1 FROM event_parts own WHERE own.event_snapshot_id = ${HERE} AND NOT own.stands_in
        AND own.kingdom_id = late.kingdom_id AND own.snapshot_id = late.snapshot_id)`;
