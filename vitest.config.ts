import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import react from '@vitejs/plugin-react';
import { Response as OutgoingResponse } from 'miniflare';
import { defineConfig } from 'vitest/config';
import { DiscordStandIn } from './stand-ins/discord.ts';
import { StripeStandIn } from './stand-ins/stripe/stand-in.ts';

/** Keys that exist only inside a test run; a real one has its own (README). */
const TEST_SESSION_KEYS = JSON.stringify({
  current: 'test',
  keys: { test: 'dGVzdC1vbmx5LXRlc3Qtb25seS10ZXN0LW9ubHktMTI' },
});

/** What the Worker asks of the internet inside a worker test: stand-ins for Stripe and Discord, and nothing else. */
const STRIPE = { key: 'sk_test_only', webhookSecret: 'whsec_test_only' };
const stripe = new StripeStandIn(STRIPE);
const discord = new DiscordStandIn();

// The worker's configuration names the folder of the built web, which a fresh clone lacks until its first build.
mkdirSync(new URL('dist/web', import.meta.url), { recursive: true });

// No test here is about time: a busy machine must not fail one.
const PATIENCE = { testTimeout: 60_000, hookTimeout: 60_000 };
const LONG_PATIENCE = { testTimeout: 120_000, hookTimeout: 120_000 };

/** `npm run proof` runs the long ones (test/proof), `npm test` all others. */
const PROOFS = process.env.PROOFS === '1';

// As one file each: they have hundreds, and every test file would read them one by one.
const BUNDLED = [
  ...[
    '@hono/zod-validator',
    'ajv-formats',
    'ajv/dist/2020',
    'drizzle-orm',
    'drizzle-orm/d1',
    'drizzle-orm/sqlite-core',
    'exceljs',
  ],
  ...['hono', 'hono/body-limit', 'hono/cookie', 'hono/cors', 'hono/http-exception', 'hono/request-id'],
  ...['hyparquet', 'hyparquet-writer', 'jose', 'otpauth', 'stripe', 'zod'],
];

const inNode = (name: string, include: string[]) => ({
  test: { name, include, environment: 'node' as const, isolate: false, ...PATIENCE },
});

const QUICK = [
  inNode('domain', ['test/domain/**/*.test.ts']),
  inNode('fleet', ['test/fleet/**/*.test.ts', 'test/scan-files/**/*.test.ts']),
  inNode('house', ['test/*.test.ts', 'tools/**/*.test.ts']),
  { ...inNode('web', ['test/web/**/*.test.{ts,tsx}']), plugins: [react()] },
];

export default defineConfig(async () => ({
  test: {
    // What a passing test logs (mails of the local gateway, refusals of configurations) is noise.
    silent: 'passed-only' as const,
    // Left to itself, Vitest keeps a core for its server, which on two is half of the machine.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      ...(PROOFS ? [] : QUICK),
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              // A second service, whose directories have databases of their own.
              d1Databases: ['OTHER_DB', 'OTHER_ROK', 'OTHER_COD'],
              r2Buckets: ['OTHER_STORE'],
              bindings: {
                ENVIRONMENT: 'local',
                SITE_ORIGIN: 'http://muster.test',
                SESSION_KEYS: TEST_SESSION_KEYS,
                DISCORD_API_BASE: 'http://discord.test',
                STRIPE_API_BASE: 'http://stripe.test',
                STRIPE_SECRET_KEY: STRIPE.key,
                STRIPE_WEBHOOK_SECRET: STRIPE.webhookSecret,
                TEST_MIGRATIONS: await readD1Migrations('migrations'),
                REAL_SCANS: process.env.REAL_SCANS ?? '',
              },
              outboundService: async (request) => {
                const body = request.method === 'GET' ? undefined : await request.arrayBuffer();
                const standIn = new URL(request.url).hostname === 'stripe.test' ? stripe : discord;
                const answer = await standIn.fetch(
                  new Request(request.url, { method: request.method, headers: [...request.headers], body }),
                );
                return new OutgoingResponse(await answer.arrayBuffer(), {
                  status: answer.status,
                  headers: [...answer.headers],
                });
              },
            },
          }),
        ],
        test: {
          name: 'worker',
          isolate: false,
          ...PATIENCE,
          deps: { optimizer: { ssr: { enabled: true, include: BUNDLED } } },
          include: PROOFS
            ? ['test/proof/worker/**/*.test.ts']
            : ['test/worker/**/*.test.ts', 'test/durable-objects/**/*.test.ts'],
          setupFiles: ['./test/worker/setup.ts'],
        },
      },
      {
        test: {
          name: 'e2e',
          include: PROOFS ? ['test/proof/*.test.ts'] : ['test/e2e/**/*.test.ts'],
          globalSetup: ['./test/e2e/one-service.ts'],
          alias: { 'cloudflare:workers': new URL('test/support/node-runtime.ts', import.meta.url).pathname },
          environment: 'node' as const,
          // Files share a copy of the service and run one after another, after all that is quicker.
          fileParallelism: false,
          isolate: false,
          sequence: { groupOrder: 1 },
          setupFiles: ['./test/support/told-on-failure.ts'],
          // On a busy machine a page can take seconds to follow.
          expect: { poll: { timeout: 15_000 } },
          ...LONG_PATIENCE,
        },
      },
    ],
  },
}));
