import { FIRST_LICENCE_TEXT, FIRST_LICENCE_VERSION } from '../../../domain/accounts/eula.ts';
import { dayOf } from '../../../domain/days.ts';
import type { Db } from '../../db/open.ts';
import type { licences } from '../../db/schema.ts';
import { type AuditEntry, auditIfChanged } from '../service/audit.ts';

/** Versions of the licence. The first one is not in the table. At most one version does not hold yet. */

export type Licence = Omit<typeof licences.$inferSelect, 'changed_at'>;
export type LicenceHead = Omit<Licence, 'text'>;

const FIRST: Licence = { version: FIRST_LICENCE_VERSION, text: FIRST_LICENCE_TEXT, holds_from: '', edits: 0 };

/** SQL: the version that holds on a day. */
export const currentSql = (day: string): string =>
  `coalesce((SELECT max(version) FROM licences WHERE holds_from <= ${day}), ${FIRST.version})`;

/** Returns the version that holds now. */
export async function currentLicence(db: Db, now = Date.now()): Promise<number> {
  const version = await db.$client
    .prepare(`SELECT ${currentSql('?')} AS version`)
    .bind(dayOf(now))
    .first<number>('version');
  return version ?? FIRST.version;
}

/** Returns the version that holds on a day. */
export const currentIn = (versions: readonly LicenceHead[], today: string): number =>
  versions.find(({ holds_from }) => holds_from !== null && holds_from <= today)?.version ?? FIRST.version;

/** Returns all versions without their texts, newest first. */
export async function listLicences(db: Db): Promise<LicenceHead[]> {
  const { results } = await db.$client
    .prepare(`SELECT version, holds_from, edits FROM licences ORDER BY version DESC`)
    .all<LicenceHead>();
  const { text: _, ...first } = FIRST;
  return [...results, first];
}

/** Like `listLicences`, with the text of one version: `wanted`, or else the one that holds on that day. */
export async function listWithText(
  db: Db,
  wanted: number | undefined,
  today: string,
): Promise<(LicenceHead & { text: string | null })[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT version, holds_from, edits,
         CASE version WHEN coalesce(?1, ${currentSql('?2')}) THEN text END AS text
       FROM licences ORDER BY version DESC`,
    )
    .bind(wanted ?? null, today)
    .all<LicenceHead & { text: string | null }>();
  return [...results, FIRST];
}

/** Returns a version, or null. */
export async function readLicence(db: Db, version: number): Promise<Licence | null> {
  if (version === FIRST.version) return FIRST;
  return db.$client
    .prepare(`SELECT version, text, holds_from, edits FROM licences WHERE version = ?`)
    .bind(version)
    .first<Licence>();
}

/** SQL condition: nobody can have accepted it yet. ?1 is today. */
const NOT_HELD = `(holds_from IS NULL OR holds_from > ?1)`;

/**
 * Stores a version that does not hold yet, a new one if `edits` is 0. Returns false if it was edited meanwhile, holds
 * already, or does not follow the newest one.
 */
export async function writeLicence(
  db: Db,
  { version, text, holds_from, edits }: Licence,
  entry: AuditEntry,
  now = Date.now(),
): Promise<boolean> {
  const statement =
    edits === 0
      ? `INSERT INTO licences (version, text, holds_from, edits, changed_at)
         SELECT ?2, ?3, ?4, 1, ?5 WHERE ?6 = 0
           AND ?2 = (SELECT coalesce(max(version), ${FIRST.version}) + 1 FROM licences)
           AND NOT EXISTS (SELECT 1 FROM licences WHERE ${NOT_HELD})`
      : `UPDATE licences SET text = ?3, holds_from = ?4, edits = edits + 1, changed_at = ?5
         WHERE version = ?2 AND edits = ?6 AND ${NOT_HELD}`;
  const [written] = await db.$client.batch([
    db.$client.prepare(statement).bind(dayOf(now), version, text, holds_from, now, edits),
    auditIfChanged(db, entry, now),
  ]);
  return (written?.meta.changes ?? 0) > 0;
}

/** Deletes a draft. Returns false if it was edited or published meanwhile. */
export async function deleteDraft(
  db: Db,
  { version, edits }: Pick<Licence, 'version' | 'edits'>,
  entry: AuditEntry,
  now = Date.now(),
): Promise<boolean> {
  const [deleted] = await db.$client.batch([
    db.$client
      .prepare(`DELETE FROM licences WHERE version = ? AND edits = ? AND holds_from IS NULL`)
      .bind(version, edits),
    auditIfChanged(db, entry, now),
  ]);
  return (deleted?.meta.changes ?? 0) > 0;
}
