import type { DashboardCache } from '../durable-objects/dashboard-cache.ts';
import type { OrderProgress } from '../durable-objects/order-progress.ts';
import type { UserSockets } from '../durable-objects/user-sockets.ts';
import type { Databases } from './db/open.ts';

/** Bindings, variables (wrangler.toml) and secrets. */
export interface Env extends Databases {
  STORE: R2Bucket;
  /** A second bucket, for backups only. */
  BACKUP: R2Bucket;
  /** The built web app. */
  ASSETS: Fetcher;
  ORDER_PROGRESS: DurableObjectNamespace<OrderProgress>;
  DASHBOARD_CACHE: DurableObjectNamespace<DashboardCache>;
  USER_SOCKETS: DurableObjectNamespace<UserSockets>;
  READY_PRODUCTS: string;
  LEASE_SECONDS: string;
  /** Limits on own scans: uploads per day, rows in total, days that each is kept. */
  OWN_FILES_PER_DAY: string;
  OWN_ROWS: string;
  OWN_DAYS: string;
  /** Receives issue reports; shown on pages as the contact. */
  SUPPORT_EMAIL: string;
  /** Invitation link to the community chat, shown on pages. */
  CHAT_INVITE: string;
  /** API origin for pages. Empty if the API shares the pages' origin. */
  API_BASE: string;
  /** The analytics script that pages load, and its token. Empty: no analytics. */
  ANALYTICS_SCRIPT: string;
  ANALYTICS_TOKEN: string;
  /** 'on': governors, kingdoms and alliances have public profiles; empty: they do not. */
  PUBLIC_PROFILES: string;
  /** Texts of the pages with these names. */
  IMPRINT: string;
  PRIVACY: string;
  /** One of ENVIRONMENTS. */
  ENVIRONMENT: string;
  /** One of LOCATIONS: where Durable Objects are created. */
  LOCATION: string;
  /** The service's public origin ('https://muster.example'), used for links in mails. */
  SITE_ORIGIN: string;
  /** Other origins whose pages may call the API with the user's cookie, comma-separated. */
  ALLOWED_ORIGINS: string;
  /** The reason shown to everybody while the service is closed. Empty: open. */
  CLOSED: string;
  MAIL_FROM: string;
  /** 'on': Stripe computes tax, which top-ups include; empty: no tax. */
  STRIPE_TAX: string;
  EMAIL: SendEmail;
  /** Rate limiters. wrangler.toml says what each counts and its limit. */
  LOGIN_ADDRESS: RateLimit;
  REGISTER_ADDRESS: RateLimit;
  ORDER_USER: RateLimit;
  DOWNLOAD_USER: RateLimit;
  IMPORT_USER: RateLimit;
  COMPARE_USER: RateLimit;
  FLEET_GROUP: RateLimit;
  NOTIFY_USER: RateLimit;
  PAYMENT_USER: RateLimit;
  DASHBOARD_ADDRESS: RateLimit;
  REPORT_USER: RateLimit;
  SHARE_USER: RateLimit;
  SEARCH_ADDRESS: RateLimit;
  SCHEDULE_USER: RateLimit;
  /** JSON: `{ "current": "<key id>", "keys": { "<key id>": "<32 bytes in base64url>" } }`. */
  SESSION_KEYS: string;
  /** Stripe secrets. Without them nobody can pay. */
  STRIPE_SECRET_KEY?: string;
  STRIPE_WEBHOOK_SECRET?: string;
  /** URL of a webhook (Discord, Slack or other) that receives alerts in addition to mail. */
  ALERT_WEBHOOK?: string;
  /** Address of the Stripe stand-in. Only local copies may set it. */
  STRIPE_API_BASE?: string;
  /** Address of the Discord stand-in. Only local copies may set it. */
  DISCORD_API_BASE?: string;
}

/**
 * 'staging' is 'production' with Stripe's test keys; 'local' is a copy on a developer's machine. `isLocal` guards what
 * only local copies may do.
 */
export const ENVIRONMENTS = ['production', 'staging', 'local'] as const;

/** Location hints of Durable Objects (developers.cloudflare.com/durable-objects/reference/data-location). */
export const LOCATIONS = ['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'oc', 'afr', 'me'] as const;

/** Creates an object beside the database. The hint counts for an object's first call only. */
export const besideDatabase = ({ LOCATION }: Pick<Env, 'LOCATION'>): DurableObjectNamespaceGetDurableObjectOptions => ({
  locationHint: LOCATION as (typeof LOCATIONS)[number],
});

/** True for a local copy. The configuration check and the start script enforce the value. */
export const isLocal = (env: Pick<Env, 'ENVIRONMENT'>): boolean => env.ENVIRONMENT === 'local';
