import { PRODUCTS, productOf } from '../../domain/orders/catalogue.ts';
import { ENVIRONMENTS, type Env, isLocal, LOCATIONS } from '../env.ts';
import { flawOfKeys } from './signing.ts';

/**
 * Checks of the configuration, one sentence per problem. Request handlers and crons call `isFit`; `npm run doctor`
 * lists the problems.
 */

/** Names of bindings that each deployment has in wrangler.toml, as opposed to text settings. */
type Binding = {
  [Name in keyof Env]-?: Env[Name] extends string | undefined ? never : undefined extends Env[Name] ? never : Name;
}[keyof Env];

/** Binding → its section in wrangler.toml. A missing binding does not compile. */
const BINDINGS: Record<Binding, string> = {
  DB: 'd1_databases',
  STORE: 'r2_buckets',
  BACKUP: 'r2_buckets',
  ASSETS: 'assets',
  ORDER_PROGRESS: 'durable_objects',
  DASHBOARD_CACHE: 'durable_objects',
  USER_SOCKETS: 'durable_objects',
  EMAIL: 'send_email',
  LOGIN_ADDRESS: 'ratelimits',
  REGISTER_ADDRESS: 'ratelimits',
  ORDER_USER: 'ratelimits',
  DOWNLOAD_USER: 'ratelimits',
  IMPORT_USER: 'ratelimits',
  COMPARE_USER: 'ratelimits',
  FLEET_GROUP: 'ratelimits',
  NOTIFY_USER: 'ratelimits',
  PAYMENT_USER: 'ratelimits',
  DASHBOARD_ADDRESS: 'ratelimits',
  REPORT_USER: 'ratelimits',
  SHARE_USER: 'ratelimits',
  SEARCH_ADDRESS: 'ratelimits',
  SCHEDULE_USER: 'ratelimits',
};

/** Limits on the scans that an account uploads. */
const OWN_SCANS = ['OWN_FILES_PER_DAY', 'OWN_ROWS', 'OWN_DAYS'] as const;
const LEASE = { least: 1, most: 3600 };
/** The platform's limit for the value of a variable. */
const MAX_TEXT_BYTES = 5000;

/** Settings for local copies only. A value elsewhere is a mistake or an attack. */
const LOCAL_ONLY = ['STRIPE_API_BASE', 'DISCORD_API_BASE'] as const;

/** Settings that every deployment must change from their placeholders. The addresses below may stay empty. */
const OWN = ['SITE_ORIGIN', 'MAIL_FROM', 'SUPPORT_EMAIL', 'CHAT_INVITE', 'IMPRINT', 'PRIVACY'] as const;
const ADDRESSES = ['API_BASE', 'ALLOWED_ORIGINS', 'ANALYTICS_SCRIPT'] as const;

const words = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

const urlOf = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);
const isHttps = (text: string): boolean => urlOf(text)?.protocol === 'https:';
const isOrigin = (text: string): boolean => isHttps(text) && urlOf(text)?.origin === text;
const isMailAddress = (text: string): boolean => /^[^\s@<>]+@[^\s@<>.]+(?:\.[^\s@<>.]+)+$/.test(text);

/** Returns the sentence in a list if the condition holds, otherwise an empty list. */
const flawIf = (flawed: boolean, sentence: string): string[] => (flawed ? [sentence] : []);

/** Returns the problems that would stop any copy, including a local one. */
function flawsOfWork(env: Env): string[] {
  const bound = env as unknown as Record<string, unknown>;
  const seconds = Number(env.LEASE_SECONDS || Number.NaN);
  const isLease = Number.isInteger(seconds) && seconds >= LEASE.least && seconds <= LEASE.most;
  return [
    ...Object.entries(BINDINGS).flatMap(([name, kind]) =>
      flawIf(!bound[name], `The binding ${name} is missing: declare it under [[${kind}]].`),
    ),
    ...flawIf(
      !isLease,
      `LEASE_SECONDS is '${env.LEASE_SECONDS ?? ''}': it must be a whole number from ${LEASE.least} to ${LEASE.most}.`,
    ),
    ...OWN_SCANS.flatMap((name) =>
      flawIf(
        !/^[1-9]\d{0,8}$/.test(env[name] ?? ''),
        `${name} is '${env[name] ?? ''}': it must be a whole number above 0.`,
      ),
    ),
    ...words(env.READY_PRODUCTS)
      .filter((id) => /@/.test(id) && !(/@\d{4}-\d\d-\d\d$/.test(id) && Date.parse(id.replace(/^.*@/, ''))))
      .map(
        (id) => `READY_PRODUCTS names '${id}': the day from which it is open is written as in rok-history@2027-02-01.`,
      ),
    ...words(env.READY_PRODUCTS)
      .map((id) => id.replace(/@.*/, ''))
      .filter((id) => !productOf(id))
      .map((id) => `READY_PRODUCTS names '${id}', which is not one of ${PRODUCTS.map((one) => one.id).join(', ')}.`),
  ];
}

/** Returns settings that a deployment has not made its own or has set wrongly. */
function flawsOfSettings(env: Env): string[] {
  const missing = OWN.filter((name) => !env[name]?.trim());
  const placeholders = [...OWN, ...ADDRESSES].filter((name) => /\.example\b/i.test(env[name] ?? ''));
  const own = (name: (typeof OWN)[number] | (typeof ADDRESSES)[number]): boolean =>
    !!env[name] && !placeholders.includes(name) && !missing.some((one) => one === name);
  const bytes = (text: string) => new TextEncoder().encode(text).length;
  return [
    ...missing.map((name) => `${name} is not set.`),
    ...placeholders.map((name) => `${name} still has its placeholder (an address ending in .example).`),
    ...flawIf(
      own('SITE_ORIGIN') && !isOrigin(env.SITE_ORIGIN),
      `SITE_ORIGIN is '${env.SITE_ORIGIN}': it must be like https://muster.gg, without a slash at the end.`,
    ),
    ...(['MAIL_FROM', 'SUPPORT_EMAIL'] as const).flatMap((name) =>
      flawIf(own(name) && !isMailAddress(env[name]), `${name} is '${env[name]}': it must be an e-mail address.`),
    ),
    ...(['CHAT_INVITE', 'ANALYTICS_SCRIPT'] as const).flatMap((name) =>
      flawIf(own(name) && !isHttps(env[name]), `${name} is '${env[name]}': it must begin with https://.`),
    ),
    ...(['API_BASE', 'ALLOWED_ORIGINS'] as const).flatMap((name) =>
      words(own(name) ? env[name] : '')
        .filter((origin) => !isOrigin(origin))
        .map((origin) => `${name} has '${origin}': it must be like https://muster.gg, without a slash at the end.`),
    ),
    ...(['IMPRINT', 'PRIVACY'] as const).flatMap((name) =>
      flawIf(
        bytes(env[name] ?? '') > MAX_TEXT_BYTES,
        `${name} has ${bytes(env[name] ?? '')} bytes: the platform takes ${MAX_TEXT_BYTES}.`,
      ),
    ),
    ...flawIf(
      !LOCATIONS.some((location) => location === env.LOCATION),
      `LOCATION is '${env.LOCATION}': it must be one of ${LOCATIONS.join(', ')}.`,
    ),
    ...flawIf(
      !['', 'on'].includes(env.STRIPE_TAX ?? ''),
      `STRIPE_TAX is '${env.STRIPE_TAX}': it must be 'on' or empty.`,
    ),
    ...flawIf(
      !['', 'on'].includes(env.PUBLIC_PROFILES ?? ''),
      `PUBLIC_PROFILES is '${env.PUBLIC_PROFILES}': it must be 'on' or empty.`,
    ),
    ...LOCAL_ONLY.filter((name) => env[name]).map((name) => `${name} is for local copies only.`),
  ];
}

/** Returns the problems of Stripe's two secrets. If either is missing, payments are closed, which is not a problem. */
function flawsOfPayments({ ENVIRONMENT, STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: webhook }: Env): string[] {
  if (!key || !webhook) return [];
  const [, mode] = /^[sr]k_(live|test)_/.exec(key) ?? [];
  return [
    ...flawIf(
      !mode,
      'STRIPE_SECRET_KEY is not a Stripe secret key: those begin with sk_live_, rk_live_, sk_test_ or rk_test_.',
    ),
    ...flawIf(mode === 'test' && ENVIRONMENT === 'production', 'STRIPE_SECRET_KEY is a test key: nobody would pay.'),
    ...flawIf(
      mode === 'live' && ENVIRONMENT === 'staging',
      'STRIPE_SECRET_KEY is a live key: staging takes test keys only.',
    ),
    ...flawIf(
      !webhook.startsWith('whsec_'),
      'STRIPE_WEBHOOK_SECRET is not a Stripe signing secret: those begin with whsec_.',
    ),
  ];
}

/** Returns the problems of the secrets. */
export function flawsOfSecrets(env: Env): string[] {
  const keys = flawOfKeys(env);
  return [...(keys ? [keys] : []), ...(isLocal(env) ? [] : flawsOfPayments(env))];
}

/** Returns the problems of variables and bindings. */
export function flawsOfConfiguration(env: Env): string[] {
  const known: readonly string[] = ENVIRONMENTS;
  return [
    ...flawIf(
      !known.includes(env.ENVIRONMENT),
      `ENVIRONMENT is '${env.ENVIRONMENT ?? ''}': it must be one of ${ENVIRONMENTS.join(', ')}.`,
    ),
    ...flawsOfWork(env),
    ...(isLocal(env) ? [] : flawsOfSettings(env)),
  ];
}

/** Returns notes on optional secrets that the operator should know about. */
export function notesOnSecrets({ STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, ALERT_WEBHOOK }: Env): string[] {
  const half = (set: string, missing: string) =>
    `${set} is set without ${missing}: payments stay closed until both are.`;
  return [
    ...flawIf(!!STRIPE_SECRET_KEY && !STRIPE_WEBHOOK_SECRET, half('STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET')),
    ...flawIf(!STRIPE_SECRET_KEY && !!STRIPE_WEBHOOK_SECRET, half('STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY')),
    ...flawIf(!ALERT_WEBHOOK, 'ALERT_WEBHOOK is not set: if mail fails, nobody is told of trouble.'),
    ...flawIf(!!ALERT_WEBHOOK && !isHttps(ALERT_WEBHOOK), 'ALERT_WEBHOOK is not used: it must begin with https://.'),
  ];
}

/** True if the service may serve requests and run crons now. */
export const isOpen = (env: Env): boolean => isFit(env) && !env.CLOSED;

const checked = new WeakMap<object, boolean>();

/** True if the configuration is valid for its environment. Logs the problems once per isolate. */
export function isFit(env: Env): boolean {
  const known = checked.get(env);
  if (known !== undefined) return known;
  const flaws = [...flawsOfSecrets(env), ...flawsOfConfiguration(env)];
  for (const flaw of flaws) console.error(`Muster refuses to work: ${flaw}`);
  if (!isLocal(env)) for (const note of notesOnSecrets(env)) console.warn(note);
  checked.set(env, flaws.length === 0);
  return flaws.length === 0;
}
