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

/** Runs these one after the other until one fails; without a mutant, the files as they are. */
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
const vitest = await createVitest('test', {
  root: ROOT,
  config: resolve(import.meta.dirname, 'vitest.config.ts'),
  watch: false,
  bail: 1,
  maxWorkers: 1,
  reporters: [{}],
});
await vitest.standalone();

async function fails({ project, file, names }: Selection): Promise<boolean> {
  const options = names ? { testNames: names } : undefined;
  const specification = vitest.getProjectByName(project).createSpecification(resolve(ROOT, file), options);
  vitest.state.clearErrors();
  const { testModules, unhandledErrors } = await vitest.rerunTestSpecifications([specification]);
  const own = testModules.find(({ moduleId }) => moduleId === specification.moduleId);
  return unhandledErrors.length > 0 || own?.state() !== 'passed';
}

async function tried({ mutant, selections }: Trial): Promise<Verdict> {
  globalThis.__mutant = mutant;
  const path = mutant && resolve(ROOT, mutant.file);
  if (path) vitest.invalidateFile(path);
  try {
    for (const [index, selection] of selections.entries()) {
      if (await fails(selection)) return { failed: index };
    }
    return { failed: null };
  } finally {
    globalThis.__mutant = null;
    if (path) vitest.invalidateFile(path);
  }
}

process.on('message', async (trial: Trial) => process.send?.(await tried(trial)));
process.on('disconnect', () => process.exit());
