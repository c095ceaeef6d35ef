import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Judge, type Outcome } from './judge.ts';
import { type Mutant, mutantsOf, ownMutant } from './mutants.ts';
import { markOf, type Reached } from './reach.ts';
import { Verdicts } from './verdicts.ts';

/**
 * `npm run mutate -- [files or folders] [--sample N] [--seed N] [--own list.json] [--minutes N] [--abreast N]
 * [--projects domain,web] [--again]` changes lines and runs the tests that reach them. It lists the changes that no
 * test notices; its README explains how to read the list.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    projects: { type: 'string', default: 'domain,fleet,web,worker' },
    own: { type: 'string' },
    minutes: { type: 'string' },
    abreast: { type: 'string', default: String(availableParallelism()) },
    again: { type: 'boolean', default: false },
  },
});

const ROOT = resolve(import.meta.dirname, '../..');
const KEPT = join(ROOT, '.mutate');
const REACH = join(KEPT, 'functions.json');
const CONFIG = 'tools/mutate/vitest.config.ts';
const FOLDERS = ['domain', 'scan-files', 'fleet', 'worker', 'durable-objects', 'web'];
/** Components are left to the browser tests; tables and generated files contain nothing to change. */
const LEFT_OUT = [/\.gen\.ts$/, /map-paths\.ts$/, /\.d\.ts$/, /\.tsx$/, /^worker\/db\//, /worker\/openapi\/tags/];
/** Test folders of each project, as in vitest.config.ts. */
const TESTS: Readonly<Record<string, string>> = {
  domain: 'domain',
  fleet: '{fleet,scan-files}',
  web: 'web',
  worker: '{worker,durable-objects}',
};
const PROJECTS = values.projects.split(',');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');

/** Runs some test files, or all, and records what they reach. */
function read(files: readonly string[]): Promise<void> {
  const args = [...PROJECTS.flatMap((name) => ['--project', name]), ...files];
  const child = spawn(process.execPath, [VITEST, 'run', '--config', CONFIG, ...args], {
    cwd: ROOT,
    env: { ...process.env, MUTATE_REACH: REACH },
    stdio: 'inherit',
  });
  return new Promise((settle) => child.on('close', () => settle()));
}

const reachKept = (): Reached[] => (existsSync(REACH) ? JSON.parse(readFileSync(REACH, 'utf8')) : []);

/**
 * Returns what each test file reaches. All files are measured once, which takes a whole test run; afterwards only
 * changed ones.
 */
async function reachOfTests(): Promise<Reached[]> {
  if (values.again) rmSync(REACH, { force: true });
  const before = reachKept();
  const there = before.filter(({ file }) => existsSync(join(ROOT, file)));
  const isSame = ({ file, text }: Reached): boolean => markOf(join(ROOT, file)) === text;
  const known = new Set(there.filter((each) => each.passed && isSame(each)).map(({ file }) => file));
  const missing = globSync(
    PROJECTS.map((name) => `test/${TESTS[name]}/**/*.test.{ts,tsx}`),
    { cwd: ROOT },
  ).filter((file) => !known.has(file));
  if (missing.length > 0) {
    console.log(`Reading what ${missing.length} test files reach …`);
    await read(missing);
  }
  const all = reachKept().filter(({ project }) => PROJECTS.includes(project));
  const failed = all.filter(({ passed }) => !passed).map(({ file }) => file);
  if (failed.length > 0) console.log(`Left out, because they fail without a mutant: ${failed.join(', ')}`);
  return all.filter(({ passed, file }) => passed && existsSync(join(ROOT, file)));
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

/** Generates the same numbers for the same seed (mulberry32), so that a table is reproducible. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a mutant's folder: two levels deep in the Worker, whose layers differ, one level elsewhere. */
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

/** Returns `--sample` mutants of each folder, or all. */
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

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

function described(mutant: Mutant): string {
  const text = textOf(mutant.file);
  const was = text.slice(mutant.start, mutant.end).replace(/\s+/g, ' ').slice(0, 100);
  return `${mutant.file}:${mutant.line}  ${mutant.operator}  «${was}» -> «${mutant.replacement.replace(/\s+/g, ' ').slice(0, 60)}»`;
}

/** Reads mutants from a list: `[file, current text, replacement]`, with a text that occurs once in the file. */
function ownMutants(list: string): Mutant[] {
  const rows = JSON.parse(readFileSync(list, 'utf8')) as [string, string, string][];
  return rows.map(([file, was, instead]) => ownMutant(file, textOf(file), was, instead));
}

mkdirSync(KEPT, { recursive: true });
const chosen = values.own
  ? ownMutants(values.own)
  : sampled(filesWanted().flatMap((file) => mutantsOf(file, textOf(file))));
const reach = await reachOfTests();
console.log(`${chosen.length} mutants`);

const until = values.minutes ? Date.now() + Number(values.minutes) * 60_000 : Infinity;
const outcomes = new Map<Mutant, Outcome>();
const verdicts = new Verdicts(join(KEPT, 'verdicts.json'), textOf, reach);
function killed(mutant: Mutant, by: string): void {
  outcomes.set(mutant, 'killed');
  verdicts.note(mutant, 'killedBy', by);
  if (values.own) console.log(`killed: ${described(mutant)}  by ${by}`);
}
for (const mutant of chosen) {
  const by = verdicts.killer(mutant);
  if (by) killed(mutant, by);
}
const left = chosen.filter((mutant) => !outcomes.has(mutant));
// Takes one of each folder in turn, so that an interrupted run has covered every folder.
const byFolder = [...grouped(left, folderOf).values()];
const queue = Array.from({ length: Math.max(0, ...byFolder.map(({ length }) => length)) }, (_, index) =>
  byFolder.flatMap((group) => group[index] ?? []),
).flat();

async function work(): Promise<void> {
  const judge = new Judge(reach, verdicts);
  for (let mutant = queue.shift(); mutant && Date.now() < until; mutant = queue.shift()) {
    const verdict = await judge.judge(mutant, until);
    if (verdict === null) continue;
    if (verdict.outcome === 'killed') killed(mutant, verdict.by);
    else {
      outcomes.set(mutant, verdict.outcome);
      console.log(`${verdict.outcome}: ${described(mutant)}  by ${verdict.by}`);
    }
  }
  judge.end();
}
await Promise.all(Array.from({ length: Number(values.abreast) }, work));
for (const mutant of chosen) if (!outcomes.has(mutant)) console.log(`left: ${described(mutant)}`);

const table = [...grouped(chosen, folderOf)].map(([folder, group]) => {
  const count = (outcome: Outcome): number => group.filter((mutant) => outcomes.get(mutant) === outcome).length;
  const killed = count('killed');
  return {
    folder,
    mutants: group.length,
    killed,
    survived: count('survived'),
    'not reached': count('not reached'),
    // If time ran out, '%' is a lower bound.
    'not judged': group.filter((mutant) => !outcomes.has(mutant)).length,
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
