import { beforeAll, describe, it } from 'vitest';
import { growing, grownOperations, NAMES, openDoors } from '../../worker/fuzz-calls.ts';

beforeAll(openDoors);

describe('calls that grow in size, count and depth, by everybody', () => {
  it.each(grownOperations)(
    '$method $path answers them all, and others meanwhile',
    (operation) => growing(operation, () => NAMES),
    60_000,
  );
});
