import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenNamed } from '../../bench/memory.ts';
import type { Row } from '../../domain/scans/rows.ts';
import { simulatedWorld } from '../../fleet/sources/world.ts';
import { startClock } from '../../scripts/clock.ts';
import { migrate } from '../../scripts/migrate.ts';
import { openRuntime, type Runtime } from '../../scripts/runtime.ts';
import { secretsOf } from '../../scripts/secrets.ts';
import { flawsOf, freePort, isAlive } from '../support/service.ts';

/** A copy of the service without agent and seed, in this process, and the rows that its bots hand in. */

export interface OwnCopy {
  readonly runtime: Runtime;
  /** Makes a group of bots; answers its token. */
  group(id: string): Promise<string>;
  /** Returns a number from the database. */
  figure(sql: string, ...values: unknown[]): Promise<number>;
  /** Resolves once no item waits. After the time, throws with what is left. */
  untilSettled(withinMs: number): Promise<void>;
  /** Kills its workerd as a power cut would. Resolves once the next one answers. */
  kill(): Promise<void>;
  /** Replaces the other release by this one, whose crons fire, on the same port and the migrated state. */
  update(): Promise<void>;
  /** Ends it and reads its whole state; answers what does not fit in it. */
  verify(): Promise<string[]>;
  remove(): Promise<void>;
}

const answers = (address: string): Promise<boolean> =>
  fetch(`${address}/v1/health`, { signal: AbortSignal.timeout(5000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** How a release serves its own build and migrates its database. */
export interface Release {
  openRuntime: typeof openRuntime;
  migrate: typeof migrate;
}

interface Begin {
  /** Writes the state that the copy starts with. */
  fill?(stateDir: string): Promise<void>;
  /** Another release to start with, whose crons do not fire. */
  release?: Release;
}

/** Starts it, with crons that fire as those of a deployment. Needs a build. */
export async function openCopy(leaseSeconds = 300, { fill, release }: Begin = {}): Promise<OwnCopy> {
  // Under load on a small machine a call alone takes longer than the lease of a local copy.
  process.env.LEASE_SECONDS = String(leaseSeconds);
  const stateDir = mkdtempSync(join(tmpdir(), 'muster-copy-'));
  await fill?.(stateDir);
  const settings = { port: await freePort(), stateDir, scansDir: null };
  const secrets = secretsOf(stateDir);
  let runtime = await (release?.openRuntime ?? openRuntime)(settings, secrets);
  await (release?.migrate ?? migrate)(await runtime.database());
  const failures: unknown[] = [];
  let isDown = false;
  const startCrons = () =>
    startClock(runtime.address, runtime.crons, (error) => {
      if (!isDown) failures.push(error);
    });
  let stopClock = release ? () => undefined : startCrons();
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => {
    stopClock();
    closed ??= runtime.close();
    return closed;
  };
  const figure: OwnCopy['figure'] = async (sql, ...values) =>
    (
      await (
        await runtime.database()
      )
        .prepare(sql)
        .bind(...values)
        .first<{ n: number }>()
    )?.n ?? Number.NaN;
  const whatWaits = async () =>
    (
      await (
        await runtime.database()
      )
        .prepare(
          `SELECT items.state AS item, subtasks.state AS subtask, count(*) AS count, max(attempts) AS attempts,
             max(lease_until) - ? AS wait_ms
           FROM subtasks JOIN items ON items.id = item_id WHERE items.state IN ('open', 'finishing') GROUP BY 1, 2`,
        )
        .bind(Date.now())
        .all()
    ).results;
  return {
    get runtime() {
      return runtime;
    },
    figure,
    async group(id) {
      const token = `the-token-of-the-group-${id}`;
      await (await runtime.database())
        .prepare('INSERT INTO bot_groups (id, name, token_hash, created_at) VALUES (?1, ?1, ?2, 1)')
        .bind(id, createHash('sha256').update(token).digest('hex'))
        .run();
      return token;
    },
    async untilSettled(withinMs) {
      const until = Date.now() + withinMs;
      for (;;) {
        const left = await figure(`SELECT count(*) AS n FROM items WHERE state IN ('open', 'finishing')`);
        if (left === 0) return;
        if (Date.now() > until) throw new Error(`Still waiting: ${JSON.stringify(await whatWaits())}`);
        await sleep(500);
      }
    },
    async kill() {
      isDown = true;
      const killed = childrenNamed(process.pid, 'workerd');
      for (const pid of killed) process.kill(pid, 'SIGKILL');
      // Miniflare starts the next one on the same port and state.
      while (killed.some(isAlive) || !(await answers(runtime.address))) await sleep(100);
      isDown = false;
    },
    async update() {
      isDown = true;
      await runtime.close();
      runtime = await openRuntime(settings, secrets);
      isDown = false;
      stopClock = startCrons();
    },
    async verify() {
      await close();
      return [...failures.map(String), ...flawsOf(stateDir)];
    },
    async remove() {
      await close();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

/** Does what the clock of a deployment does every minute. */
export async function fireMinute(address: string): Promise<void> {
  const answer = await fetch(`${address}/cdn-cgi/local/scheduled?cron=${encodeURIComponent('* * * * *')}`);
  if (!answer.ok) throw new Error(`The minute's cron answered ${answer.status}: ${await answer.text()}`);
}

const world = simulatedWorld();
const AT = Date.UTC(2026, 5, 1);

/** Returns the governors of a kingdom at one time, by power. */
export const governorsOf = (kingdom: number, count: number): Row[] => world.rows('rok', kingdom, AT, count);
