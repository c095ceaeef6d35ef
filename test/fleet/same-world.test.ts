import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { warsOf } from '../../fleet/sources/world/wars.ts';
import { simulatedWorld } from '../../fleet/sources/world.ts';

/**
 * Keeps the simulated world the same in every release. Otherwise a copy that scanned it yesterday would see counters
 * fall and everybody renamed. To change it on purpose, write the new sums here, and say in the release notes that
 * copies start over.
 */

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

test.each([
  ['rok', 1001, Date.UTC(2023, 0, 1), '9e09e3e636c6d462'],
  ['rok', 1001, Date.UTC(2026, 6, 1), '6aebb135b7458f0c'],
  ['rok', 1008, Date.UTC(2026, 10, 21, 13), '66ae664acc62fece'],
  ['rok', 1033, Date.UTC(2029, 2, 3), 'ac4977934ab23cb8'],
  ['cod', 101, Date.UTC(2026, 6, 1), '73830afc86adf015'],
  // Between two wars: its lords are at home.
  ['cod', 101, Date.UTC(2026, 6, 21), '154d29bca449039d'],
  ['cod', 117, Date.UTC(2026, 10, 21, 13), '3f688817a7b04e31'],
] as const)('%s %d at %d', (game, kingdom, at, expected) => {
  expect(digest(simulatedWorld().rows(game, kingdom, at, Number.POSITIVE_INFINITY))).toBe(expected);
});

test('the agent’s world has the wars and new kingdoms of the service’s', async () => {
  const world = simulatedWorld();
  const at = Date.UTC(2026, 10, 21);
  const wars = (['rok', 'cod'] as const).map((game) => warsOf(game, 1, world.kingdoms(game), at));
  expect(digest(wars)).toBe('f8b9f96cc7788540');
  expect(digest(await world.scan('rok', 1042, at))).toBe('d6179e96fa971ed9');
});
