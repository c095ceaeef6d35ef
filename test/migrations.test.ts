import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { ROOT } from '../scripts/settings.ts';

/** Migrations that rewrite filled tables, applied like D1: each file is one transaction. */

const FOLDER = join(ROOT, 'migrations');
const FILES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.sql'))
  .sort();

function apply(db: DatabaseSync, names: readonly string[]): void {
  for (const name of names) db.exec(`BEGIN; ${readFileSync(join(FOLDER, name), 'utf8')}; COMMIT`);
}

test('only the newest migration has its schema', () => {
  const schemas = readdirSync(join(FOLDER, 'meta')).filter((name) => name.endsWith('_snapshot.json'));
  expect(schemas).toEqual([`${FILES.at(-1)?.slice(0, 4)}_snapshot.json`]);
});

test('governors keep every row, their index and their changes when the table gets a rowid', () => {
  const db = new DatabaseSync(':memory:');
  const at = FILES.indexOf('0027_governors_with_rowid.sql');
  apply(db, FILES.slice(0, at));
  const insert = db.prepare(
    `INSERT INTO governors (game, governor_id, kingdom_id, name, alliance_tag, power, score, deads, hall, t1, t2, t3, t4, t5,
       profile, captured_at, profile_at)
     VALUES (?, ?, ?, ?, 'TAG', ?, 9000000000, 9000000, 25, 900000000, 900000000, 900000000, NULL, 1, ?, 1790000000000, ?)`,
  );
  for (let row = 0; row < 2000; row++) {
    const game = row % 5 === 0 ? 'cod' : 'rok';
    const profile = JSON.stringify({ text: 'x'.repeat(950) });
    insert.run(game, row * 7919, row % 40, `龍 ${row}`, row * 1_000_003, profile, row % 2 ? 1 : null);
  }
  const all = () => db.prepare('SELECT * FROM governors ORDER BY game, governor_id').all();
  const used = () =>
    Number(
      db.prepare('SELECT page_count - freelist_count AS pages FROM pragma_page_count, pragma_freelist_count').get()
        ?.pages,
    );
  const [before, pages] = [all(), used()];
  apply(db, FILES.slice(at));
  expect(all()).toEqual(before);
  expect(used()).toBeLessThan(pages / 2);

  const plan = db.prepare(`EXPLAIN QUERY PLAN SELECT power FROM governors WHERE game = 'rok' AND kingdom_id = 7`).all();
  expect(JSON.stringify(plan)).toContain('governors_kingdom');
  expect(() => insert.run('rok', 7919, 1, 'twice', 1, '{}', null)).toThrow('UNIQUE constraint failed');
  db.exec(`UPDATE governors SET name = 'New' WHERE game = 'rok' AND governor_id = 7919`);
  expect(db.prepare('SELECT field, old_value, new_value FROM governor_changes').all()).toEqual([
    { field: 'name', old_value: '龍 1', new_value: 'New' },
  ]);
});

test('snapshots keep their ids, keys and kingdoms when their table loses its sequence', () => {
  const db = new DatabaseSync(':memory:');
  const at = FILES.indexOf('0041_snapshots_by_fewer_rows.sql');
  apply(db, FILES.slice(0, at));
  const insert = db.prepare(
    `INSERT INTO snapshots (key, game, kind, kingdom_id, captured_at, source, rows, bytes, quality, item_id, version, created_at)
     VALUES (?, ?, ?, ?, ?, 'made up', 300, 9000, '{"ok":300}', ?, ?, 5)`,
  );
  const put = (row: number, kind = row % 9 === 0 ? 'history' : 'scan') =>
    insert.run(`key ${row}`, row % 5 === 0 ? 'cod' : 'rok', kind, row % 40, 1000 + row, row % 3 ? `i${row}` : null, 1);
  for (let row = 0; row < 2000; row++) put(row);
  db.exec('DELETE FROM snapshots WHERE id % 7 = 0');
  db.exec(`PRAGMA foreign_keys = OFF;
    INSERT INTO event_part_versions (event_snapshot_id, kingdom_id, snapshot_id, replaced_at)
    VALUES (1, 1, 6, 0), (1, 1, 7, 0), (1, 2, 9999, 0)`);
  const all = (table: string) => db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2, 3`).all();
  const before = [all('snapshots'), all('kingdoms')];
  apply(db, FILES.slice(at));
  expect([all('snapshots'), all('kingdoms')]).toEqual(before);
  // The others were recalled, and their ids may be given again.
  expect(db.prepare('SELECT snapshot_id FROM event_part_versions').all()).toEqual([{ snapshot_id: 6 }]);

  const plan = db.prepare(`EXPLAIN QUERY PLAN SELECT id FROM snapshots WHERE game = 'rok' AND kingdom_id = 7`).all();
  expect(JSON.stringify(plan)).toContain('snapshots_kingdom');
  expect(() => put(8)).toThrow('UNIQUE constraint failed');
  expect(Number(put(2001, 'scan').lastInsertRowid)).toBe(2001);
  expect(put(2009, 'history').changes).toBe(1);
  expect(
    db.prepare('SELECT captured_at FROM kingdoms WHERE game = ? AND kingdom_id = ?').all('rok', 2001 % 40),
  ).toEqual([{ captured_at: 3001 }]);
  expect(db.prepare(`SELECT * FROM sqlite_sequence WHERE name LIKE 'snapshots%'`).all()).toEqual([]);
});

test('repaired items list their snapshots, those that were there and new ones, each once', () => {
  const db = new DatabaseSync(':memory:');
  const at = FILES.indexOf('0042_repaired_snapshots.sql');
  apply(db, FILES.slice(0, at));
  db.exec('PRAGMA foreign_keys = OFF');
  const item = db.prepare(
    `INSERT INTO items (id, order_id, position, product_id, game, kingdom_id, governors, full_profile, price_cents, details,
       subtask_count, incomplete_count, snapshot_id, version)
     VALUES (?, 1, ?, 'scan', 'rok', 7, 100, 1, 1, '{}', 1, 0, ?, ?)`,
  );
  const insert = db.prepare(
    `INSERT INTO snapshots (id, key, game, kingdom_id, captured_at, source, rows, bytes, quality, item_id, version, created_at)
     VALUES (?, ?, 'rok', 7, 5, 'made up', 300, 9000, '{}', ?, ?, 5) ON CONFLICT (key) DO NOTHING`,
  );
  const put = (id: number, itemId: string, version: number) => insert.run(id, `${itemId} ${version}`, itemId, version);
  item.run('once', 1, 1, 1);
  item.run('twice', 2, 3, 2);
  item.run('later', 3, 4, 1);
  put(1, 'once', 1);
  put(2, 'twice', 1);
  put(3, 'twice', 2);
  put(4, 'later', 1);
  apply(db, FILES.slice(at));
  put(5, 'twice', 3);
  put(6, 'twice', 3);
  put(7, 'later', 2);
  put(8, 'once', 1);
  expect(db.prepare('SELECT id, snapshot_ids FROM items ORDER BY position').all()).toEqual([
    { id: 'once', snapshot_ids: null },
    { id: 'twice', snapshot_ids: '[2,3,5]' },
    { id: 'later', snapshot_ids: '[4,7]' },
  ]);
});
