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

/** Users of the concurrent uploads. The service reads one file at a time, so the others queue. */
const LANES = ['bench', 'poor', 'bench', 'poor'];
/** Longest acceptable duration of `/v1/health` meanwhile, in ms. */
const BYSTANDER_MS = 500;
/**
 * How much longer `/v1/health` may take than beside the same files only stored, if that alone takes longer than `BYSTANDER_MS`.
 * The simulators of D1 and R2 run in the Worker's thread, and on the platform they do not.
 */
const MARGIN = 1.25;
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

/** Sends every file by `send`, one after the other in each lane. */
async function sendAll(paths: readonly string[], senders: readonly Send[]): Promise<Upload[]> {
  const left = TAKEN.map(({ what, name }, at) => ({ what, name, path: paths[at] ?? '' }));
  const uploads: Upload[] = [];
  await Promise.all(
    senders.map(async (send) => {
      for (let file = left.shift(); file; file = left.shift()) {
        const bytes = await readFile(file.path);
        const from = Date.now();
        const answer = await send(file.name, bytes);
        await answer.arrayBuffer();
        uploads.push({ what: file.what, from, to: Date.now(), status: answer.status });
      }
    }),
  );
  return uploads;
}

type Send = (name: string, bytes: Buffer) => Promise<Response>;

/** Only stores the files: the time that the simulator of R2 takes in the Worker's thread. */
const storeOnly =
  ({ url }: Watched): Send =>
  (_name, bytes) =>
    fetch(`${url}/bench/store`, { method: 'POST', body: new Uint8Array(bytes) });

async function uploadAs(service: Watched, username: string): Promise<Send> {
  const call = await signIn(service, username);
  return (name, bytes) => call('POST', `/v1/scans/import?name=${encodeURIComponent(name)}`, bytes, true);
}

interface Beside {
  uploads: Upload[];
  /** The longest first. */
  waits: Wait[];
}

/** Calls `/v1/health` while the files are sent. */
async function watchBeside(service: Watched, paths: readonly string[], senders: readonly Send[]): Promise<Beside> {
  const waits: Wait[] = [];
  const bystander = new Worker(new URL('bystander.ts', import.meta.url), {
    workerData: { address: `${service.url}/v1/health`, pid: service.pid },
  });
  bystander.on('message', (wait: Wait) => waits.push(wait));
  const uploads = await sendAll(paths, senders);
  await bystander.terminate();
  return { uploads, waits: waits.sort((a, b) => b.ms - a.ms) };
}

/** Uploads every hostile file, then prints and judges the longest waits for `/v1/health`. */
export async function measureUploads(): Promise<void> {
  await build(join(import.meta.dirname, '..', 'hand-in'));
  await withFolder(async (state) => {
    await inHeap(null, state, async (service) => void (await ask(service, 'prepare', { token: 'bench' })));
    const paths = await filesIn(state);
    await inHeap(HEAP_MB, state, async (service) => {
      await fetch(`${service.url}/v1/health`);
      const stored = await watchBeside(service, paths, Array(LANES.length).fill(storeOnly(service)));
      forgetPeak(service.pid);
      service.isolate.most();
      service.isolate.longestTurn();
      const senders = await Promise.all(LANES.map((username) => uploadAs(service, username)));
      const { uploads, waits } = await watchBeside(service, paths, senders);
      const turn = service.isolate.longestTurn();
      const [longest, longestStored] = [waits, stored.waits].map(([first]) => first?.ms ?? Infinity) as [
        number,
        number,
      ];
      printTable(
        waits.slice(0, SHOWN).map(({ from, ms, processor }) => ({
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
        `  ${uploads.length} uploads (${[...statuses].map(([status, all]) => `${all.length} × ${status}`).join(', ')}), ${waits.length} calls of /v1/health, median ${milliseconds(median(waits.map(({ ms }) => ms)))}; longest turn of the isolate alone, with its waits for a processor, ${milliseconds(turn)}; workerd at most ${mebibytes(peak(service.pid))}, with the simulators of D1 and R2`,
      );
      console.log(
        `  the same files only stored: longest wait ${milliseconds(longestStored)}, median ${milliseconds(median(stored.waits.map(({ ms }) => ms)))}`,
      );
      judge([
        {
          what: 'ms, /v1/health beside hostile uploads',
          reached: longest,
          wanted: Math.max(BYSTANDER_MS, longestStored * MARGIN),
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
