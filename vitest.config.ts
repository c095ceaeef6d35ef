import { mkdirSync } from 'node:fs';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** Keys that exist only inside a test run; a real one has its own (README). */
const TEST_SESSION_KEYS = JSON.stringify({
  current: 'test',
  keys: { test: 'dGVzdC1vbmx5LXRlc3Qtb25seS10ZXN0LW9ubHktMTI' },
});

// The worker's configuration names the folder of the built web, which a fresh clone lacks until its first build.
mkdirSync(new URL('dist/web', import.meta.url), { recursive: true });

const inNode = (name: string, include: string[]) => ({
  test: { name, include, environment: 'node' as const },
});

export default defineConfig(async () => ({
  test: {
    projects: [
      inNode('domain', ['test/domain/**/*.test.ts']),
      inNode('fleet', ['test/fleet/**/*.test.ts']),
      inNode('house', ['test/*.test.ts']),
      { ...inNode('web', ['test/web/**/*.test.{ts,tsx}']), plugins: [react()] },
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                ENVIRONMENT: 'local',
                SITE_ORIGIN: 'http://muster.test',
                SESSION_KEYS: TEST_SESSION_KEYS,
                TEST_MIGRATIONS: await readD1Migrations('migrations'),
                REAL_SCANS: process.env.REAL_SCANS ?? '',
              },
            },
          }),
        ],
        test: {
          name: 'worker',
          include: ['test/worker/**/*.test.ts', 'test/durable-objects/**/*.test.ts'],
          setupFiles: ['./test/worker/migrate.ts'],
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['./test/e2e/one-service.ts'],
          environment: 'node' as const,
          // One service after another, once the quick tests are through: two cores hold one workerd and one browser.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
}));
