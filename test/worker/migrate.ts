import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';

// Runs before each worker test file: its own empty database gets the tables.
const { DB, TEST_MIGRATIONS } = env;
await applyD1Migrations(DB, TEST_MIGRATIONS);
