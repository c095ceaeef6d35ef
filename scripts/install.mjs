// Installs what is missing before `npm start` and `npm test`. Plain JavaScript without packages: it runs on whatever
// Node the machine has, before the project's own Node is there.
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
  // Registries differ in which optional platform packages they hold, and `npm ci` refuses a lock that lacks one;
  // `npm install` keeps to the locked versions and takes what is there, and the lock file is left as it is.
  execSync('npm install --no-save --prefer-offline', { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(stamp, wanted);
}
