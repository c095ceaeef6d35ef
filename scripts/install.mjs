// Installs missing packages before `npm start` and `npm test`. It is plain JavaScript without packages, because it runs
// on any Node, before the project's own Node is installed.
import { execSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const root = new URL('..', import.meta.url);
const stamp = new URL('node_modules/.muster-installed', root);
const wanted = createHash('sha256')
  .update(readFileSync(new URL('package.json', root)))
  .update(readFileSync(new URL('package-lock.json', root)))
  .digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.log('Installing packages …');
  // Registries differ in the optional platform packages they hold, and `npm ci` refuses a lock file if one is missing.
  // `npm install` uses the locked versions that exist and leaves the lock file as it is.
  // With NODE_ENV=production npm would leave out what builds and serves a copy.
  execSync('npm install --no-save --prefer-offline --include=dev', {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  writeFileSync(stamp, wanted);
}
