import { join } from 'node:path';
import { withFolder } from '../folder.ts';
import { sized } from '../quick.ts';
import { judge, median, milliseconds, printTable } from '../report.ts';
import { build } from '../serve.ts';
import { ask, open } from './service.ts';

/** Digests of kingdoms that were all scanned at once for the first time, by the cron of the minute. */

const KINGDOMS = Number(process.env.KINGDOMS ?? sized(600, 30));
const GOVERNORS = 300;
/** Scans stored side by side. */
const LANES = 4;
/** Time that a call to the database takes in addition, because the cron may run on another continent. */
const TRIP_MS = 120;
/** 2,000 kingdoms within five minutes. */
const LEAST_A_MINUTE = 400;
const MOST_MINUTES = 60;

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
        const now = (await ask(service, 'minute', { minute: crons.length, trip: TRIP_MS })) as { undigested: number };
        crons.push({ ms: performance.now() - begun, digested: left - now.undigested });
        left = now.undigested;
        if (crons.length === MOST_MINUTES) break;
      }
      printTable(
        crons.map(({ ms, digested }, minute) => ({
          [`${KINGDOMS} kingdoms of ${GOVERNORS}, trips of ${TRIP_MS} ms`]: `minute ${minute + 1}`,
          digested: String(digested),
          took: milliseconds(ms),
        })),
      );
      // The last minute ended early, unless it was the only one.
      const whole = crons.slice(0, Math.max(1, crons.length - 1)).map(({ digested }) => digested);
      judge([{ what: 'kingdoms digested a minute', reached: median(whole), wanted: LEAST_A_MINUTE }]);
    } finally {
      await service.close();
    }
  });
}
