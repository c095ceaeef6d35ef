import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { unstable_readConfig as readConfig, type Unstable_Config } from 'wrangler';
import { stepsOf } from '../scripts/deploy.ts';
import { examine, flawsOfPlaces } from '../scripts/doctor.ts';
import { ROOT } from '../scripts/settings.ts';

const SHIPPED = join(ROOT, 'wrangler.toml');
const folder = mkdtempSync(join(tmpdir(), 'muster-doctor-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** wrangler.toml as an operator adapts it, with further changes. */
function own(change: (text: string) => string = (text) => text): string {
  const text = readFileSync(SHIPPED, 'utf8')
    .replaceAll('muster.example', 'muster.test')
    .replaceAll('00000000-0000-0000-0000', '3f1c9a52-0000-0000-0000');
  const file = join(folder, `${Math.random()}.toml`);
  writeFileSync(file, change(text));
  return file;
}

const KEYS = JSON.stringify({ current: 'k1', keys: { k1: 'A'.repeat(43) } });

test('the configuration as shipped names what to set, in production and staging', () => {
  for (const environment of [undefined, 'staging'])
    expect(examine(SHIPPED, environment, null)).toEqual([
      ...['SITE_ORIGIN', 'MAIL_FROM', 'SUPPORT_EMAIL', 'CHAT_INVITE', 'IMPRINT'].map(
        (name) => `${name} still has its placeholder (an address ending in .example).`,
      ),
      expect.stringMatching(/^database_id of muster(-staging)? is the placeholder/),
    ]);
});

test('the configuration with an operator’s own values has no flaw', () => {
  const smart = own((text) => text.replace('region = "gcp:europe-west4"', 'mode = "smart"'));
  expect(examine(smart, undefined, { SESSION_KEYS: KEYS })).toEqual([]);
  expect(examine(own(), undefined, { SESSION_KEYS: KEYS })).toEqual([]);
  expect(examine(own(), 'staging', { SESSION_KEYS: KEYS })).toEqual([]);
});

/** Binds another database. */
const bound = (binding: string, database_id: string) => (text: string) =>
  `${text}\n[[d1_databases]]\nbinding = "${binding}"\ndatabase_name = "muster-${database_id}"\ndatabase_id = "${database_id}"\n`;
const SHARED_ID = '3f1c9a52-0000-0000-0000-000000000000';

test('a database for the directory of a game is no flaw', () => {
  const apart = own(bound('DIRECTORY_ROK', '3f1c9a52-0000-0000-0000-000000000009'));
  expect(examine(apart, undefined, { SESSION_KEYS: KEYS })).toEqual([]);
});

test.each([
  ['a directory of no game', bound('DIRECTORY_LOK', '9'), 'Nothing uses the database DIRECTORY_LOK'],
  ['a shared database', bound('DIRECTORY_COD', SHARED_ID), 'DIRECTORY_COD has the database_id of another binding'],
  ['a limiter', (text: string) => text.replace('name = "ORDER_USER"', 'name = "ORDERS_USER"'), 'binding ORDER_USER is'],
  ['the mail', (text: string) => text.replace('[[send_email]]\nname = "EMAIL"', ''), 'binding EMAIL is missing'],
  ['the bucket', (text: string) => text.replace('binding = "STORE"', 'binding = "BUCKET"'), 'binding STORE is missing'],
  ['a location', (text: string) => text.replace('LOCATION = "weur"', 'LOCATION = "mars"'), "LOCATION is 'mars'"],
  [
    'a region elsewhere',
    (text: string) => text.replace('region = "gcp:europe-west4"', 'region = "aws:us-east-1"'),
    "placement.region is 'aws:us-east-1', which is not near LOCATION 'weur'",
  ],
  [
    'no placement',
    (text: string) => text.replace('region = "gcp:europe-west4"', 'mode = "off"'),
    'placement is not set',
  ],
  [
    'a host for a place',
    (text: string) => text.replace('region = "gcp:europe-west4"', 'host = "db.muster.gg:5432"'),
    'placement names a host',
  ],
  ['a tax', (text: string) => text.replace('STRIPE_TAX = ""', 'STRIPE_TAX = "yes"'), "STRIPE_TAX is 'yes'"],
  [
    'a lease',
    (text: string) => text.replace('LEASE_SECONDS = "300"', 'LEASE_SECONDS = "abc"'),
    "LEASE_SECONDS is 'abc'",
  ],
])('a mistake with %s is told before it is deployed', (_, change, flaw) => {
  const flaws = examine(own(change), undefined, null);
  expect(flaws).toHaveLength(1);
  expect(flaws[0]).toContain(flaw);
});

test('staging never takes the domain of production', () => {
  const routed = (text: string) =>
    text.replace('main =', 'routes = [{ pattern = "muster.gg", custom_domain = true }]\nmain =');
  expect(examine(own(routed), undefined, null)).toEqual([]);
  expect(examine(own(routed), 'staging', null)).toEqual([]);
  const inherited = own((text) => routed(text).replace('routes = []', ''));
  expect(examine(inherited, 'staging', null)).toEqual([
    'staging would take muster.gg from production: give it `routes` of its own, or [].',
  ]);
});

test('staging never takes a database or a bucket of production', () => {
  const shared = own((text) =>
    text
      .replace('3f1c9a52-0000-0000-0000-000000000001', SHARED_ID)
      .replaceAll('bucket_name = "muster-staging', 'bucket_name = "muster'),
  );
  expect(examine(shared, undefined, null)).toEqual([]);
  expect(examine(shared, 'staging', null)).toEqual([
    "staging would write to production's database: give DB a database_id of its own.",
    "staging would write to production's bucket: give STORE a bucket_name of its own.",
    "staging would write to production's bucket: give BACKUP a bucket_name of its own.",
  ]);
});

test.each([
  ['deploy', '--env=staging', '--env'],
  ['doctor', '--env=staging', '--env'],
  ['admin', '--remote', '--remote'],
])('npm run %s %s without -- is refused, because npm keeps the flag', (script, flag, lost) => {
  // None of the scripts knows the word, so nothing is deployed even if the flag is not noticed.
  const { status, stderr } = spawnSync('npm', ['run', script, 'none', flag], { cwd: ROOT, encoding: 'utf8' });
  expect(stderr).toContain(
    `npm kept ${lost} for itself: write -- before the flags, as in \`npm run ${script} -- ${lost}`,
  );
  expect(status).toBe(1);
});

test('a deployment migrates every database first, a closed service last', () => {
  const apart = bound('DIRECTORY_ROK', '3f1c9a52-0000-0000-0000-000000000009');
  const steps = (change: (text: string) => string) =>
    stepsOf(readConfig({ config: own((text) => apart(change(text))), env: '' })).map(({ args }) => args.join(' '));
  const migrations = ['DB', 'DIRECTORY_ROK'].map((binding) => `d1 migrations apply ${binding} --remote --env=`);
  expect(steps((text) => text)).toEqual([...migrations, 'deploy --env=']);
  // The database may be what it is closed for.
  const closed = steps((text) => text.replace('CLOSED = ""', 'CLOSED = "Back at 12:00 UTC."'));
  expect(closed).toEqual(['deploy --env=', ...migrations]);
});

test('no answer keeps a deployment from migrating, and no step follows one that failed', () => {
  const stub = join(folder, 'wrangler.mjs');
  writeFileSync(
    stub,
    `import { readFileSync } from 'node:fs';
     const [name, , , binding] = process.argv.slice(2);
     if (name === 'd1') console.log(binding + ' was answered ' + JSON.stringify(readFileSync(0, 'utf8')));
     if (binding === 'DIRECTORY_COD') process.exit(1);
     if (name === 'deploy') console.log('deployed');`,
  );
  const deploy = (...bindings: string[]) => {
    const config = JSON.stringify({ d1_databases: bindings.map((binding) => ({ binding })), vars: {} });
    const script = `const { runSteps, stepsOf } = await import(${JSON.stringify(join(ROOT, 'scripts/deploy.ts'))});
      runSteps(stepsOf(${config}), ${JSON.stringify(stub)});`;
    const args = ['--input-type=module', '-e', script];
    return spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', input: 'n\n' });
  };
  expect(deploy('DB')).toMatchObject({ status: 0, stdout: 'DB was answered ""\ndeployed\n' });
  const failed = deploy('DB', 'DIRECTORY_COD');
  expect(failed).toMatchObject({ status: 1, stdout: 'DB was answered ""\nDIRECTORY_COD was answered ""\n' });
  expect(failed.stderr).toContain('wrangler d1 migrations apply DIRECTORY_COD --remote --env= failed');
});

test('the database and its bucket are in the objects’ location, with read replication', () => {
  const places = (region?: string, mode?: string, location?: string) => ({
    database: { name: 'muster', running_in_region: region, read_replication: { mode } },
    store: { name: 'muster', location },
  });
  expect(flawsOfPlaces(places('WEUR', 'auto', 'WEUR'), 'weur')).toEqual([]);
  // The account may leave these out.
  expect(flawsOfPlaces(places(undefined, undefined, '(unknown)'), 'weur')).toEqual([]);
  expect(flawsOfPlaces(places('ENAM', 'disabled', 'APAC'), 'weur')).toEqual([
    'muster lies in enam, but LOCATION is weur: objects would be far from the database.',
    'muster has no read replication: enable it in the dashboard (D1, muster, Settings).',
    'The bucket muster lies in apac, but LOCATION is weur.',
  ]);
});

test('the doctor checks secrets whose values it is given', () => {
  expect(examine(own(), undefined, {})).toEqual(['SESSION_KEYS is not set.']);
  const stripe = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' };
  expect(examine(own(), undefined, { SESSION_KEYS: KEYS, ...stripe })).toHaveLength(1);
  expect(examine(own(), 'staging', { SESSION_KEYS: KEYS, ...stripe })).toEqual([]);
});

test('staging has the bindings of production, with its own resources', () => {
  const [production, staging] = [
    readConfig({ config: SHIPPED, env: '' }),
    readConfig({ config: SHIPPED, env: 'staging' }),
  ];
  const shape = (config: Unstable_Config) => ({
    vars: Object.keys(config.vars).sort(),
    crons: config.triggers.crons,
    assets: config.assets,
    databases: config.d1_databases.map(({ binding }: { binding: string }) => binding),
    buckets: config.r2_buckets.map(({ binding }: { binding: string }) => binding),
    objects: config.durable_objects.bindings,
    migrations: config.migrations,
    mail: config.send_email.map(({ name }: { name: string }) => name),
    limits: Object.fromEntries(config.ratelimits.map(({ name, simple }) => [name, simple])),
    observability: config.observability,
    calls: config.limits?.subrequests,
    cache: config.cache,
    placement: config.placement,
  });
  expect(shape(staging)).toEqual(shape(production));
  const own = (config: Unstable_Config): string[] => [
    config.name ?? '',
    ...config.d1_databases.flatMap(({ database_id, database_name }) => [`${database_id}`, `${database_name}`]),
    ...config.r2_buckets.map(({ bucket_name }) => `${bucket_name}`),
    ...config.ratelimits.map(({ namespace_id }) => namespace_id),
  ];
  expect(own(staging).filter((name) => own(production).includes(name))).toEqual([]);
});
