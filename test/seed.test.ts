import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { SeedStep } from '../scripts/seed/plan.ts';
import { seed } from '../scripts/seed.ts';

const stateDir = mkdtempSync(join(tmpdir(), 'seed-'));
afterAll(() => rmSync(stateDir, { recursive: true }));

const secrets = { FLEET_TOKEN: 'token' } as Parameters<typeof seed>[1];

/** The steps that a start sends. */
async function stepsOf(scansDir: string | null): Promise<SeedStep[]> {
  const steps: SeedStep[] = [];
  await seed(async (step) => void steps.push(step), secrets, { stateDir, scansDir });
  return steps;
}

test('a copy of real scans gets the sign-ins and no made-up people, any other the simulated world', async () => {
  expect(await stepsOf('/scans')).toEqual([{ token: 'token' }]);
  // Later starts refuse a database that is gone by this note (scripts/state.ts).
  expect(JSON.parse(readFileSync(join(stateDir, 'seeded.json'), 'utf8'))).toEqual([]);
  const steps = await stepsOf(null);
  expect(steps.filter((step) => 'day' in step).length).toBeGreaterThan(5);
  expect(steps.some((step) => 'war' in step)).toBe(true);
});
