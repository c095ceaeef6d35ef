import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { isolatesOf } from '../../bench/isolate.ts';
import { childrenNamed, resident } from '../../bench/memory.ts';
import { judge, mebibytes, milliseconds, printTable } from '../../bench/report.ts';
import { build } from '../../scripts/build.ts';
import { startClock } from '../../scripts/clock.ts';
import { migrate } from '../../scripts/migrate.ts';
import { startPayments } from '../../scripts/payments.ts';
import { openRuntime, type Runtime } from '../../scripts/runtime.ts';
import { secretsOf } from '../../scripts/secrets.ts';
import { seed } from '../../scripts/seed.ts';
import { type GrownCall, grownCall, type Operation, operationsOf, randomFrom } from '../support/grown-calls.ts';
import { freePort } from '../support/service.ts';
import { Crowd } from './crowd.ts';
import type { Noticed, Watched } from './others.ts';

/**
 * Sends calls of growing size, count and depth to every route of a copy of the service, as every kind of caller, and
 * measures how long others wait: `node test/proof/growing-fuzz.ts [calls] [seed]`. Fails if a call breaks something
 * (5xx), workerd ends, or another caller waits too long.
 */

const CALLS = Number(process.argv[2] ?? 100_000);
const SEED = Number(process.argv[3] ?? 1);
const AT_ONCE = 6;
const STEPS = 10;
/** Bytes of a body's largest part, from the first call to the last. A call may carry a million. */
const [SMALLEST, LARGEST] = [10, 1_200_000];
/** Share of calls that have any size from the start. */
const ANY_SIZE = 0.02;
const LONGEST_CALL_MS = 60_000;
/** Limits every isolate's heap to half of the real limit, so that a leak ends workerd. */
const HEAP_MB = 64;
/** Longest time that another user's call may take meanwhile. */
const OTHERS_MS = 500;

interface Step {
  began: number;
  /** Duration in ms. */
  lasted: number;
  calls: number;
  largest: number;
  statuses: Map<number, number>;
  slowest: number;
  noticed: Noticed[];
  memory: number;
}

const broken: string[] = [];

/** A call of the fuzz test, with its start and end (epoch milliseconds). */
interface Span {
  name: string;
  from: number;
  to: number;
}

/** Running calls, and calls that ended within the last minute, oldest first. */
const underWay = new Set<Span>();
const ended: Span[] = [];
/** Calls that ran while others waited too long. */
const slowed: { waited: number; told: string }[] = [];

function endSpan(span: Span): void {
  underWay.delete(span);
  span.to = Date.now();
  ended.push(span);
  while ((ended[0]?.to ?? Infinity) < span.to - LONGEST_CALL_MS) ended.shift();
}

/** Records the longest calls during a slow answer, to find its cause. */
function noteSlow({ health, orders, lag, queued, disk }: Noticed): void {
  const [from, to] = [Date.now() - health - orders - lag - 1000, Date.now()];
  const beside = [...ended.filter((span) => span.to > from), ...underWay]
    .map(({ name, from: began, to: done }) => ({ name, lasted: (done || to) - began }))
    .sort((a, b) => b.lasted - a.lasted)
    .slice(0, 8);
  const waits = `/v1/health ${milliseconds(health)} (${milliseconds(queued)} of it without a processor), /v1/orders/ ${milliseconds(orders)}, machine ${milliseconds(lag)}, its disk ${milliseconds(disk)}`;
  const told = `${waits} beside ${beside.map(({ name, lasted }) => `${name} ${lasted}`).join(', ')}`;
  slowed.push({ waited: health, told });
}

/**
 * Sends a request. If the server has just closed its connection (as after refusing a body unread), the request never
 * arrives and is sent once more on another one, as browsers do.
 */
async function arriving(address: string, init: RequestInit): Promise<Response> {
  const signal = () => AbortSignal.timeout(LONGEST_CALL_MS);
  return fetch(address, { ...init, signal: signal() }).catch((error: unknown) => {
    const { code } = ((error as Error).cause ?? error) as { code?: string };
    // ERR_ASSERTION: fetch of Node fails in itself if the other end closes while it writes.
    if (code !== 'UND_ERR_SOCKET' && code !== 'ECONNRESET' && code !== 'EPIPE' && code !== 'ERR_ASSERTION') throw error;
    return fetch(address, { ...init, signal: signal() });
  });
}

/** `/v1/health/fleet` answers 503 while customers would wait, as they do in this copy without bots. */
const isDocumented = ({ operation }: GrownCall, status: number): boolean =>
  operation.path === '/v1/health/fleet' && status === 503;

/** Sends a call as one of the callers and reads its whole answer. */
async function send(address: string, crowd: Crowd, call: GrownCall, random: () => number, step: Step): Promise<void> {
  const { operation, path, body } = call;
  const who = crowd.any(random);
  const start = performance.now();
  const span = { name: `${operation.method} ${operation.path} ${body?.length ?? 0}`, from: Date.now(), to: 0 };
  underWay.add(span);
  try {
    const answer = await arriving(address + path, {
      method: operation.method,
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...call.headers,
        ...who.headers(),
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    step.statuses.set(answer.status, (step.statuses.get(answer.status) ?? 0) + 1);
    if (answer.status >= 500 && !isDocumented(call, answer.status))
      note(call, `${answer.status} ${text.slice(0, 200)}`);
    if (answer.status === 401 || /sign in first/i.test(text)) await who.renew();
  } catch (error) {
    note(call, error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : String(error));
    step.statuses.set(0, (step.statuses.get(0) ?? 0) + 1);
  }
  endSpan(span);
  step.slowest = Math.max(step.slowest, performance.now() - start);
}

function note({ operation, path, body }: GrownCall, why: string): void {
  const told = `${operation.method} ${path.slice(0, 120)} ${body?.slice(0, 200) ?? ''}: ${why}`;
  // Printed now as well, because a long run may be ended before its summary.
  if (broken.push(told) <= 20) console.log(`  ${told}`);
}

const last = <Value>(values: readonly Value[]): Value => values[values.length - 1] as Value;
const most = (values: readonly number[]): number => values.reduce((max, value) => Math.max(max, value), 0);
const newStep = (): Step => ({
  began: performance.now(),
  lasted: 0,
  calls: 0,
  largest: 0,
  statuses: new Map(),
  slowest: 0,
  noticed: [],
  memory: 0,
});

async function fuzz(runtime: Runtime, pid: number, file: string): Promise<Step[]> {
  const { address } = runtime;
  const api = (await (await fetch(`${address}/v1/openapi.json`)).json()) as Record<string, unknown>;
  const operations = operationsOf(api);
  const crowd = await Crowd.gather(runtime);
  const steps: Step[] = [newStep()];
  const watched: Watched = { address, headers: crowd.bystander, pid, file };
  const others = new Worker(new URL('others.ts', import.meta.url), { workerData: watched });
  others.on('message', (noticed: Noticed) => {
    last(steps).noticed.push(noticed);
    if (noticed.health > OTHERS_MS / 2) noteSlow(noticed);
  });
  let next = 0;
  const worker = async () => {
    while (next < CALLS) {
      const number = next++;
      if (number > 0 && number % Math.ceil(CALLS / STEPS) === 0) {
        print(last(steps));
        steps.push(newStep());
      }
      const step = last(steps);
      const random = randomFrom(SEED * 1_000_003 + number);
      // Every size below the largest of its time, evenly by its order of magnitude; now and then any size, so that a run
      // that is cut short has sent large ones too.
      const reach = random() < ANY_SIZE ? 1 : number / CALLS;
      const largest = SMALLEST * (LARGEST / SMALLEST) ** reach;
      const size = Math.floor(SMALLEST * (largest / SMALLEST) ** random());
      const operation = operations[number % operations.length] as Operation;
      step.calls++;
      step.largest = Math.max(step.largest, size);
      await send(address, crowd, grownCall(random, operation, size, crowd.known), random, step);
      step.memory = Math.max(step.memory, resident(pid));
      step.lasted = performance.now() - step.began;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await others.terminate();
  return steps;
}

const worst = (noticed: readonly Noticed[], what: keyof Noticed): number => most(noticed.map((each) => each[what]));
/** The longest call of /v1/health without the time that the service waited for a processor. */
const worstOwn = (noticed: readonly Noticed[]): number => most(noticed.map(({ health, queued }) => health - queued));
const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const rowOf = ({ lasted, calls, largest, statuses, slowest, noticed, memory }: Step) => {
  const of = (first: number) =>
    [...statuses].reduce((sum, [status, count]) => sum + (Math.floor(status / 100) === first ? count : 0), 0);
  return {
    calls: calls.toLocaleString('en-US'),
    'up to': `${largest.toLocaleString('en-US')} B`,
    '2xx': String(of(2) + of(3)),
    '4xx': String(of(4)),
    '5xx': String(of(5)),
    none: String(of(0)),
    'ms a call': (lasted / calls).toFixed(1),
    slowest: milliseconds(slowest),
    health: milliseconds(median(noticed.map(({ health }) => health))),
    worst: milliseconds(worst(noticed, 'health')),
    'worst, had it a processor': milliseconds(worstOwn(noticed)),
    'orders, worst': milliseconds(worst(noticed, 'orders')),
    'machine, worst': milliseconds(worst(noticed, 'lag')),
    'its disk': milliseconds(worst(noticed, 'disk')),
    workerd: mebibytes(memory),
  };
};

const print = (step: Step): void => console.log(`  ${Object.values(rowOf(step)).join('  ')}`);

async function run(): Promise<void> {
  await build();
  const stateDir = mkdtempSync(join(tmpdir(), 'muster-fuzz-'));
  const settings = { port: await freePort(), stateDir, scansDir: null };
  const secrets = secretsOf(stateDir);
  Object.assign(process.env, await startPayments(settings));
  process.env.MINIFLARE_WORKERD_V8_FLAGS = `--max-old-space-size=${HEAP_MB}`;
  const inspectorPort = await freePort();
  const runtime = await openRuntime(settings, secrets, inspectorPort);
  try {
    await migrate(await runtime.database());
    await seed(runtime.seed, secrets, { stateDir, scansDir: null });
    const [pid = Number.NaN] = childrenNamed(process.pid, 'workerd');
    const idle = resident(pid);
    const used = await isolatesOf(inspectorPort);
    const stop = startClock(runtime.address, runtime.crons, (error) => broken.push(`cron: ${String(error)}`));
    const steps = await fuzz(runtime, pid, join(stateDir, 'disk'));
    stop();
    await sleep(5000);
    const [after = Number.NaN] = childrenNamed(process.pid, 'workerd');
    console.log(
      `\n  ${CALLS.toLocaleString('en-US')} calls, seed ${SEED}; workerd at rest before ${mebibytes(idle)}, after ${mebibytes(resident(after))}`,
    );
    printTable(steps.map(rowOf));
    // The process holds the simulators of D1, R2 and the rest too: which isolate grew tells whose memory it is.
    for (const [name, bytes] of await isolatesOf(inspectorPort))
      console.log(`  ${name} used ${mebibytes(used.get(name) ?? 0)} before, ${mebibytes(bytes)} after`);
    for (const { told } of slowed.sort((a, b) => b.waited - a.waited).slice(0, 20)) console.log(`  ${told}`);
    for (const line of broken.slice(0, 20)) console.log(`  ${line}`);
    judge([
      { what: 'calls that broke something', reached: broken.length, wanted: 1, below: true },
      { what: 'processes of workerd', reached: after === pid ? 1 : 2, wanted: 2, below: true },
      // The machine's disk and memory delay calls too, so this is judged only if nothing else runs.
      ...(process.env.PROOFS
        ? []
        : [
            {
              what: 'ms, /v1/health at worst',
              reached: most(steps.map(({ noticed }) => worstOwn(noticed))),
              wanted: OTHERS_MS,
              below: true as const,
            },
          ]),
    ]);
  } finally {
    await runtime.close();
    rmSync(stateDir, { recursive: true, force: true });
  }
}

await run();
process.exit();
