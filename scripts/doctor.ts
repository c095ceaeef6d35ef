import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { unstable_readConfig as readConfig, type Unstable_Config } from 'wrangler';
import { flawsOfConfiguration, flawsOfSecrets, notesOnSecrets } from '../worker/configuration/checks.ts';
import type { Env } from '../worker/env.ts';
import { CONFIG, DATABASES } from './admin/platform.ts';
import { Problem, ROOT, runCommand } from './settings.ts';

const USAGE = `Usage: npm run doctor -- [--env staging] [--secrets <file.json>] [--remote]

Checks wrangler.toml like the deployed Worker and prints a sentence for each flaw. --secrets: the secrets' values, from
the file that \`wrangler secret bulk\` uploads. --remote: also checks the account's database, buckets and secrets, and
where they lie.`;

/** Secrets that every deployment needs. Stripe's are needed for payments only. */
const NEEDED_SECRETS = ['SESSION_KEYS'];

/** Builds the environment that the Worker will get, with vars as configured and empty objects for bindings. */
function envOf(config: Unstable_Config, secrets: Record<string, string>): Env {
  const bound = [
    ...config.d1_databases.map(({ binding }) => binding),
    ...config.r2_buckets.map(({ binding }) => binding),
    ...config.durable_objects.bindings.map(({ name }) => name),
    ...config.send_email.map(({ name }) => name),
    ...config.ratelimits.map(({ name }) => name),
    ...(config.assets?.binding ? [config.assets.binding] : []),
  ];
  return { ...Object.fromEntries(bound.map((name) => [name, {}])), ...config.vars, ...secrets } as unknown as Env;
}

const routesOf = ({ route, routes }: Unstable_Config): string[] =>
  [...(routes ?? []), ...(route ? [route] : [])].map((each) => (typeof each === 'string' ? each : each.pattern));

/** Returns flaws for routes, databases and buckets of an environment that production has too. */
function flawsOfSharing(asked: Unstable_Config, production: Unstable_Config): string[] {
  const name = asked.targetEnvironment;
  if (!name) return [];
  const isTaken = (id: string | undefined, all: readonly (string | undefined)[]) =>
    id !== undefined && all.includes(id);
  const ids = production.d1_databases.map(({ database_id }) => database_id);
  const buckets = production.r2_buckets.map(({ bucket_name }) => bucket_name);
  return [
    ...routesOf(asked)
      .filter((pattern) => isTaken(pattern, routesOf(production)))
      .map((pattern) => `${name} would take ${pattern} from production: give it \`routes\` of its own, or [].`),
    ...asked.d1_databases
      .filter(({ database_id }) => isTaken(database_id, ids))
      .map(({ binding }) => `${name} would write to production's database: give ${binding} a database_id of its own.`),
    ...asked.r2_buckets
      .filter(({ bucket_name }) => isTaken(bucket_name, buckets))
      .map(({ binding }) => `${name} would write to production's bucket: give ${binding} a bucket_name of its own.`),
  ];
}

/** Checks what a deployment needs but the Worker cannot see. */
function flawsOfResources({ d1_databases, triggers }: Unstable_Config, known: Unstable_Config): string[] {
  const placeholder = d1_databases.find(({ database_id }) => /^0{8}-/.test(database_id ?? ''));
  const lacking = (known.triggers.crons ?? []).filter((cron) => !triggers.crons?.includes(cron));
  const unused = d1_databases.filter(({ binding }) => !DATABASES.has(binding));
  const shared = d1_databases.filter(
    ({ database_id }, index) => d1_databases.findIndex((one) => one.database_id === database_id) < index,
  );
  return [
    ...unused.map(
      ({ binding }) => `Nothing uses the database ${binding}: the bindings are ${[...DATABASES].join(', ')}.`,
    ),
    ...shared.map(({ binding }) => `${binding} has the database_id of another binding: give it a database of its own.`),
    ...(placeholder
      ? [
          `database_id of ${placeholder.database_name} is the placeholder: \`npx wrangler d1 create\` prints the real one.`,
        ]
      : []),
    ...lacking.map((cron) => `The cron '${cron}' is missing.`),
  ];
}

/** Cloud regions, as `placement.region` names them, that are near each location of D1 and Durable Objects. */
const REGIONS: Readonly<Record<string, RegExp>> = {
  wnam: /^(aws:us-west|aws:ca-west|gcp:us-west|azure:westus)/,
  enam: /^(aws:us-east|aws:ca-central|gcp:us-east|gcp:us-central|gcp:northamerica|azure:eastus|azure:canada)/,
  sam: /^(aws:sa-|gcp:southamerica|azure:brazil)/,
  weur: /^(aws:eu-(west|central)|gcp:europe-west|azure:(west|north)europe|azure:(france|uk|germany))/,
  eeur: /^(aws:eu-central|gcp:europe-central|azure:(poland|austria))/,
  apac: /^(aws:ap-(?!southeast-[24])|gcp:asia|azure:(east|southeast)asia|azure:(japan|korea))/,
  oc: /^(aws:ap-southeast-[24]|gcp:australia|azure:australia)/,
  afr: /^(aws:af-|gcp:africa|azure:southafrica)/,
  me: /^(aws:(me|il)-|gcp:me-|azure:(uae|qatar|israel))/,
};

/**
 * Returns a flaw if the Worker would answer far from its data
 * (developers.cloudflare.com/workers/configuration/placement).
 */
function flawsOfPlacement({ placement, vars }: Unstable_Config): string[] {
  const location = String(vars.LOCATION);
  const near = REGIONS[location];
  if (!placement || placement.mode === 'off')
    return [
      'placement is not set: the Worker would run beside each caller, and each of its trips to the database could cross an ocean. Set `region` under [placement].',
    ];
  // Smart Placement chooses the region itself.
  if (placement.mode === 'smart' || !near) return [];
  const region = 'region' in placement ? placement.region : undefined;
  if (region === undefined) return ['placement names a host. The database has none: set `region` or `mode = "smart"`.'];
  return near.test(region) ? [] : [`placement.region is '${region}', which is not near LOCATION '${location}'.`];
}

const wrangler = (args: string[]): string =>
  execFileSync(process.execPath, [join(ROOT, 'node_modules/wrangler/bin/wrangler.js'), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, WRANGLER_HIDE_BANNER: 'true' },
  });

/** Locations of the database and a bucket, from `wrangler d1 info` and `r2 bucket info` with --json. */
interface Places {
  database: { name: string; running_in_region?: string; read_replication?: { mode?: string } };
  store: { name: string; location?: string };
}

/**
 * Returns flaws in the location of data, seen from where Durable Objects are created. Facts that the account does not
 * reveal count as none.
 */
export function flawsOfPlaces({ database, store }: Places, location: string): string[] {
  const isElsewhere = (place = '') => /^[a-z]{2,4}$/i.test(place) && place.toLowerCase() !== location;
  const mode = database.read_replication?.mode;
  return [
    ...(isElsewhere(database.running_in_region)
      ? [
          `${database.name} lies in ${database.running_in_region?.toLowerCase()}, but LOCATION is ${location}: objects would be far from the database.`,
        ]
      : []),
    ...(mode !== undefined && mode !== 'auto'
      ? [`${database.name} has no read replication: enable it in the dashboard (D1, ${database.name}, Settings).`]
      : []),
    ...(isElsewhere(store.location)
      ? [`The bucket ${store.name} lies in ${store.location?.toLowerCase()}, but LOCATION is ${location}.`]
      : []),
  ];
}

/** Returns what the account lacks of the configured resources. */
function flawsOfAccount(config: Unstable_Config, environment: string | undefined): string[] {
  const env = `--env=${environment ?? ''}`;
  const ask = (args: string[]): string => {
    try {
      return wrangler(args);
    } catch (error) {
      const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string };
      throw new Problem(`wrangler ${args.join(' ')} failed: ${(stderr || stdout).trim().split('\n')[0]}`);
    }
  };
  const databases = JSON.parse(ask(['d1', 'list', '--json'])) as { uuid: string }[];
  const buckets = ask(['r2', 'bucket', 'list']);
  const secrets = (JSON.parse(ask(['secret', 'list', env, '--format', 'json'])) as { name: string }[]).map(
    ({ name }) => name,
  );
  const lacking = [
    ...config.d1_databases
      .filter(({ database_id }) => !databases.some(({ uuid }) => uuid === database_id))
      .map(({ database_name }) => `The account has no database ${database_name} of the configured id.`),
    ...config.r2_buckets
      .filter(({ bucket_name }) => !new RegExp(`^name:\\s+${bucket_name}$`, 'm').test(buckets))
      .map(({ bucket_name }) => `The account has no bucket ${bucket_name}.`),
    ...NEEDED_SECRETS.filter((name) => !secrets.includes(name)).map((name) => `The secret ${name} is not set.`),
  ];
  const store = config.r2_buckets.find(({ binding }) => binding === 'STORE')?.bucket_name;
  // Locations are known only after creation.
  if (lacking.length > 0 || !store) return lacking;
  const told = (args: string[]) => JSON.parse(ask([...args, '--json']));
  const bucket = { ...told(['r2', 'bucket', 'info', store]), name: store };
  const flaws = config.d1_databases.flatMap(({ database_name: name = '' }) => {
    const database = { ...told(['d1', 'info', name, env]), name };
    return flawsOfPlaces({ database, store: bucket }, String(config.vars.LOCATION));
  });
  return [...new Set(flaws)];
}

/** Returns notes on optional secrets that the operator should know about. */
const notesOn = (secrets: Record<string, string>): string[] => notesOnSecrets(secrets as unknown as Env);

/** Returns sentences about flaws of a configuration before it is deployed. `secrets` is null if unknown. */
export function examine(
  config: string,
  environment: string | undefined,
  secrets: Record<string, string> | null,
): string[] {
  const read = (env: string | undefined): Unstable_Config => readConfig({ config, env: env ?? '' });
  const asked = read(environment);
  const env = envOf(asked, secrets ?? {});
  return [
    ...flawsOfConfiguration(env),
    ...flawsOfPlacement(asked),
    ...flawsOfResources(asked, read(undefined)),
    ...flawsOfSharing(asked, read(undefined)),
    ...(secrets ? flawsOfSecrets(env) : []),
  ];
}

function main(): void {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { env: text, config: text, secrets: text, remote: { type: 'boolean', default: false } },
  });
  const here = process.env.INIT_CWD ?? process.cwd();
  const config = values.config ? resolve(here, values.config) : CONFIG;
  const file = values.secrets && resolve(here, values.secrets);
  if (file && !existsSync(file)) throw new Problem(`There is no file ${file}.\n\n${USAGE}`);
  const secrets = file ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : null;
  const flaws = examine(config, values.env, secrets);
  if (values.remote) flaws.push(...flawsOfAccount(readConfig({ config, env: values.env ?? '' }), values.env));
  for (const flaw of flaws) console.log(flaw);
  if (secrets) for (const note of notesOn(secrets)) console.log(`Note: ${note}`);
  if (flaws.length > 0) throw new Problem(`${flaws.length} ${flaws.length === 1 ? 'flaw' : 'flaws'}.`);
  console.log(secrets || values.remote ? 'No flaw.' : 'No flaw. Secrets were not checked: see --secrets and --remote.');
}

if (import.meta.main) await runCommand(main);
