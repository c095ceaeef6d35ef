import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CONFIG } from './admin/platform.ts';
import { build } from './build.ts';
import { examine } from './doctor.ts';
import { ROOT } from './settings.ts';

/** Runs wrangler as the operator would; ends this process where it fails. */
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
// First what the new Worker needs: the one before works with it too, because migrations only add.
wrangler('d1', 'migrations', 'apply', 'DB', '--remote', env);
wrangler('deploy', env);
