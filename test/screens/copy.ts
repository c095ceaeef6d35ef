import { type Service, startService } from '../support/service.ts';

/** Returns the running copy that ADDRESS names, or starts one. */
export async function copyToLookAt(): Promise<Pick<Service, 'address' | 'remove'>> {
  const running = process.env.ADDRESS;
  if (running) return { address: running, remove: async () => undefined };
  return startService({ READY_PRODUCTS: 'rok-kingdom-scan,cod-server-scan,rok-history' });
}
