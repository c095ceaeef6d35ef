import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HOSTILE } from '../../test/scan-files/hostile.ts';
import { judge, mebibytes, milliseconds, printTable } from '../report.ts';

/** Files whose cost is meant to be out of proportion, each in a process of its own. */

const run = promisify(execFile);

interface Cost {
  bytes: number;
  processor: number;
  /** Bytes held at most, the file's own among them. */
  most: number;
  /** The longest that nothing else of the process had its turn, in milliseconds of processor. */
  longest: number;
  outcome: string;
}

const worst = (costs: readonly Cost[], of: 'processor' | 'most' | 'longest'): number =>
  Math.max(...costs.map((cost) => cost[of]));

/** Reads every hostile file, prints what each cost, and judges the worst. */
export async function measureHostile(): Promise<void> {
  const costs: Cost[] = [];
  for (const index of HOSTILE.keys()) {
    const { stdout } = await run(process.execPath, [
      '--expose-gc',
      join(import.meta.dirname, 'hostile-one.ts'),
      String(index),
    ]);
    costs.push(JSON.parse(stdout) as Cost);
  }
  printTable(
    costs.map(({ bytes, processor, most, longest, outcome }, index) => ({
      '': HOSTILE[index]?.what ?? '',
      bytes: bytes.toLocaleString('en-US'),
      processor: milliseconds(processor),
      held: mebibytes(most),
      'longest turn': milliseconds(longest),
      outcome,
    })),
  );
  judge([
    { what: 'the worst hostile file, ms of processor', reached: worst(costs, 'processor'), wanted: 1500, below: true },
    { what: 'the worst hostile file, MiB', reached: worst(costs, 'most') / 2 ** 20, wanted: 96, below: true },
    {
      what: 'ms of processor between turns for other requests',
      reached: worst(costs, 'longest'),
      wanted: 500,
      below: true,
    },
  ]);
}
