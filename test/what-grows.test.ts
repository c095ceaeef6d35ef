import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect, it } from 'vitest';
import { ROOT } from '../scripts/settings.ts';
import * as schema from '../worker/db/schema.ts';

it('docs/operating.md says of every table what ends its rows, or why they stay', () => {
  const [, chapter = ''] =
    /^## What grows\n(.*?)^## /ms.exec(readFileSync(join(ROOT, 'docs/operating.md'), 'utf8')) ?? [];
  const rows = chapter.split('\n').flatMap((line) => /^\| (.*?) \| .*\|$/.exec(line)?.[1] ?? []);
  const named = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  const tables: string[] = Object.values(schema).flatMap((one) => (is(one, SQLiteTable) ? [getTableName(one)] : []));
  expect(tables.length).toBeGreaterThan(40);
  expect(tables.filter((name) => !named.includes(name))).toEqual([]);
  expect(named.filter((name) => !tables.includes(name))).toEqual([]);
  const tests = [...chapter.matchAll(/test\/[\w/-]+\.test\.ts/g)].map(([file]) => file);
  for (const file of tests) expect(readFileSync(join(ROOT, file), 'utf8')).toMatch(/^\s*(it|test)\b/m);
});
