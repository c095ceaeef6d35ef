import { join } from 'node:path';
import { migrate } from '../../scripts/migrate.ts';
import { inWorkerd } from '../serve.ts';
import { serviceWorker } from '../service.ts';
import { call } from './fleet.ts';

/** The whole service in a workerd of its own, for benchmarks. */

const PORT = 9330;
export const TOKEN = 'the-token-of-the-benchmark';
const READY_PRODUCTS = 'rok-kingdom-scan,rok-history';

export interface Service {
  url: string;
  pid: number;
  /** The Worker's name, which identifies its isolate. */
  name: string;
  close(): Promise<void>;
}

/**
 * Starts the whole service plus a benchmark's calls in a new workerd, with its own bindings (except `changed`) and
 * limits, and inspectors at `inspectorPort`.
 */
export async function open(
  state: string,
  port = PORT,
  bundle = 'hand-in',
  inspectorPort?: number,
  changed: Record<string, string> = {},
): Promise<Service> {
  const worker = serviceWorker(join('bench', bundle), 'worker.js', port + 1, { READY_PRODUCTS, ...changed });
  const { miniflare, pid } = await inWorkerd(state, port, [worker], inspectorPort);
  await migrate(await miniflare.getD1Database('DB'));
  const { name = '' } = worker;
  return { url: `http://127.0.0.1:${port + 1}`, pid, name, close: () => miniflare.dispose() };
}

/** Calls one of the benchmark's own endpoints. */
export const ask = async ({ url }: Service, path: string, parameters: Record<string, string | number> = {}) =>
  JSON.parse(await call(`${url}/bench/${path}?${new URLSearchParams(parameters as Record<string, string>)}`, ''));
