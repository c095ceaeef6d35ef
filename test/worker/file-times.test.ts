import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { addDays, DAY_MS, dayOf, dayStart } from '../../domain/days.ts';
import { sourceByFileTime } from '../../domain/scans/file-time.ts';
import { forgetManifest } from '../../worker/gateways/board-cache.ts';
import { publishDay } from '../../worker/services/boards/publish-boards.ts';
import { caller, db, signedInUser } from './client.ts';
import { fighter, load, madeEvent, START } from './events/war.ts';
import { governor, publishRows } from './scans.ts';

const KINGDOM = 4009;
const NOW = Date.now();
const TODAY = dayOf(NOW);
const noon = (days: number) => dayStart(addDays(TODAY, -days)) + DAY_MS / 2;

test('a scan with only the time of its file is marked on pages, in charts and on boards', async () => {
  await publishRows('rok', KINGDOM, noon(3), [governor(901, 50), governor(902, 40)]);
  await publishRows('rok', KINGDOM, noon(2), [governor(901, 51), governor(902, 41)], sourceByFileTime('4009.csv'));
  await publishRows('rok', KINGDOM, noon(1), [governor(901, 52), governor(902, 42)]);
  await publishRows('rok', KINGDOM + 1, noon(1), [governor(903, 52)]);
  const { call } = await signedInUser();
  const kingdom = (await call('GET', `/v1/kingdoms/${KINGDOM}`)).data;
  expect(kingdom.chart.map(({ day }: { day: string }) => day)).toHaveLength(3);
  expect(kingdom.file_days).toEqual([dayOf(noon(2))]);
  expect((await call('GET', `/v1/governors/901`)).data.file_days).toEqual([dayOf(noon(2))]);
  expect((await call('GET', `/v1/kingdoms/${KINGDOM + 1}`)).data.file_days).toEqual([]);
  // The newest scan reaches as deep, so only the earlier day's board counts the marked one.
  for (const [days, marked] of [
    [2, [KINGDOM]],
    [1, undefined],
  ] as const) {
    await publishDay(db, env.STORE, 'rok', dayOf(noon(days)), NOW);
    await forgetManifest();
    const { data } = await call('GET', `/v1/kingdom/rankings/rok?count=-1&page=0&day=${dayOf(noon(days))}`);
    expect(data.info?.by_file_time).toEqual(marked);
  }
});

test('an event names the kingdoms whose scans have only the time of their file', async () => {
  const { admin, id } = await madeEvent();
  const rows = [701, 702, 703, 704].map((kingdom, index) => fighter(981_001 + index, kingdom, 100));
  await load(admin, id, START, rows);
  await env.DB.prepare(
    `UPDATE snapshots SET source = source || ' (time of the file)' WHERE kingdom_id = 702 AND captured_at = ?`,
  )
    .bind(START)
    .run();
  const { data } = await caller().call('GET', `/v1/dashboards/${id}/`);
  const marks = data.snapshots.map(({ by_file_time }: { by_file_time: number[] }) => by_file_time);
  expect(marks).toEqual([[702]]);
});
