import type { DashboardCache } from '../durable-objects/dashboard-cache.ts';
import type { OrderProgress } from '../durable-objects/order-progress.ts';
import type { UserSockets } from '../durable-objects/user-sockets.ts';

/** Bindings and configuration (wrangler.toml, secrets). */
export interface Env {
  DB: D1Database;
  STORE: R2Bucket;
  /** A second bucket, which only backups are written to. */
  BACKUP: R2Bucket;
  /** The built web. */
  ASSETS: Fetcher;
  ORDER_PROGRESS: DurableObjectNamespace<OrderProgress>;
  DASHBOARD_CACHE: DurableObjectNamespace<DashboardCache>;
  USER_SOCKETS: DurableObjectNamespace<UserSockets>;
  READY_PRODUCTS: string;
  LEASE_SECONDS: string;
  /** What an account may bring and keep of its own scans: files a day, rows in all, days that each is kept. */
  OWN_FILES_PER_DAY: string;
  OWN_ROWS: string;
  OWN_DAYS: string;
  /** Where issue reports go, and what pages name as the contact. */
  SUPPORT_EMAIL: string;
  /** Invitation to the community chat, on pages. */
  CHAT_INVITE: string;
  /** Origin that pages call where the API has one of its own; empty: theirs. */
  API_BASE: string;
  /** The analytics script that pages load, and its token; empty: none. */
  ANALYTICS_SCRIPT: string;
  ANALYTICS_TOKEN: string;
  /** Texts of the pages of those names. */
  IMPRINT: string;
  PRIVACY: string;
  /** One of ENVIRONMENTS. */
  ENVIRONMENT: string;
  /** Where users find the service ('https://muster.example'): what links in mails begin with. */
  SITE_ORIGIN: string;
  /** Other origins whose pages may call the API with a user's cookie, separated by commas. */
  ALLOWED_ORIGINS: string;
  /** Why the service is closed for a while, for everybody who comes; empty: it is open. */
  CLOSED: string;
  MAIL_FROM: string;
  EMAIL: SendEmail;
  /** Limiters: what each counts by, and how many calls, stands in wrangler.toml. */
  LOGIN_ACCOUNT: RateLimit;
  LOGIN_ADDRESS: RateLimit;
  REGISTER_ADDRESS: RateLimit;
  RESET_MAIL: RateLimit;
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
  /** Secrets of the account at Stripe; without them nothing can be paid in. */
  STRIPE_SECRET_KEY?: string;
  STRIPE_WEBHOOK_SECRET?: string;
  /** Where admins are told of trouble besides by mail: the address of a webhook of Discord, Slack or any other. */
  ALERT_WEBHOOK?: string;
  /** The stand-in for Stripe of a local copy; refused anywhere else. */
  STRIPE_API_BASE?: string;
  /** The stand-in for Discord of a local copy; refused anywhere else. */
  DISCORD_API_BASE?: string;
}

/**
 * 'production'; 'staging', which is the same with Stripe's test keys; or 'local' for a copy on one's own machine: what is
 * open only there asks `isLocal`.
 */
export const ENVIRONMENTS = ['production', 'staging', 'local'] as const;

/** True in a local copy only: configuration check and start script see to that. */
export const isLocal = (env: Pick<Env, 'ENVIRONMENT'>): boolean => env.ENVIRONMENT === 'local';
