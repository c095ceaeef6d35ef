import { type Databases, openDb } from '../../worker/db/open.ts';
import { backUp } from '../../worker/services/service/back-up.ts';

/**
 * Fills a bucket and backs it up inside workerd, as the cron does. From Node, each field of a listed object would take a
 * trip that blocks the process.
 */

/** The same limit as the cron's. */
const BACKUP_MS = 8 * 60_000;
const PUTS_AT_ONCE = 20;

type Bucket = Parameters<typeof backUp>[0]['store'];

interface Bindings extends Databases {
  STORE: Bucket;
  BACKUP: Bucket;
}

/** A request of the proof: to write objects, or to run the backup at a time. */
export type Asked = { first: number; count: number; suffix: string } | { now: number };

/** Calls of a run to each bucket by method, and how long it took in ms. */
export interface Ran {
  isOver: boolean;
  ms: number;
  store: Record<string, number>;
  backup: Record<string, number>;
}

export const keyOf = (index: number): string =>
  `snapshots/game=rok/kingdom=${1000 + (index % 500)}/day=2026-08-01/${index}-v1.parquet`;

/** Returns the bucket and how often each of its methods was called. */
function counted(bucket: Bucket): { bucket: Bucket; calls: Record<string, number> } {
  const calls: Record<string, number> = {};
  const proxy = new Proxy(bucket, {
    get(target, name) {
      const method = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => {
        calls[String(name)] = (calls[String(name)] ?? 0) + 1;
        return method.apply(target, args);
      };
    },
  });
  return { bucket: proxy, calls };
}

async function run({ DB, STORE, BACKUP }: Bindings, now: number): Promise<Ran> {
  const [store, backup] = [counted(STORE), counted(BACKUP)];
  const began = Date.now();
  const isOver = await backUp(
    { db: openDb({ DB }), store: store.bucket, bucket: backup.bucket },
    now,
    began + BACKUP_MS,
  );
  return { isOver, ms: Date.now() - began, store: store.calls, backup: backup.calls };
}

export default {
  async fetch(request: Request, bindings: Bindings): Promise<Response> {
    const asked = (await request.json()) as Asked;
    if ('now' in asked) return Response.json(await run(bindings, asked.now));
    const { first, count, suffix } = asked;
    for (let from = first; from < first + count; from += PUTS_AT_ONCE) {
      const indexes = Array.from({ length: Math.min(PUTS_AT_ONCE, first + count - from) }, (_, index) => from + index);
      await Promise.all(indexes.map((index) => bindings.STORE.put(keyOf(index), `scan ${index}${suffix}`)));
    }
    return Response.json({});
  },
};
