import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, vi } from 'vitest';
import { emptyEdge } from './empty-edge.ts';

// Runs before each worker test file. Files share a runtime (a start takes longer than most of them) and each has it
// empty: the service's modules are read anew, with nothing in their memory; what the last file stored goes; and the
// database gets its tables, in one batch, where applyD1Migrations would ask once for each statement.
vi.resetModules();
const { brokenSince } = await import('./hold-answers.ts');
const { DB, STORE, TEST_MIGRATIONS } = env;

const isEmpty = async (): Promise<boolean> =>
  (await DB.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'd1_migrations'`).first()) === null &&
  (await STORE.list({ limit: 1 })).objects.length === 0;

// Where an alarm of the last file is at work meanwhile, it holds a database or a store open that is gone: once more,
// without it.
do await reset();
while (!(await isEmpty()));
await emptyEdge();

await DB.batch([
  DB.prepare('CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE NOT NULL)'),
  ...TEST_MIGRATIONS.flatMap(({ name, queries }) => [
    ...queries.map((query) => DB.prepare(query)),
    DB.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name),
  ]),
]);

afterEach(() => {
  expect(brokenSince()).toEqual([]);
});
