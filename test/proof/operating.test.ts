import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../scripts/settings.ts';
import { configurationFor, wrangler } from './deployment.ts';

/** Every command of docs/operating.md: those without an account are run, the others are checked to exist. */

const text = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
const fenced = [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) => block.trim().split('\n'));
const inline = [...text.matchAll(/`((?:npm run|npx wrangler) [^`]+)`( ☁)?/g)].map(
  ([, command, cloud]) => command + (cloud ? ' # ☁' : ''),
);
const commands = [...fenced, ...inline].map((line) => {
  const [command = '', comment = ''] = line.replaceAll('\n', ' ').split(/\s+#\s?/);
  return { command: command.trim(), cloud: comment.includes('☁') || /--remote|^npm run deploy/.test(command) };
});

const folder = mkdtempSync(join(tmpdir(), 'muster-operating-'));
const stateDir = join(folder, 'state');
let config = '';
beforeAll(() => {
  config = configurationFor(folder, 9999);
  mkdirSync(stateDir);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a line of the document in a folder of its own, with an operator's configuration. */
function run(line: string): string {
  const isOurs = line.startsWith('npm run ');
  const command = isOurs ? line.replace('npm run', `npm --silent --prefix ${ROOT} run`) : line;
  const flags = isOurs ? `${line.includes(' -- ') ? '' : ' --'} --config ${config}` : '';
  return execFileSync('sh', ['-c', command + flags], {
    // npm tells its scripts the folder that it was called in.
    cwd: isOurs ? folder : ROOT,
    encoding: 'utf8',
    env: { ...process.env, STATE_DIR: stateDir, PATH: `${ROOT}/node_modules/.bin:${process.env.PATH}` },
  });
}

const here = [...new Set(commands.filter(({ cloud }) => !cloud).map(({ command }) => command))];
const away = [...new Set(commands.filter(({ cloud }) => cloud).map(({ command }) => command))];

test('the document has commands of both kinds', () => {
  expect(here.length).toBeGreaterThan(8);
  expect(away.length).toBeGreaterThan(12);
});

test('commands that need no account run as written', () => {
  const migrate = here.find((line) => line.includes('migrations apply DB --local')) ?? '';
  run(`${migrate.replace('<folder>', stateDir)} --config ${config}`);
  const secrets = here.find((line) => line.includes('> secrets.json')) ?? '';
  run(secrets.replace('secrets.json', join(folder, 'secrets.json')));
  expect(JSON.parse(JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')).SESSION_KEYS).current).toBe('k1');
  const runs: Record<string, RegExp> = {
    'npm run doctor -- --secrets secrets.json': /No flaw\.$/,
    'npm run doctor -- --env staging': /No flaw\. Secrets were not checked/,
    'npm run doctor': /No flaw\. Secrets were not checked/,
    'npm run admin -- backup ./backups/today': /rows of \d+ tables and 0 objects/,
    'npm run admin -- verify': /Everything fits\.$/,
    'npm run admin -- verify-history': /^$/,
  };
  for (const [line, expected] of Object.entries(runs)) {
    expect(here).toContain(line);
    expect(run(line).trim()).toMatch(expected);
  }
  // The rest only installs, deletes a file, is a row of the table, a proof, or has its own test (test/fleet).
  const left = here.filter((line) => !(line in runs) && line !== migrate && line !== secrets);
  expect(left).toEqual([
    'npm install',
    'rm secrets.json',
    'npm run build:agent',
    'npm run proof -- test/proof/two-releases.test.ts',
  ]);
});

const help = new Map<string, string>();
const helpOf = (words: string[]): string => {
  const key = words.join(' ');
  help.set(key, help.get(key) ?? wrangler(...words, '--help'));
  return help.get(key) ?? '';
};

test.each(away.filter((line) => line.startsWith('npx wrangler')))('wrangler knows: %s', (line) => {
  const words = line.split(' ').slice(2);
  const verbs = words.slice(0, words.findIndex((word) => !/^[a-z0-9-]+$/.test(word) || word.startsWith('-')) >>> 0);
  const known = [4, 3, 2, 1]
    .map((length) => verbs.slice(0, length))
    .find((some) => {
      const args = ['node_modules/wrangler/bin/wrangler.js', ...some, '--help'];
      const { status, stdout } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
      return status === 0 && stdout.includes(`wrangler ${some.join(' ')}`);
    });
  expect(known).toBeDefined();
  const flags = words.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0] ?? '');
  for (const flag of flags) expect(helpOf(known ?? [])).toContain(flag);
});

test('the admin commands that need an account exist', () => {
  const { stderr } = spawnSync(process.execPath, ['scripts/admin.ts'], { cwd: ROOT, encoding: 'utf8' });
  for (const line of away.filter((one) => one.startsWith('npm run admin'))) {
    const [, verbs = ''] = /-- ((?:group )?[a-z0-9-]+)/.exec(line) ?? [];
    expect(stderr).toContain(`  ${verbs} `);
  }
});
