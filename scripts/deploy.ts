import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { unstable_readConfig as readConfig } from 'wrangler';
import { CONFIG } from './admin/platform.ts';
import { build } from './build.ts';
import { examine } from './doctor.ts';
import { ROOT } from './settings.ts';

/** Runs wrangler as the operator would. Exits this process if it fails. */
function wrangler(...args: string[]): void {
  const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/wrangler/bin/wrangler.js'), ...args], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

const { values } = parseArgs({ options: { env: { type: 'string' } } });
const flaws = examine(CONFIG, values.env, null);
for (const flaw of flaws) console.error(flaw);
if (flaws.length > 0) process.exit(1);
const env = `--env=${values.env ?? ''}`;
await build();
// Migrations come first. The previous Worker still works with them, because migrations only add.
for (const { binding } of readConfig({ config: CONFIG, env: values.env ?? '' }).d1_databases)
  wrangler('d1', 'migrations', 'apply', binding, '--remote', env);
wrangler('deploy', env);
