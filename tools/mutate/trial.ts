import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createVitest } from 'vitest/node';
import type { Selection } from './kept-vitest.ts';
import { type Switched, withSwitches } from './switches.ts';

/**
 * Tries many mutants at once. They are in the files together, each behind a switch, and each test that reaches one runs
 * again with it active. It is a process of its own for the same reason as kept-vitest.ts.
 */

/** The mutants first, then one test file per message, with the mutants that need no more trials. */
export type Asked = { mutants: Switched[] } | { selection: Selection; settled: number[]; most: number };
/** What the file's tests noticed, and what they reached without noticing; null in answer to the mutants. */
export type Noticed = { killed: number[]; passed: number[] } | null;

const ROOT = resolve(import.meta.dirname, '../..');

async function started(mutants: readonly Switched[]) {
  globalThis.__switches = new Map(
    [...Map.groupBy(mutants, ({ file }) => file)].map(([file, all]) => {
      const { left } = withSwitches(file, readFileSync(resolve(ROOT, file), 'utf8'), all);
      return [file, all.filter((each) => !left.includes(each))];
    }),
  );
  const vitest = await createVitest('test', {
    root: ROOT,
    config: resolve(import.meta.dirname, 'vitest.config.ts'),
    watch: false,
    maxWorkers: 1,
    reporters: [{}],
  });
  await vitest.standalone();
  return vitest;
}

let vitest: Awaited<ReturnType<typeof started>> | undefined;

async function noticed(asked: Asked): Promise<Noticed> {
  if ('mutants' in asked) {
    vitest = await started(asked.mutants);
    return null;
  }
  if (!vitest) throw new Error('no mutants to try');
  const { project, file, names } = asked.selection;
  vitest.provide('settled', asked.settled);
  vitest.provide('most', asked.most);
  const specification = vitest
    .getProjectByName(project)
    .createSpecification(resolve(ROOT, file), names ? { testNames: names } : undefined);
  const { testModules } = await vitest.rerunTestSpecifications([specification]);
  const module = testModules.find(({ moduleId }) => moduleId === specification.moduleId);
  const metas = [...(module?.children.allTests() ?? [])].map((test) => test.meta());
  return { killed: metas.flatMap(({ killed = [] }) => killed), passed: metas.flatMap(({ passed = [] }) => passed) };
}

process.on('message', async (asked: Asked) => process.send?.(await noticed(asked)));
process.on('disconnect', () => process.exit());
