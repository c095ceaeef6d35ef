import { join } from 'node:path';
import { withFolder } from '../folder.ts';
import { sized } from '../quick.ts';
import { judge, median, milliseconds, printTable } from '../report.ts';
import { build } from '../serve.ts';
import { ask, open, TOKEN } from './service.ts';

/** Orders of schedules that are all due at once, placed by the cron of the minute. */

const SCHEDULES = Number(process.env.SCHEDULES ?? sized(5000, 60));
/** Time that a call to the database takes in addition, because the cron may run on another continent. */
const TRIP_MS = 120;
/** 5,000 within five minutes. */
const LEAST_A_MINUTE = 1000;
const MOST_MINUTES = 60;

export async function schedules(): Promise<void> {
  await build(import.meta.dirname);
  await withFolder(async (folder) => {
    const service = await open(join(folder, 'schedules'));
    try {
      const user = (await ask(service, 'prepare', { token: TOKEN })) as string;
      await ask(service, 'schedules', { user, count: SCHEDULES });
      const crons: { ms: number; placed: number }[] = [];
      for (let done = 0; done < SCHEDULES && crons.length < MOST_MINUTES; ) {
        const begun = performance.now();
        await ask(service, 'minute', { minute: crons.length, trip: TRIP_MS });
        const { placed, missed } = (await ask(service, 'runs')) as { placed: number; missed: number };
        if (missed > 0) throw new Error(`${missed} runs placed no order`);
        crons.push({ ms: performance.now() - begun, placed: placed - done });
        done = placed;
      }
      printTable(
        crons.map(({ ms, placed }, minute) => ({
          [`${SCHEDULES} schedules due at once, trips of ${TRIP_MS} ms`]: `minute ${minute + 1}`,
          placed: String(placed),
          took: milliseconds(ms),
        })),
      );
      // The last minute ended early, unless it was the only one.
      const whole = crons.slice(0, Math.max(1, crons.length - 1)).map(({ placed }) => placed);
      judge([{ what: 'orders of schedules placed a minute', reached: median(whole), wanted: LEAST_A_MINUTE }]);
    } finally {
      await service.close();
    }
  });
}
