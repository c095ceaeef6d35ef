import type { Db } from '../../db/open.ts';
import { type AuditEntry, auditIfChanged } from './audit.ts';

/** Settings that admins change while the service runs. */

export interface Setting<Value> {
  value: Value;
  /** 0 before the first change. */
  version: number;
}

interface Stored {
  value: string;
  version: number;
}

/** Parses a setting, with defaults for what it does not have. */
const settingOf = <Value extends object>({ value, version }: Stored, defaults: Value): Setting<Value> => ({
  value: { ...defaults, ...(JSON.parse(value) as Partial<Value>) },
  version,
});

/** Returns a setting, with defaults for what it does not have. */
export async function readSetting<Value extends object>(
  db: Db,
  name: string,
  defaults: Value,
): Promise<Setting<Value>> {
  const row = await db.$client.prepare(`SELECT value, version FROM settings WHERE name = ?`).bind(name).first<Stored>();
  return row ? settingOf(row, defaults) : { value: defaults, version: 0 };
}

/** Returns the settings whose names begin with `prefix`, by the rest of the name. */
export async function readSettings<Value extends object>(
  db: Db,
  prefix: string,
  defaults: Value,
): Promise<Record<string, Setting<Value>>> {
  const { results } = await db.$client
    .prepare(`SELECT substr(name, length(?1) + 1) AS rest, value, version FROM settings WHERE name >= ?1 AND name < ?2`)
    .bind(prefix, `${prefix}\u{10ffff}`)
    .all<Stored & { rest: string }>();
  return Object.fromEntries(results.map((row) => [row.rest, settingOf(row, defaults)]));
}

/** Stores a setting, unless it is no longer at this version. Returns false then. */
export async function writeSetting(
  db: Db,
  { name, value, version }: Setting<object> & { name: string },
  entry: AuditEntry,
  now = Date.now(),
): Promise<boolean> {
  const [changed] = await db.$client.batch<{ version: number }>([
    db.$client
      .prepare(
        `INSERT INTO settings (name, value, version, changed_at) SELECT ?1, ?2, 1, ?4
           WHERE ?3 = 0 OR EXISTS (SELECT 1 FROM settings WHERE name = ?1)
         ON CONFLICT (name) DO UPDATE SET value = ?2, version = version + 1, changed_at = ?4 WHERE version = ?3
         RETURNING version`,
      )
      .bind(name, JSON.stringify(value), version, now),
    auditIfChanged(db, entry, now),
  ]);
  return (changed?.results.length ?? 0) > 0;
}
