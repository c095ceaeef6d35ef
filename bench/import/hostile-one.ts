import { getHeapStatistics } from 'node:v8';
import { readScanFile } from '../../scan-files/read.ts';
import { HOSTILE } from '../../test/scan-files/hostile.ts';

/** Reads one hostile file in a process of its own and prints its cost as JSON. Run with --expose-gc. */

/** Time between looks, in ms. A look costs up to 0.3 ms, which would count as the reader's. */
const LOOK_MS = 5;

const { name, make } = HOSTILE[Number(process.argv[2])] ?? { name: '', make: () => Buffer.alloc(0) };
// Loads lazy modules before the measurement starts.
await readScanFile('1.csv', Buffer.from('Governor ID,Power\n1,2\n'));
const bytes = make();
globalThis.gc?.();
const held = () => {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
};
const idle = held() - bytes.length;
/** Processor time in ms. */
const used = () => process.cpuUsage().user / 1000;
let [most, longest, last] = [0, 0, used()];
const look = () => {
  const now = used();
  most = Math.max(most, held() - idle);
  longest = Math.max(longest, now - last);
  last = now;
};
const timer = setInterval(look, LOOK_MS);
const processor = process.cpuUsage();
const outcome = await readScanFile(name, bytes).then(
  ({ lines }) => `${lines.kept} of ${lines.read} lines`,
  (error: Error) => error.message.slice(0, 60),
);
const { user, system } = process.cpuUsage(processor);
clearInterval(timer);
look();
console.log(JSON.stringify({ bytes: bytes.length, processor: (user + system) / 1000, most, longest, outcome }));
