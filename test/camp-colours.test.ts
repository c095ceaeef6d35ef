import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CAMPS, campColour } from '../domain/games/camps.ts';

test('styles have each camp’s colours', () => {
  const text = readFileSync(join(import.meta.dirname, '..', 'web', 'components', 'camps.css'), 'utf8');
  const rules = [...text.matchAll(/\[data-camp="([^"]+)"\] \{\s*--camp: ([^;]+);/g)].map(([, name, colour]) => [
    name,
    colour,
  ]);
  expect(rules).toEqual(CAMPS.map(({ name }) => [name, campColour(name)]));
});
