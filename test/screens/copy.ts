import { type Service, startService } from '../support/service.ts';

/** The copy that ADDRESS names, which stays as it is, or one of its own. */
export async function copyToLookAt(): Promise<Pick<Service, 'address' | 'remove'>> {
  const running = process.env.ADDRESS;
  if (running) return { address: running, remove: async () => undefined };
  return startService({ READY_PRODUCTS: 'rok-kingdom-scan,cod-server-scan,rok-history' });
}
