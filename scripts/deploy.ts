import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { unstable_readConfig as readConfig, type Unstable_Config } from 'wrangler';
import { CONFIG } from './admin/platform.ts';
import { build } from './build.ts';
import { examine } from './doctor.ts';
import { Problem, ROOT, runCommand } from './settings.ts';

const WRANGLER = join(ROOT, 'node_modules/wrangler/bin/wrangler.js');

/** A call of wrangler. */
interface Step {
  args: string[];
  /** Whether wrangler may ask the operator. */
  asks: boolean;
}

/**
 * Returns the calls of wrangler that deploy a configuration, in order. Migrations come first, because the previous
 * Worker still works with them: they only add. A closed service is deployed first, because it is closed when the
 * database does not answer.
 */
export function stepsOf({ d1_databases, vars }: Unstable_Config, environment = ''): Step[] {
  const env = `--env=${environment}`;
  // If wrangler asks and the answer is no, it succeeds without migrating.
  const migrations = d1_databases.map(({ binding }) => ({
    args: ['d1', 'migrations', 'apply', binding, '--remote', env],
    asks: false,
  }));
  const deploy = { args: ['deploy', env], asks: true };
  return vars.CLOSED ? [deploy, ...migrations] : [...migrations, deploy];
}

/** Runs wrangler as the operator would, step by step. @throws Problem at the first step that fails. */
export function runSteps(steps: readonly Step[], wrangler = WRANGLER): void {
  for (const { args, asks } of steps) {
    const { status } = spawnSync(process.execPath, [wrangler, ...args], {
      cwd: ROOT,
      stdio: [asks ? 'inherit' : 'ignore', 'inherit', 'inherit'],
    });
    if (status !== 0) throw new Problem(`wrangler ${args.join(' ')} failed, and nothing after it was done.`);
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { env: { type: 'string' } } });
  const flaws = examine(CONFIG, values.env, null);
  if (flaws.length > 0) throw new Problem(flaws.join('\n'));
  await build();
  runSteps(stepsOf(readConfig({ config: CONFIG, env: values.env ?? '' }), values.env));
}

if (import.meta.main) await runCommand(main);
