import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../scripts/settings.ts';

/** The release before the newest migration, from this clone's history, on a migrated database. */
export interface ReleaseBefore {
  folder: string;
  /** Returns a module of its own code, by the path in the repository. */
  load<Module>(path: string): Promise<Module>;
  /** Adds the migrations that came after it, or takes them away again. */
  migrations(are: 'newest' | 'own'): void;
  remove(): void;
}

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

/** Returns the last commit without the newest migration, or an empty string if this clone has no such history. */
export function commitBefore(): string {
  try {
    const added = git('log', '--diff-filter=A', '-1', '--format=%H', '--', 'migrations/*.sql');
    return git('rev-parse', '--verify', '--quiet', `${added}^`);
  } catch {
    return '';
  }
}

const run = (folder: string, ...args: string[]) =>
  execFileSync(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });

/** Checks it out into a folder of its own and builds it there. */
export function checkOutBefore(): ReleaseBefore {
  const parent = mkdtempSync(join(tmpdir(), 'muster-before-'));
  const folder = join(parent, 'release');
  git('worktree', 'add', '--quiet', '--detach', folder, commitBefore());
  const lockOf = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (lockOf(folder) === lockOf(ROOT)) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
  else run(folder, 'scripts/install.mjs');
  run(folder, 'scripts/build.ts');
  const newer = readdirSync(join(ROOT, 'migrations'))
    .filter((name) => name.endsWith('.sql'))
    .filter((name) => !existsSync(join(folder, 'migrations', name)));
  return {
    folder,
    load: (path) => import(/* @vite-ignore */ join(folder, path)),
    migrations(are) {
      for (const name of newer) {
        const file = join(folder, 'migrations', name);
        if (are === 'newest') copyFileSync(join(ROOT, 'migrations', name), file);
        else rmSync(file, { force: true });
      }
    },
    remove() {
      git('worktree', 'remove', '--force', folder);
      rmSync(parent, { recursive: true, force: true });
    },
  };
}
