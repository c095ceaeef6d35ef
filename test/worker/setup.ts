import { env } from 'cloudflare:workers';
import { afterEach, expect } from 'vitest';
import { forgetAll } from './forget.ts';
import { brokenSince } from './hold-answers.ts';

// Runs before each worker test file. Files share a runtime and the service's modules, because starting one or loading
// the others takes longer than most files. Each finds storage and memory empty. All migrations run as one batch, because
// applyD1Migrations would send a request for each statement.
const { DB, TEST_MIGRATIONS } = env;

await forgetAll();
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
