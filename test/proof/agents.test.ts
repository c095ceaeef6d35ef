import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GAMES } from '../../domain/games/games.ts';
import { runAgent } from '../../fleet/run-agent.ts';
import { scanFolder } from '../../fleet/sources/scan-folder.ts';
import { build } from '../../scripts/build.ts';
import { insertUser, signIn } from './crowd.ts';
import { governorsOf, type OwnCopy, openCopy } from './own-copy.ts';

/** Three agents of one group, each with its own folder, deliver fifty orders together. */

const GOVERNORS = 200;
/** Kingdoms by agent: each has its own, and some are in two folders. */
const FOLDERS: Readonly<Record<string, readonly number[]>> = {
  north: [1001, 1002, 1003, 1004, 1010, 1011],
  east: [1005, 1006, 1007, 1010],
  south: [1008, 1009, 1011, 1012],
};
const KINGDOMS = [...new Set(Object.values(FOLDERS).flat())];

const scans = mkdtempSync(join(tmpdir(), 'three-agents-'));
let copy: OwnCopy;
beforeAll(async () => {
  await build();
  copy = await openCopy();
});
afterAll(() => {
  copy?.remove();
  rmSync(scans, { recursive: true });
});

function writeScan(folder: string, kingdom: number): void {
  const lines = governorsOf(kingdom, GOVERNORS).map((row) =>
    JSON.stringify(Object.fromEntries(GAMES.rok.columns.map(({ key, title }) => [title, row[key] ?? null]))),
  );
  mkdirSync(join(scans, folder), { recursive: true });
  writeFileSync(join(scans, folder, `${kingdom}_2026-06-01.jsonl`), lines.join('\n'));
}

test('three agents with different folders deliver fifty orders, and one whose file comes later', async () => {
  const { runtime, figure } = copy;
  const token = await copy.group('three');
  const stop = new AbortController();
  const troubles: string[] = [];
  const agents: Promise<void>[] = [];
  for (const [name, kingdoms] of Object.entries(FOLDERS)) {
    for (const kingdom of kingdoms) writeScan(name, kingdom);
    const source = await scanFolder(join(scans, name), { settleMs: 0 });
    const trouble = { tell: (text: string) => troubles.push(`${name}: ${text}`), over: () => undefined };
    agents.push(
      runAgent({ url: runtime.address, token, name, source, bots: 3, paceMs: 20, pollMs: 500, trouble }, stop.signal),
    );
  }
  await insertUser(runtime, 'buyer');
  const cookie = await signIn(runtime.address, 'buyer');
  const place = async (kingdom: number) => {
    const params = { kingdoms: [String(kingdom)], governors: GOVERNORS, full_profile: true };
    const answer = await fetch(`${runtime.address}/v1/order/create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie, 'idempotency-key': crypto.randomUUID() },
      body: JSON.stringify({ orders: [{ type: 'rok-kingdom-scan', params, fields: {}, price: 1 }] }),
    });
    expect(answer.status).toBe(200);
  };
  for (let index = 0; index < 50; index++) await place(KINGDOMS[index % KINGDOMS.length] as number);
  // No folder has it yet; its agent finds it before the order is given up.
  await place(1013);
  await sleep(3000);
  expect(await figure(`SELECT failed_count + incomplete_count AS n FROM items WHERE kingdom_id = 1013`)).toBe(2);
  writeScan('east', 1013);
  await copy.untilSettled(180_000);
  stop.abort();
  await Promise.all(agents);

  expect(await figure(`SELECT count(*) AS n FROM items WHERE state = 'done' AND failed_count = 0`)).toBe(51);
  expect(await figure('SELECT count(*) AS n FROM snapshots WHERE rows = ?', GOVERNORS)).toBe(51);
  // No agent was given a kingdom that it does not have.
  expect(await figure('SELECT count(*) AS n FROM refusals')).toBe(0);
  expect(await figure('SELECT max(attempts) AS n FROM subtasks')).toBe(1);
  for (const [name, kingdoms] of Object.entries(FOLDERS)) {
    const database = await runtime.database();
    const { results } = await database
      .prepare(`SELECT DISTINCT kingdom_id FROM subtasks WHERE bot_id LIKE 'three/' || ? || '-%'`)
      .bind(name)
      .all<{ kingdom_id: number }>();
    const own = name === 'east' ? [...kingdoms, 1013] : kingdoms;
    expect(results.map(({ kingdom_id }) => kingdom_id).filter((kingdom) => !own.includes(kingdom))).toEqual([]);
    expect(results.length).toBeGreaterThan(0);
  }
  expect(troubles).toEqual([]);
  expect(await copy.verify()).toEqual([]);
}, 300_000);
