import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HOSTILE } from '../../test/scan-files/hostile.ts';
import { sized } from '../quick.ts';
import { judge, mebibytes, milliseconds, printTable } from '../report.ts';

/** Measures files made to cost out of proportion, each in a process of its own. */

const run = promisify(execFile);

interface Cost {
  bytes: number;
  processor: number;
  /** Peak memory in bytes, including the file. */
  most: number;
  /** Longest time without a turn for other work of the process, in ms of processor time. */
  longest: number;
  outcome: string;
}

const worst = (costs: readonly Cost[], of: 'processor' | 'most' | 'longest'): number =>
  Math.max(...costs.map((cost) => cost[of]));

/** Reads every hostile file, prints each cost, and judges the worst. */
export async function measureHostile(): Promise<void> {
  const costs: Cost[] = [];
  for (const index of [...HOSTILE.keys()].slice(0, sized(HOSTILE.length, 3))) {
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
