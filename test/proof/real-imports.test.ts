import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type * as z from 'zod';
import type { compared } from '../../domain/compare/answers.ts';
import type { groupDifference } from '../../domain/difference/answers.ts';
import type { importPreview, library } from '../../domain/library/answers.ts';
import type { Row } from '../../domain/scans/rows.ts';
import { type Client, signedIn } from '../support/client.ts';
import { expectSame, figureOf, independently } from '../support/independently.ts';
import { WAR } from './real-war-figures.ts';

/**
 * Real files through the routes of a whole copy: imported, saved, downloaded and compared. REAL_SCANS names their
 * folder.
 */
const folder = process.env.REAL_SCANS ?? '';
const beside = join(folder, '..', 'other-data');
const files = folder
  ? [folder, beside]
      .filter(existsSync)
      .flatMap((root) => globSync('**/*.{csv,xlsx,json}', { cwd: root }).map((path) => join(root, path)))
      .sort()
  : ['none'];

type Preview = z.infer<typeof importPreview>;

const address = inject('address');
let user: Client;
beforeAll(async () => {
  if (folder) user = await signedIn(address);
});
afterAll(async () => {
  for (const id of [...saved.values()].flat()) await user.call('DELETE', `/v1/scans/${id}`);
});

/** Repeats a call while the limits per minute refuse it. */
async function patiently(call: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await call();
    if (answer.status !== 429) return answer;
    await sleep(5000);
  }
}

async function bring(path: string): Promise<Preview> {
  const send = () =>
    fetch(`${address}/v1/scans/import?name=${encodeURIComponent(basename(path))}`, {
      method: 'POST',
      body: readFileSync(path),
      headers: { cookie: user.cookie() },
    });
  const answer = await patiently(send);
  const { data, msg } = (await answer.json()) as { data: Preview; msg?: string };
  if (!answer.ok) throw new Error(`${path}: ${msg}`);
  return data;
}

const FIRST = Date.UTC(2025, 0, 1);
const DAY = 86_400_000;

/** Supplies what a file does not state, and saves it. */
async function save({ import_id, asks }: Preview): Promise<string[]> {
  const stages = Object.fromEntries(asks.stages.map((stage, index) => [stage, FIRST + index * DAY]));
  const choice = {
    ...(asks.kingdom && { kingdom: 4999 }),
    ...(asks.captured_at && { captured_at: FIRST }),
    ...(asks.stages.length > 0 && { captured_at: stages }),
  };
  const answer = await patiently(() => user.send('POST', `/v1/scans/import/${import_id}/save`, choice));
  const { data, msg } = (await answer.json()) as { data: { scan_ids: string[] }; msg?: string };
  if (!answer.ok) throw new Error(msg);
  return data.scan_ids;
}

async function rowsOf(scan: string): Promise<Row[]> {
  const answer = await patiently(() => user.send('GET', `/v1/scans/${scan}/download?type=jsonl`));
  expect(answer.status).toBe(200);
  const text = await answer.text();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
}

const saved = new Map<string, string[]>();
const keep = async (path: string): Promise<string[]> => {
  const known = saved.get(path);
  if (known) return known;
  const ids = await save(await bring(path));
  saved.set(path, ids);
  return ids;
};

type Compared = z.infer<typeof compared>;
type Sums = z.infer<typeof groupDifference>;

const compare = (from: readonly string[], to: readonly string[]) =>
  user.call<Compared>('GET', `/v1/compare?from=${from.join()}&to=${to.join()}&t4=10&t5=20&deads=0`);

/** 10·ΔT4 + 20·ΔT5 of two Hero Scrolls sheets by plain subtraction: raw, guarded, left out. */
function subtracted(before: Record<string, unknown>[], after: Record<string, unknown>[]) {
  const tiers = (row: Record<string, unknown>) => [1, 2, 3, 4, 5].map((tier) => figureOf(row[`T${tier} Kills`]) ?? 0);
  const later = new Map(after.map((row) => [String(row['Governor ID']), tiers(row)]));
  const sums = { dkp_raw: 0, dkp: 0, left_out: 0, common: 0 };
  for (const row of before) {
    const [then, now] = [tiers(row), later.get(String(row['Governor ID']))];
    if (!now) continue;
    sums.common++;
    const gain = (tier: number) => (now[tier - 1] as number) - (then[tier - 1] as number);
    const score = 10 * gain(4) + 20 * gain(5);
    const none = (kills: readonly number[]) => kills.every((figure) => figure === 0);
    const doubted = then.some((figure, tier) => (now[tier] as number) < figure) || none(then) !== none(now);
    sums.dkp_raw += score;
    if (doubted) sums.left_out++;
    else sums.dkp += score;
  }
  return sums;
}

const figuresIn = ({ dkp_raw, dkp, left_out, common }: Sums) => ({ dkp_raw, dkp, left_out, common });

describe.skipIf(!folder)('real files, imported as users do (skipped unless REAL_SCANS names their folder)', () => {
  test.each(files)('%s: every line is accounted for, every cell comes back', async (path) => {
    const wires = await independently(path);
    const preview = await bring(path);
    const { lines, problems, game, headers } = preview;
    expect([lines.read, lines.kept + lines.dropped]).toEqual([wires.length, wires.length]);
    const dropped = problems.filter((problem) => problem.dropped);
    expect(dropped).toHaveLength(lines.dropped);
    for (const { line, reason } of dropped)
      expect([line !== null, reason]).toEqual([true, expect.stringMatching(/\.$/)]);
    expect(preview.unknown_headers).toEqual([]);
    const ids = await save(preview);
    saved.set(path, ids);
    const kingdom = preview.scans[0]?.kingdom_id ?? 4999;
    const { scans } = await user.call<z.infer<typeof library>>('GET', `/v1/scans/?kingdom=${kingdom}`);
    const stageOf = new Map(scans.map(({ scan_id, stage }) => [scan_id, stage]));
    const read = await Promise.all(ids.map(async (id) => ({ stage: stageOf.get(id) ?? null, rows: await rowsOf(id) })));
    // If other rows name their kingdom, the few that do not are shown in the preview and left out.
    const unplaced = preview.scans.filter(({ kingdom_id }) => kingdom_id === null && !preview.asks.kingdom);
    const rows = (of: readonly { rows: number }[]) => of.reduce((sum, each) => sum + each.rows, 0);
    expect(read.reduce((sum, each) => sum + each.rows.length, 0)).toBe(rows(preview.scans) - rows(unplaced));
    let same = 0;
    for (const stage of new Set(read.map((each) => each.stage))) {
      const own = read.filter((each) => each.stage === stage).flatMap((each) => each.rows);
      const mapped = headers.filter((each) => each.column && (each.stage === null || each.stage === stage));
      same += expectSame(game, wires, mapped, own);
    }
    // Fights that were still ahead have nothing but names.
    expect(same).toBeGreaterThan(wires.length * 3);
  });

  test('kingdom 3584 at its five times, each compared with the next and the first with the last', async () => {
    const moments = files.filter((path) => path.includes('kingdom_3584_'));
    expect(moments).toHaveLength(5);
    const pairs = [...moments.slice(1).map((to, index) => [moments[index], to]), [moments[0], moments.at(-1)]];
    for (const [from, to] of pairs as [string, string][]) {
      const answer = await compare(await keep(from), await keep(to));
      expect(figuresIn(answer.kingdoms['3584'] as Sums)).toEqual(
        subtracted(await independently(from), await independently(to)),
      );
    }
  });

  test('a war of twelve kingdoms, start to end, to the unit', async () => {
    const [start, end] = ['_start.csv', '_end.csv'].map((ending) => files.find((path) => path.endsWith(ending)));
    const answer = await compare(await keep(start as string), await keep(end as string));
    const sums = WAR.map(([kingdom]) => [kingdom, answer.kingdoms[kingdom] as Sums] as const);
    expect(sums.map(([kingdom, { dkp_raw, dkp, left_out }]) => [kingdom, dkp_raw, dkp, left_out])).toEqual(WAR);
    expect([answer.common, answer.joined, answer.gone]).toEqual([6721, 1442, 1869]);
    const { dkp_raw, dkp, left_out } = answer.all;
    expect([dkp_raw, dkp, left_out]).toEqual([-22_881_628_440, 240_695_683_820, 257]);
  });
});
