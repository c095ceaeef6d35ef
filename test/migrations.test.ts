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
