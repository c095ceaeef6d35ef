import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Mutant, mutantsOf } from './mutants.ts';
import type { Reached } from './reach.ts';

/**
 * `npm run mutate -- [files or folders] [--sample N] [--seed N] [--projects worker,domain] [--again]`: bends one line
 * after the other and runs the tests that reach it. What they let pass is listed; docs/mutation.md says how to read it.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    projects: { type: 'string', default: 'domain,fleet,web,worker' },
    again: { type: 'boolean', default: false },
  },
});

const ROOT = resolve(import.meta.dirname, '../..');
const KEPT = join(ROOT, '.mutate');
const REACH = join(KEPT, 'reach.json');
const CONFIG = 'scripts/mutate/vitest.config.ts';
const FOLDERS = ['domain', 'scan-files', 'fleet', 'worker', 'durable-objects', 'web'];
/** Drawn things are the browser tests' to notice; tables and generated files have nothing to bend. */
const LEFT_OUT = [/\.gen\.ts$/, /\.d\.ts$/, /\.tsx$/, /^worker\/db\//, /openapi-summaries/];
const TIMEOUT_MS = 240_000;
/** Test files of one mutant at the most, quickest first: what all others let pass, the thirteenth rarely notices. */
const MOST_FILES = 12;

const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');

/** Runs vitest; true where all passed, false where a test failed or it took too long. */
function vitest(args: readonly string[], env: Readonly<Record<string, string>>, shown: boolean): Promise<boolean> {
  const child = spawn(process.execPath, [VITEST, 'run', '--config', CONFIG, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: shown ? 'inherit' : 'ignore',
    timeout: shown ? 0 : TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  return new Promise((settle) => child.on('close', (code) => settle(code === 0)));
}

const projectArgs = (projects: readonly string[]): string[] => projects.flatMap((name) => ['--project', name]);

/** What each test file reaches; read once for a state of the clone, since reading it takes a whole test run. */
async function reachOfTests(): Promise<Reached[]> {
  if (values.again || !existsSync(REACH)) {
    console.log('Reading which tests reach what (once; --again reads it anew) …');
    await vitest(projectArgs(values.projects.split(',')), { MUTATE_REACH: REACH }, true);
  }
  const all = JSON.parse(readFileSync(REACH, 'utf8')) as Reached[];
  const failed = all.filter(({ passed }) => !passed).map(({ file }) => file);
  if (failed.length > 0) console.log(`Left out, because they fail without a mutant: ${failed.join(', ')}`);
  return all.filter(({ passed }) => passed);
}

function filesWanted(): string[] {
  const wanted = positionals.length > 0 ? positionals : FOLDERS;
  const inside = (file: string): boolean => wanted.some((each) => file === each || file.startsWith(`${each}/`));
  return globSync(
    FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx}`),
    { cwd: ROOT },
  )
    .filter((file) => inside(file) && !LEFT_OUT.some((pattern) => pattern.test(file)))
    .sort();
}

/** The same numbers for the same seed (mulberry32), so that a table can be made again. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Two folders deep in the Worker, where each floor is another matter; one elsewhere. */
const folderOf = ({ file }: Mutant): string =>
  file
    .split('/')
    .slice(0, file.startsWith('worker/') ? 2 : 1)
    .join('/');

function grouped<Value>(all: readonly Value[], keyOf: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const each of all) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return groups;
}

/** So many of each folder, or all. */
function sampled(all: readonly Mutant[]): Mutant[] {
  if (!values.sample) return [...all];
  const next = chance(Number(values.seed));
  return [...grouped(all, folderOf).values()].flatMap((group) =>
    group
      .map((mutant) => ({ mutant, rank: next() }))
      .sort((one, other) => one.rank - other.rank)
      .slice(0, Number(values.sample))
      .map(({ mutant }) => mutant),
  );
}

type Outcome = 'killed' | 'survived' | 'not reached';

const number = { next: 0 };

async function judge(mutant: Mutant, reach: readonly Reached[]): Promise<Outcome> {
  const key = `${mutant.file}:${mutant.within}`;
  const reaching = reach.filter(({ functions }) => functions.includes(key)).sort((one, other) => one.took - other.took);
  if (reaching.length === 0) return 'not reached';
  const path = join(KEPT, `mutant-${number.next++}.json`);
  writeFileSync(path, JSON.stringify(mutant));
  try {
    // Plain tests take a second, those inside workerd several: the second kind only for what the first let pass.
    const [inWorkerd, plain] = [true, false].map((is) =>
      reaching.filter(({ project }) => (project === 'worker') === is),
    );
    for (const tests of [plain ?? [], inWorkerd ?? []]) {
      if (tests.length === 0) continue;
      const args = [...projectArgs([...new Set(tests.map(({ project }) => project))]), '--bail', '1'];
      const files = tests.slice(0, MOST_FILES).map(({ file }) => file);
      if (!(await vitest([...args, ...files], { MUTATE_MUTANT: path }, false))) return 'killed';
    }
    return 'survived';
  } finally {
    rmSync(path, { force: true });
  }
}

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

function described(mutant: Mutant): string {
  const text = textOf(mutant.file);
  const was = text.slice(mutant.start, mutant.end).replace(/\s+/g, ' ').slice(0, 100);
  return `${mutant.file}:${mutant.line}  ${mutant.operator}  «${was}» -> «${mutant.replacement.replace(/\s+/g, ' ').slice(0, 60)}»`;
}

mkdirSync(KEPT, { recursive: true });
const reach = await reachOfTests();
const chosen = sampled(filesWanted().flatMap((file) => mutantsOf(file, textOf(file))));
console.log(`${chosen.length} mutants`);

const outcomes = new Map<Mutant, Outcome>();
const queue = [...chosen];
async function work(): Promise<void> {
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    const outcome = await judge(mutant, reach);
    outcomes.set(mutant, outcome);
    if (outcome !== 'killed') console.log(`${outcome}: ${described(mutant)}`);
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work));

const table = [...grouped(chosen, folderOf)].map(([folder, group]) => {
  const count = (outcome: Outcome): number => group.filter((mutant) => outcomes.get(mutant) === outcome).length;
  const killed = count('killed');
  return {
    folder,
    mutants: group.length,
    killed,
    survived: count('survived'),
    'not reached': count('not reached'),
    '%': Math.floor((killed * 100) / group.length),
  };
});
console.table(table);
writeFileSync(
  join(KEPT, 'report.json'),
  JSON.stringify(
    [...outcomes].map(([mutant, outcome]) => ({ ...mutant, outcome })),
    null,
    1,
  ),
);
