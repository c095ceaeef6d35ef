import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Row } from '../../domain/scans/rows.ts';
import { simulatedWorld } from '../../fleet/sources/world.ts';
import { startClock } from '../../scripts/clock.ts';
import { migrate } from '../../scripts/migrate.ts';
import { openRuntime, type Runtime } from '../../scripts/runtime.ts';
import { secretsOf } from '../../scripts/secrets.ts';
import { flawsOf, freePort } from '../support/service.ts';

/** A copy of the service without agent and seed, in this process, and the rows that its bots deliver. */

export interface OwnCopy {
  runtime: Runtime;
  /** Makes a group of bots; answers its token. */
  group(id: string): Promise<string>;
  /** A figure of the database. */
  figure(sql: string, ...values: unknown[]): Promise<number>;
  /** Resolves once no item waits; throws with what is left after that long. */
  untilSettled(withinMs: number): Promise<void>;
  /** Ends it and reads its whole state; answers what does not fit in it. */
  verify(): Promise<string[]>;
  remove(): void;
}

/** Starts it, with crons that fire as those of a deployment. Needs a build. */
export async function openCopy(): Promise<OwnCopy> {
  // As a deployment has it: under load on a small machine a call alone takes longer than the lease of a local copy.
  process.env.LEASE_SECONDS = '300';
  const stateDir = mkdtempSync(join(tmpdir(), 'muster-copy-'));
  const runtime = await openRuntime({ port: await freePort(), stateDir, scansDir: null }, secretsOf(stateDir));
  await migrate(runtime.db);
  const failures: unknown[] = [];
  const stopClock = startClock(runtime.address, runtime.crons, (error) => failures.push(error));
  const figure: OwnCopy['figure'] = async (sql, ...values) =>
    (
      await runtime.db
        .prepare(sql)
        .bind(...values)
        .first<{ n: number }>()
    )?.n ?? Number.NaN;
  return {
    runtime,
    figure,
    async group(id) {
      const token = `the-token-of-the-group-${id}`;
      await runtime.db
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
        if (Date.now() > until) throw new Error(`${left} items still wait.`);
        await sleep(500);
      }
    },
    async verify() {
      stopClock();
      await runtime.close();
      return [...failures.map(String), ...flawsOf(stateDir)];
    },
    remove: () => rmSync(stateDir, { recursive: true, force: true }),
  };
}

const world = simulatedWorld();
const AT = Date.UTC(2026, 5, 1);

/** The governors of a kingdom at one moment, by power. */
export const governorsOf = (kingdom: number, count: number): Row[] => world.rows('rok', kingdom, AT, count);
