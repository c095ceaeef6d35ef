import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Task } from '../../domain/fleet/contract.ts';
import { withFolder } from '../folder.ts';
import { forgetPeak, peak, processorTime, resident } from '../memory.ts';
import { sized } from '../quick.ts';
import { judge, mebibytes, median, milliseconds, printTable } from '../report.ts';
import { build } from '../serve.ts';
import { bodyOf, call, readKingdoms, workAs } from './fleet.ts';
import { overload } from './overload.ts';
import { ask, open, type Service, TOKEN } from './service.ts';

/** Measures a fleet's hand-ins through the service's own routes, until every item has its results. */

const KINGDOMS = sized(100, 4);
const GOVERNORS = 1000;
const ROWS = KINGDOMS * GOVERNORS;
const ROUNDS = sized(5, 1);
const BOTS = 8;
const LARGE = sized(5000, 500);
const POLL_MS = 20;

/** Resolves once all items are finished. */
async function settled(service: Service, rows: number): Promise<void> {
  for (;;) {
    const state = (await ask(service, 'state')) as { left: number; failed: number; rows: number };
    if (state.failed > 0) throw new Error(`${state.failed} items failed`);
    if (state.left === 0 && state.rows === rows) return;
    await sleep(POLL_MS);
  }
}

interface Round {
  /** From the first lease to the answer to the last hand-in, in ms. */
  handIns: number;
  /** From there until every item has its results, in ms. */
  rest: number;
  processor: number;
}

const total = ({ handIns, rest }: Round): number => handIns + rest;

async function round(service: Service, user: string, from: number, rows: number): Promise<Round> {
  const texts = readKingdoms(from, KINGDOMS, GOVERNORS);
  await ask(service, 'place', { user, from, count: KINGDOMS, governors: GOVERNORS });
  const [start, before] = [performance.now(), processorTime(service.pid)];
  const bots = Array.from({ length: BOTS }, (_, bot) =>
    workAs(`bot-${bot}`, { url: service.url, token: TOKEN, texts }),
  );
  await Promise.all(bots);
  const handedIn = performance.now();
  await settled(service, rows);
  const end = performance.now();
  return { handIns: handedIn - start, rest: end - handedIn, processor: processorTime(service.pid) - before };
}

/** Measures in ms how long it takes to only read and check the same rows, over the same connections. */
async function checking(service: Service): Promise<number> {
  const texts = readKingdoms(1, KINGDOMS, GOVERNORS);
  const tasks = [...texts.keys()].map((key, index) => {
    const [kingdom = 0, rank = 0] = key.split('/').map(Number);
    return { subtask_id: index + 1, lease: 'none', kingdom_id: kingdom, from_rank: rank } as Task;
  });
  const calls = Array.from({ length: tasks.length / 5 }, (_, index) => tasks.slice(index * 5, index * 5 + 5));
  const start = performance.now();
  const bot = async () => {
    for (let five = calls.pop(); five; five = calls.pop()) {
      const kingdoms = five.map(({ kingdom_id }) => kingdom_id).join(',');
      await call(`${service.url}/bench/check?kingdoms=${kingdoms}`, bodyOf('bot', five, texts));
    }
  };
  await Promise.all(Array.from({ length: BOTS }, bot));
  return performance.now() - start;
}

async function throughput(folder: string): Promise<{ rounds: Round[]; again: Round; checked: number[] }> {
  const service = await open(join(folder, 'throughput'));
  try {
    const user = await ask(service, 'prepare', { token: TOKEN });
    const rounds: Round[] = [];
    const checked: number[] = [];
    for (let index = 0; index < ROUNDS; index++) {
      rounds.push(await round(service, user, 1 + index * KINGDOMS, (index + 1) * ROWS));
      checked.push(await checking(service));
    }
    const again = await round(service, user, 1, (ROUNDS + 1) * ROWS);
    return { rounds, again, checked };
  } finally {
    await service.close();
  }
}

/**
 * Measures finishing one large item. The process restarts before its last hand-in, so that only finishing is measured.
 */
async function large(folder: string): Promise<{ ms: number; memory: number }> {
  const state = join(folder, 'large');
  const texts = readKingdoms(1, 1, LARGE);
  const first = await open(state);
  const user = await ask(first, 'prepare', { token: TOKEN });
  await ask(first, 'place', { user, from: 1, count: 1, governors: LARGE });
  await workAs('bot', { url: first.url, token: TOKEN, texts, most: LARGE / 500 - 1 });
  await first.close();
  const second = await open(state);
  try {
    await ask(second, 'state');
    await sleep(1000);
    const idle = resident(second.pid);
    forgetPeak(second.pid);
    const start = performance.now();
    await workAs('bot', { url: second.url, token: TOKEN, texts });
    await settled(second, LARGE);
    return { ms: performance.now() - start, memory: peak(second.pid) - idle };
  } finally {
    await second.close();
  }
}

const perSecond = (ms: number): string => Math.round((ROWS / ms) * 1000).toLocaleString('en-US');

export async function run(): Promise<void> {
  await build(import.meta.dirname);
  await withFolder(async (folder) => {
    const { rounds, again, checked } = await throughput(folder);
    const { ms, memory } = await large(folder);
    const line = (what: string, { handIns, rest, processor }: Round) => ({
      [`${KINGDOMS} kingdoms of ${GOVERNORS.toLocaleString('en-US')}`]: what,
      'hand-ins': milliseconds(handIns),
      'then finishing': milliseconds(rest),
      processor: milliseconds(processor),
      'rows a second': perSecond(handIns + rest),
    });
    printTable([
      ...rounds.map((each, index) => line(index === 0 ? 'new, process just started' : 'new', each)),
      line('read again', again),
    ]);
    const checks = median(checked);
    const middle = median(rounds.map(total));
    console.log(`  only parsed and checked: ${milliseconds(checks)}, ${perSecond(checks)} rows a second`);
    console.log(
      `  last hand-in and finish of ${LARGE} governors: ${milliseconds(ms)}, ${mebibytes(memory)} above idle`,
    );
    const twice = await overload(folder);
    judge([
      { what: 'rows a second', reached: (ROWS / middle) * 1000, wanted: 80_000 },
      { what: '% of subtasks read twice by 100 bots', reached: 100 * twice, wanted: 5, below: true },
      { what: `MB above idle for ${LARGE} governors`, reached: memory / 1e6, wanted: 40, below: true },
    ]);
  });
}
