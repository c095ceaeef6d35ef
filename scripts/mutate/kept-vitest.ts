import { resolve } from 'node:path';
import { createVitest } from 'vitest/node';
import type { Mutant } from './mutants.ts';

/**
 * One Vitest that stays: what it has read and transformed is there for the next mutant. A process of its own, since a
 * mutant may turn for ever; the one that started it ends it then.
 */

/** Tests of one file: those of these names, or all. */
export interface Selection {
  project: string;
  file: string;
  names: string[] | null;
}

/** Runs these in one runtime until one fails; without a mutant, the files as they are. */
export interface Trial {
  mutant: Mutant | null;
  selections: Selection[];
}

/** Place in the trial's selections of the one that failed; null where all passed. */
export type Verdict = { failed: number | null };

declare global {
  /** What the plugin of the configuration beside writes into the file's text. */
  var __mutant: Mutant | null | undefined;
}

const ROOT = resolve(import.meta.dirname, '../..');
const passed = new Set<string>();
const vitest = await createVitest('test', {
  root: ROOT,
  config: resolve(import.meta.dirname, 'vitest.config.ts'),
  watch: false,
  bail: 1,
  maxWorkers: 1,
  reporters: [{ onTestModuleEnd: (module) => void (module.state() === 'passed' && passed.add(module.moduleId)) }],
});
await vitest.standalone();

async function firstToFail(selections: readonly Selection[]): Promise<number | null> {
  passed.clear();
  vitest.state.clearErrors();
  const { unhandledErrors } = await vitest.rerunTestSpecifications(
    selections.map(({ project, file, names }) =>
      vitest
        .getProjectByName(project)
        .createSpecification(resolve(ROOT, file), names ? { testNames: names } : undefined),
    ),
  );
  const failed = selections.findIndex(({ file }) => !passed.has(resolve(ROOT, file)));
  if (failed >= 0) return failed;
  // What nobody caught is told of the file that ran meanwhile.
  const [error] = unhandledErrors as { VITEST_TEST_PATH?: string }[];
  const during = selections.findIndex(({ file }) => resolve(ROOT, file) === error?.VITEST_TEST_PATH);
  return error ? Math.max(0, during) : null;
}

async function tried({ mutant, selections }: Trial): Promise<Verdict> {
  globalThis.__mutant = mutant;
  const path = mutant && resolve(ROOT, mutant.file);
  if (path) vitest.invalidateFile(path);
  try {
    return { failed: await firstToFail(selections) };
  } finally {
    globalThis.__mutant = null;
    if (path) vitest.invalidateFile(path);
  }
}

process.on('message', async (trial: Trial) => process.send?.(await tried(trial)));
process.on('disconnect', () => process.exit());
