import { PRODUCTS, productOf } from '../domain/orders/catalogue.ts';
import { ENVIRONMENTS, type Env, isLocal } from './env.ts';
import { flawOfKeys } from './signing.ts';

/** What is wrong with a configuration, a sentence for each flaw. Whoever serves asks `isFit`; `npm run doctor` lists them. */

/** Settings that are no text: bindings of wrangler.toml. */
type Binding = { [Name in keyof Env]-?: Env[Name] extends string | undefined ? never : Name }[keyof Env];

/** Every binding, by what wrangler.toml calls its kind. One that is missing here does not compile. */
const BINDINGS: Record<Binding, string> = {
  DB: 'd1_databases',
  STORE: 'r2_buckets',
  BACKUP: 'r2_buckets',
  ASSETS: 'assets',
  ORDER_PROGRESS: 'durable_objects',
  DASHBOARD_CACHE: 'durable_objects',
  USER_SOCKETS: 'durable_objects',
  EMAIL: 'send_email',
  LOGIN_ACCOUNT: 'ratelimits',
  LOGIN_ADDRESS: 'ratelimits',
  REGISTER_ADDRESS: 'ratelimits',
  RESET_MAIL: 'ratelimits',
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

/** What an account may bring and keep of its own scans. */
const OWN_SCANS = ['OWN_FILES_PER_DAY', 'OWN_ROWS', 'OWN_DAYS'] as const;
const LEASE = { least: 1, most: 3600 };
/** The platform takes no longer value. */
const MAX_TEXT_BYTES = 5000;

/** What is open in a local copy only: a value of any of these elsewhere is a mistake, or an attack. */
const LOCAL_ONLY = ['STRIPE_API_BASE', 'DISCORD_API_BASE'] as const;

/** Settings that every deployment makes its own; those that may stay empty are looked at where they are not. */
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

/** A flaw where the condition holds. */
const where = (flawed: boolean, sentence: string): string[] => (flawed ? [sentence] : []);

/** What any copy needs to work, a local one too. */
function flawsOfWork(env: Env): string[] {
  const bound = env as unknown as Record<string, unknown>;
  const seconds = Number(env.LEASE_SECONDS || Number.NaN);
  const isLease = Number.isInteger(seconds) && seconds >= LEASE.least && seconds <= LEASE.most;
  return [
    ...Object.entries(BINDINGS).flatMap(([name, kind]) =>
      where(!bound[name], `The binding ${name} is missing: declare it under [[${kind}]].`),
    ),
    ...where(
      !isLease,
      `LEASE_SECONDS is '${env.LEASE_SECONDS ?? ''}': it must be a whole number from ${LEASE.least} to ${LEASE.most}.`,
    ),
    ...OWN_SCANS.flatMap((name) =>
      where(
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

/** What a deployment must have made its own. */
function flawsOfSettings(env: Env): string[] {
  const missing = OWN.filter((name) => !env[name]?.trim());
  const placeholders = [...OWN, ...ADDRESSES].filter((name) => /\.example\b/i.test(env[name] ?? ''));
  const own = (name: (typeof OWN)[number] | (typeof ADDRESSES)[number]): boolean =>
    !!env[name] && !placeholders.includes(name) && !missing.some((one) => one === name);
  const bytes = (text: string) => new TextEncoder().encode(text).length;
  return [
    ...missing.map((name) => `${name} is not set.`),
    ...placeholders.map((name) => `${name} still has its placeholder (an address ending in .example).`),
    ...where(
      own('SITE_ORIGIN') && !isOrigin(env.SITE_ORIGIN),
      `SITE_ORIGIN is '${env.SITE_ORIGIN}': it must be like https://muster.gg, without a slash at the end.`,
    ),
    ...(['MAIL_FROM', 'SUPPORT_EMAIL'] as const).flatMap((name) =>
      where(own(name) && !isMailAddress(env[name]), `${name} is '${env[name]}': it must be an e-mail address.`),
    ),
    ...(['CHAT_INVITE', 'ANALYTICS_SCRIPT'] as const).flatMap((name) =>
      where(own(name) && !isHttps(env[name]), `${name} is '${env[name]}': it must begin with https://.`),
    ),
    ...(['API_BASE', 'ALLOWED_ORIGINS'] as const).flatMap((name) =>
      words(own(name) ? env[name] : '')
        .filter((origin) => !isOrigin(origin))
        .map((origin) => `${name} has '${origin}': it must be like https://muster.gg, without a slash at the end.`),
    ),
    ...(['IMPRINT', 'PRIVACY'] as const).flatMap((name) =>
      where(
        bytes(env[name] ?? '') > MAX_TEXT_BYTES,
        `${name} has ${bytes(env[name] ?? '')} bytes: the platform takes ${MAX_TEXT_BYTES}.`,
      ),
    ),
    ...LOCAL_ONLY.filter((name) => env[name]).map((name) => `${name} is for local copies only.`),
  ];
}

/** What is wrong with the two secrets of Stripe. Without both of them payments are not open, which is no flaw. */
function flawsOfPayments({ ENVIRONMENT, STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: webhook }: Env): string[] {
  if (!key || !webhook) return [];
  const [, mode] = /^[sr]k_(live|test)_/.exec(key) ?? [];
  return [
    ...where(
      !mode,
      'STRIPE_SECRET_KEY is not a Stripe secret key: those begin with sk_live_, rk_live_, sk_test_ or rk_test_.',
    ),
    ...where(mode === 'test' && ENVIRONMENT === 'production', 'STRIPE_SECRET_KEY is a test key: nobody would pay.'),
    ...where(
      mode === 'live' && ENVIRONMENT === 'staging',
      'STRIPE_SECRET_KEY is a live key: staging takes test keys only.',
    ),
    ...where(
      !webhook.startsWith('whsec_'),
      'STRIPE_WEBHOOK_SECRET is not a Stripe signing secret: those begin with whsec_.',
    ),
  ];
}

/** What is wrong with the secrets. */
export function flawsOfSecrets(env: Env): string[] {
  const keys = flawOfKeys(env);
  return [...(keys ? [keys] : []), ...(isLocal(env) ? [] : flawsOfPayments(env))];
}

/** What is wrong with vars and bindings. */
export function flawsOfConfiguration(env: Env): string[] {
  const known: readonly string[] = ENVIRONMENTS;
  return [
    ...where(
      !known.includes(env.ENVIRONMENT),
      `ENVIRONMENT is '${env.ENVIRONMENT ?? ''}': it must be one of ${ENVIRONMENTS.join(', ')}.`,
    ),
    ...flawsOfWork(env),
    ...(isLocal(env) ? [] : flawsOfSettings(env)),
  ];
}

/** What a deployment works without, though its operator should know. */
export function notesOnSecrets({ STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, ALERT_WEBHOOK }: Env): string[] {
  const half = (set: string, missing: string) =>
    `${set} is set without ${missing}: payments stay closed until both are.`;
  return [
    ...where(!!STRIPE_SECRET_KEY && !STRIPE_WEBHOOK_SECRET, half('STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET')),
    ...where(!STRIPE_SECRET_KEY && !!STRIPE_WEBHOOK_SECRET, half('STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY')),
    ...where(!ALERT_WEBHOOK, 'ALERT_WEBHOOK is not set: if mail fails, nobody is told of trouble.'),
    ...where(!!ALERT_WEBHOOK && !isHttps(ALERT_WEBHOOK), 'ALERT_WEBHOOK is not used: it must begin with https://.'),
  ];
}

/** Whether anything is to be served or done now. */
export const isOpen = (env: Env): boolean => isFit(env) && !env.CLOSED;

const checked = new WeakMap<object, boolean>();

/** Whether the configuration is fit for its environment; where it is not, the log says why, once an isolate. */
export function isFit(env: Env): boolean {
  const known = checked.get(env);
  if (known !== undefined) return known;
  const flaws = [...flawsOfSecrets(env), ...flawsOfConfiguration(env)];
  for (const flaw of flaws) console.error(`Muster refuses to work: ${flaw}`);
  if (!isLocal(env)) for (const note of notesOnSecrets(env)) console.warn(note);
  checked.set(env, flaws.length === 0);
  return flaws.length === 0;
}
