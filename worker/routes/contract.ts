import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import type { Env } from '../env.ts';
import { appended } from '../files/gzip.ts';
import { builtContract } from '../gateways/built-web.ts';
import { keptFor } from '../http/kept.ts';
import { sendPacked } from '../http/send-bytes.ts';
import { sends } from '../middleware/answers.ts';
import { type AppEnv, anyone } from '../middleware/session.ts';
import { describeCopy } from '../openapi/copy.ts';

interface Served {
  site: string;
  bytes: ArrayBuffer;
  etag: string;
}

let served: Served | undefined;

/** The API description of this copy: the calls from the build, followed by the copy's own part. */
async function servedAt(env: Env, origin: string): Promise<Served> {
  const site = env.SITE_ORIGIN;
  if (served?.site === site) return served;
  const built = await builtContract(env, origin);
  const own = JSON.stringify(describeCopy(site)).replace('{', ',');
  const { buffer: bytes } = appended(built, new TextEncoder().encode(own));
  const etag = `"${createHash('sha256').update(new Uint8Array(bytes)).digest('hex').slice(0, 32)}"`;
  served = { site, bytes, etag };
  return served;
}

export const contract = new Hono<AppEnv>().get(
  '/openapi.json',
  anyone,
  sends('This description', 'application/json'),
  async (context) => {
    const { bytes, etag } = await servedAt(context.env, new URL(context.req.url).origin);
    return sendPacked(context.req.raw, bytes, { etag, caching: keptFor({ browser: 60, edge: 3600, stale: 3600 }) });
  },
);
