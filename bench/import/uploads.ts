import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { HOSTILE } from '../../test/scan-files/hostile.ts';
import { withFolder } from '../folder.ts';
import { ask } from '../hand-in/service.ts';
import { HEAP_MB, inHeap, signIn, type Watched } from '../heavy.ts';
import { forgetPeak, peak } from '../memory.ts';
import { sized } from '../quick.ts';
import { judge, mebibytes, median, milliseconds, printTable } from '../report.ts';
import { build } from '../serve.ts';
import type { Wait } from './bystander.ts';

/** Uploads the hostile files to the whole service while another thread calls `/v1/health` every 50 ms. */

/** Users of the concurrent uploads. The service reads two files at once, so the others queue. */
const LANES = ['bench', 'poor', 'bench', 'poor'];
/**
 * Longest acceptable duration of `/v1/health` meanwhile, in ms. The simulators of D1 and R2 run in the Worker's thread, so
 * their turns count here too. On the platform only those of the isolate would.
 */
const BYSTANDER_MS = 500;
const TAKEN = HOSTILE.slice(0, sized(HOSTILE.length, 3));
/** Number of waits in the table. */
const SHOWN = 8;

/** An upload; times are in epoch milliseconds. */
interface Upload {
  what: string;
  from: number;
  to: number;
  status: number;
}

/** Writes the files into a folder, because making one would delay what this thread observes meanwhile. */
async function filesIn(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for (const [at, { make }] of TAKEN.entries()) {
    const path = join(folder, `hostile-${at}`);
    await writeFile(path, make());
    paths.push(path);
  }
  return paths;
}

async function uploadAll(service: Watched, paths: readonly string[]): Promise<Upload[]> {
  const left = TAKEN.map(({ what, name }, at) => ({ what, name, path: paths[at] ?? '' }));
  const uploads: Upload[] = [];
  await Promise.all(
    LANES.map(async (username) => {
      const call = await signIn(service, username);
      for (let file = left.shift(); file; file = left.shift()) {
        const bytes = await readFile(file.path);
        const from = Date.now();
        const answer = await call('POST', `/v1/scans/import?name=${encodeURIComponent(file.name)}`, bytes, true);
        await answer.arrayBuffer();
        uploads.push({ what: file.what, from, to: Date.now(), status: answer.status });
      }
    }),
  );
  return uploads;
}

/** Uploads every hostile file, then prints and judges the longest waits for `/v1/health`. */
export async function measureUploads(): Promise<void> {
  await build(join(import.meta.dirname, '..', 'hand-in'));
  await withFolder(async (state) => {
    await inHeap(null, state, async (service) => void (await ask(service, 'prepare', { token: 'bench' })));
    const paths = await filesIn(state);
    await inHeap(HEAP_MB, state, async (service) => {
      await fetch(`${service.url}/v1/health`);
      forgetPeak(service.pid);
      service.isolate.most();
      service.isolate.longestTurn();
      const waits: Wait[] = [];
      const bystander = new Worker(new URL('bystander.ts', import.meta.url), {
        workerData: { address: `${service.url}/v1/health`, pid: service.pid },
      });
      bystander.on('message', (wait: Wait) => waits.push(wait));
      const uploads = await uploadAll(service, paths);
      const turn = service.isolate.longestTurn();
      await bystander.terminate();

      const longest = waits.toSorted((a, b) => b.ms - a.ms);
      printTable(
        longest.slice(0, SHOWN).map(({ from, ms, processor }) => ({
          'longest waits of /v1/health': milliseconds(ms),
          processor: milliseconds(processor),
          beside: uploads
            .filter((upload) => upload.from < from + ms && upload.to > from)
            .map(({ what }) => what)
            .join(', '),
        })),
      );
      const statuses = Map.groupBy(uploads, ({ status }) => status);
      console.log(
        `  ${uploads.length} uploads (${[...statuses].map(([status, all]) => `${all.length} × ${status}`).join(', ')}), ${waits.length} calls of /v1/health, median ${milliseconds(median(waits.map(({ ms }) => ms)))}; longest turn of the isolate alone ${milliseconds(turn)}; workerd at most ${mebibytes(peak(service.pid))}, with the simulators of D1 and R2`,
      );
      judge([
        {
          what: 'ms, /v1/health beside hostile uploads',
          reached: longest[0]?.ms ?? Infinity,
          wanted: BYSTANDER_MS,
          below: true,
        },
        {
          what: 'calls of /v1/health that failed',
          reached: waits.filter(({ ok }) => !ok).length,
          wanted: 1,
          below: true,
        },
        {
          what: 'uploads answered 5xx',
          reached: uploads.filter(({ status }) => status >= 500).length,
          wanted: 1,
          below: true,
        },
        {
          what: 'MiB held by the isolate beside hostile uploads',
          reached: service.isolate.most() / 2 ** 20,
          wanted: 128,
          below: true,
        },
      ]);
    });
  });
}
