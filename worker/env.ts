import type { OrderProgress } from '../durable-objects/order-progress.ts';

/** Bindings and configuration (wrangler.toml, secrets). */
export interface Env {
  DB: D1Database;
  STORE: R2Bucket;
  ORDER_PROGRESS: DurableObjectNamespace<OrderProgress>;
  READY_PRODUCTS: string;
  LEASE_SECONDS: string;
  /** JSON: `{ "current": "<key id>", "keys": { "<key id>": "<32 bytes in base64url>" } }`. */
  SESSION_KEYS: string;
}
