import { existsSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import base from '../../vitest.config.ts';
import type {} from './kept-vitest.ts';
import { bodiesOf, topOf } from './mutants.ts';
import { type Reached, ReachReporter } from './reach.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Set if the run records what its tests reach, into that file. Otherwise tests run against `__mutant`. */
const { MUTATE_REACH } = process.env;
const kept = (path: string): Reached[] => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []);
const OURS = /^(domain|worker|durable-objects|fleet|scan-files|web)\/.*\.tsx?$/;

const fileOf = (id: string): string => relative(ROOT, id.split('?', 1)[0] ?? '');

/** Inserts a record of being reached into each function, and into the file itself. */
function counted(file: string, text: string): string {
  const insertions = bodiesOf(file, text).flatMap(({ key, body, isExpression }): [number, string][] => {
    const hit = `globalThis.__reached?.add(${JSON.stringify(key)})`;
    return isExpression
      ? [
          [body[0], `(${hit},`],
          [body[1], ')'],
        ]
      : [[body[0] + 1, `${hit};`]];
  });
  // From the end, so that positions stay valid. Insertions at one position (two functions that end together) may come
  // in any order.
  const sorted = insertions.sort(([one], [other]) => other - one);
  const code = sorted.reduce((all, [at, what]) => all.slice(0, at) + what + all.slice(at), text);
  return `globalThis.__reached?.add(${JSON.stringify(topOf(file))});${code}`;
}

function mutation(): Plugin {
  return {
    name: 'mutation',
    enforce: 'pre',
    // Vitest caches transformed files between runs, so mutated and instrumented ones get their own cache keys.
    configureVitest({ defineCacheKeyGenerator }) {
      defineCacheKeyGenerator(({ id }) => {
        if (MUTATE_REACH) return 'reach';
        return globalThis.__mutant?.file === fileOf(id) ? false : null;
      });
    },
    transform(code, id) {
      const file = fileOf(id);
      if (MUTATE_REACH && OURS.test(file) && !file.endsWith('.gen.ts')) return { code: counted(file, code), map: null };
      const mutant = globalThis.__mutant;
      if (mutant?.file !== file) return null;
      return { code: code.slice(0, mutant.start) + mutant.replacement + code.slice(mutant.end), map: null };
    },
  };
}

/** Keeps the requested order of files, in which the likeliest to fail come first. */
class AsAsked extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
}

export default defineConfig(async (environment) => {
  const { test, ...rest } = await base(environment);
  const projects = (test?.projects ?? []).map((each) => {
    const project = each as { plugins?: unknown[]; test?: { setupFiles?: string[] } };
    const setupFiles = [...(MUTATE_REACH ? ['./tools/mutate/setup.ts'] : []), ...(project.test?.setupFiles ?? [])];
    return {
      ...project,
      root: ROOT,
      plugins: [...(project.plugins ?? []), mutation()],
      // Recording needs isolation, so that each file's top-level code runs again. With mutants, all files of a runtime
      // share them.
      test: { ...project.test, isolate: Boolean(MUTATE_REACH), setupFiles },
    } as TestProjectConfiguration;
  });
  return {
    ...rest,
    root: ROOT,
    test: {
      ...test,
      projects,
      sequence: { sequencer: AsAsked },
      reporters: MUTATE_REACH ? [new ReachReporter(MUTATE_REACH, kept(MUTATE_REACH))] : ['dot'],
    },
  };
});
