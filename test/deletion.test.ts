import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** Data that outlives a deleted account: the books and the log, without the user's name. */
const STAYS = ['ledger_entries', 'orders', 'payments', 'reversals', 'audit_entries'];

test('every table with data of users is cleared when an account is deleted, or listed as one that keeps its rows', () => {
  const tables = globSync('worker/db/*.ts', { cwd: ROOT }).flatMap((file) =>
    textOf(file)
      .split(/\bsqliteTable\(/)
      .slice(1)
      .filter((text) => /\buser_id: text\(/.test(text))
      .map((text) => /^\s*'(\w+)'/.exec(text)?.[1] ?? ''),
  );
  expect(tables.length).toBeGreaterThan(20);
  const gone = textOf('worker/models/accounts/deletion.ts');
  const left = tables.filter((table) => !STAYS.includes(table) && !new RegExp(`(FROM|UPDATE) ${table}\\b`).test(gone));
  expect(left).toEqual([]);
});
