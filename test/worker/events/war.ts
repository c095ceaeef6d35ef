import type { Row } from '../../../domain/scans/rows.ts';
import { type Answer, type Person, person } from '../client.ts';

/** A small made-up war for tests: four kingdoms in two camps. */

export const HOUR = 3_600_000;
/** Yesterday, to the minute: never in the future, and with published days. */
export const START = Math.floor(Date.now() / 60_000) * 60_000 - 30 * HOUR;

export const eventOf = (more: Record<string, unknown> = {}) => ({
  game: 'rok',
  kvk_id: 'T-1',
  name: 'Trial of Kau',
  camps: [
    { name: 'Fire', kingdoms: ['701', '702'] },
    { name: 'Water', kingdoms: ['703', '704'] },
  ],
  refresh_rate: 60,
  start: START,
  end: START + 60 * 24 * HOUR,
  dates: { 'Pass 4': START + HOUR },
  weights: { killcount_t4: 10, killcount_t5: 20 },
  sponsored_text: 'Brought to you by nobody',
  season: 'S1',
  gather: false,
  ...more,
});

/** A fighter of a kingdom with this many T5 kills and the matching kill points. */
export const fighter = (id: number, kingdom: number, t5: number, more: Row = {}): Row => ({
  'Governor ID': id,
  Kingdom: kingdom,
  'Governor Name': `Fighter ${id}`,
  'Alliance Tag': `K${kingdom % 10}`,
  Power: 50_000_000 - id,
  Deads: 1000 + t5,
  'Kill Points': 20 * t5,
  'T1 Kills': 0,
  'T2 Kills': 0,
  'T3 Kills': 0,
  'T4 Kills': 0,
  'T5 Kills': t5,
  'Town Hall': 25,
  ...more,
});

/** Rows as a csv file of a common tool. */
export function csvOf(rows: readonly Row[]): string {
  const headers = Object.keys(rows[0] ?? {});
  return [headers, ...rows.map((row) => headers.map((header) => row[header] ?? ''))]
    .map((cells) => cells.join(','))
    .join('\n');
}

/** Loads rows as the event's snapshot at that time. */
export async function load(admin: Person, id: number, ts: number, rows: readonly Row[]): Promise<Answer> {
  const path = `/v1/admin/events/${id}/snapshots?captured_at=${new Date(ts).toISOString()}`;
  const response = await admin.fetch(path, {
    method: 'POST',
    body: csvOf(rows),
    headers: { 'content-type': 'text/csv', accept: 'application/json' },
  });
  return { status: response.status, ...((await response.json()) as Omit<Answer, 'status'>) };
}

/** Makes an admin and an event that they publish. */
export async function madeEvent(more: Record<string, unknown> = {}): Promise<{ admin: Person; id: number }> {
  const admin = await person({ role: 'admin' });
  const { status, msg, data } = await admin.call('POST', '/v1/admin/events', eventOf(more));
  if (status !== 200) throw new Error(`${status} ${msg}`);
  await admin.call('POST', `/v1/admin/events/${data.dashboard_id}/publish`);
  return { admin, id: data.dashboard_id };
}
