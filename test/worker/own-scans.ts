import { usualSettings } from '../../domain/compare/contract.ts';
import type { Answer, Person } from './client.ts';

/** Files of own scans for tests. Names in them are made up. */

export const HEADERS =
  'Kingdom,Governor ID,Governor Name,Alliance Tag,Power,Kill Points,Deads,T1 Kills,T2 Kills,T3 Kills,T4 Kills,T5 Kills,Town Hall';

export interface Fighter {
  id: number;
  kingdom?: number;
  name?: string;
  tag?: string;
  power?: number;
  deads?: number;
  t4?: number;
  t5?: number;
}

/** A governor's line in the columns of HEADERS, with the kill points that match their kills. */
export function lineOf({
  id,
  kingdom = 4001,
  name = `Moss ${id}`,
  tag = 'MC',
  power = 1e6,
  deads = 5,
  t4 = 0,
  t5 = 0,
}: Fighter): string {
  return [kingdom, id, name, tag, power, 10 * t4 + 20 * t5, deads, 0, 0, 0, t4, t5, 25].join(',');
}

/** Returns a csv file of these governors. */
export const fileOf = (fighters: readonly Fighter[]): string => `${[HEADERS, ...fighters.map(lineOf)].join('\n')}\n`;

/** Uploads a file, as a browser or a script does. */
export async function bring(
  user: Person,
  name: string,
  content: string | Uint8Array<ArrayBuffer> | ReadableStream,
  said: Record<string, string> = {},
): Promise<Answer> {
  const query = new URLSearchParams({ name, ...said });
  const response = await user.fetch(`/v1/scans/import?${query}`, { method: 'POST', body: content });
  return { ...((await response.json()) as Answer), status: response.status };
}

/** Uploads a file, saves it and returns the ids of its scans. */
export async function keep(
  user: Person,
  name: string,
  content: string,
  said: Record<string, string> = {},
): Promise<string[]> {
  const brought = await bring(user, name, content, said);
  if (brought.status !== 200) throw new Error(brought.msg);
  const { status, msg, data } = await user.call('POST', `/v1/scans/import/${brought.data.import_id}/save`, {});
  if (status !== 200) throw new Error(msg);
  return data.scan_ids;
}

/** Settings of a report that counts tier 4 kills only. */
export const SETTINGS = { ...usualSettings('rok'), weights: { killcount_t4: 10 } };
