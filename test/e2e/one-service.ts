import type { TestProject } from 'vitest/node';
import { startService } from '../support/service.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the copy of the service that the tests of this folder share. */
    address: string;
  }
}

/** Starts one copy for all tests that leave it as they found it; those that break things start their own. */
export default async function oneService(project: TestProject): Promise<() => Promise<void>> {
  const service = await startService({ READY_PRODUCTS: 'rok-kingdom-scan,rok-history' });
  project.provide('address', service.address);
  return () => service.remove();
}
