import { join } from 'node:path';
import { withFolder } from '../folder.ts';
import { judge, milliseconds, printTable } from '../report.ts';
import { build } from '../serve.ts';
import { ask, open } from './service.ts';

/** Digests of kingdoms that were all scanned at once for the first time, by the cron of the minute. */

const KINGDOMS = Number(process.env.KINGDOMS ?? 2000);
const GOVERNORS = 300;
/** Scans stored side by side. */
const LANES = 4;
const MOST_MINUTES = 20;

export async function digests(): Promise<void> {
  await build(import.meta.dirname);
  await withFolder(async (folder) => {
    const service = await open(join(folder, 'digests'));
    try {
      let kingdom = 0;
      const store = async () => {
        while (kingdom < KINGDOMS)
          await ask(service, 'remember', { kingdom: ++kingdom, governors: GOVERNORS, days: 1 });
      };
      await Promise.all(Array.from({ length: LANES }, store));
      const crons: { ms: number; digested: number }[] = [];
      for (let left = KINGDOMS; left > 0; ) {
        const begun = performance.now();
        const now = (await ask(service, 'minute', { minute: crons.length })) as { undigested: number };
        crons.push({ ms: performance.now() - begun, digested: left - now.undigested });
        left = now.undigested;
        if (crons.length === 3 * MOST_MINUTES) break;
      }
      printTable(
        crons.map(({ ms, digested }, minute) => ({
          [`${KINGDOMS} kingdoms of ${GOVERNORS}`]: `minute ${minute + 1}`,
          digested: String(digested),
          took: milliseconds(ms),
        })),
      );
      judge([{ what: 'minutes until all are digested', reached: crons.length, wanted: MOST_MINUTES + 1, below: true }]);
    } finally {
      await service.close();
    }
  });
}
