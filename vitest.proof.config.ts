import { defineConfig } from 'vitest/config';

/** Long proofs: each starts whole services, so they run one after another and not with every `npm test`. */
export default defineConfig({
  test: {
    include: ['test/proof/**/*.test.ts'],
    environment: 'node',
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
