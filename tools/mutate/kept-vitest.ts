import { resolve } from 'node:path';
import { createVitest } from 'vitest/node';
import type { Mutant } from './mutants.ts';

/**
 * A persistent Vitest, which keeps what it has read and transformed for the next mutant. It is a process of its own
 * because a mutant may loop forever; the parent kills it then.
 */

/** Tests of one file: those with these names, or all. */
export interface Selection {
  project: string;
  file: string;
  names: string[] | null;
}

/** Runs the selections in one runtime until one fails. Without a mutant, the files are unchanged. */
export interface Trial {
  mutant: Mutant | null;
  selections: Selection[];
}

/** Index of the selection that failed; null if all passed. */
export type Verdict = { failed: number | null };

declare global {
  /** Read by the configuration's plugin, which changes the file's text. */
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
  // Attributes an uncaught error to the file that was running.
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
