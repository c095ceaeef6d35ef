import { Agent, request } from 'node:http';
import type { Task } from '../../domain/fleet/contract.ts';
import type { WireColumns } from '../../domain/scans/rows.ts';
import { COLUMNS, makeTable } from '../files/table.ts';

/** Bots whose hand-ins are prepared as text before the measurement starts. */

const PER_SUBTASK = 100;
const keepAlive = new Agent({ keepAlive: true, maxSockets: 64 });

/** Posts to the service over a persistent connection and returns the answer. */
export const call = (url: string, body: string, token = ''): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const sent = request(url, { method: 'POST', agent: keepAlive, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${url}: ${response.statusCode} ${text.slice(0, 300)}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });

/** Returns the columns of every hundred ranks of some kingdoms, as JSON, by kingdom and first rank. */
export function readKingdoms(from: number, count: number, governors: number): Map<string, string> {
  const texts = new Map<string, string>();
  const table = makeTable(governors);
  const noIds = Object.fromEntries(
    COLUMNS.map((key) => [key, table.texts[key] ?? Array.from(table.numbers[key] as Float64Array)]),
  ) as WireColumns;
  for (let kingdom = from; kingdom < from + count; kingdom++) {
    for (let rank = 0; rank < governors; rank += PER_SUBTASK) {
      const columns = Object.fromEntries(
        Object.entries(noIds).map(([key, values]) => [key, values.slice(rank, rank + PER_SUBTASK)]),
      );
      columns.governor_id = Array.from({ length: PER_SUBTASK }, (_, row) => kingdom * 10_000 + rank + row);
      columns.home_kingdom = new Array(PER_SUBTASK).fill(kingdom);
      texts.set(`${kingdom}/${rank + 1}`, JSON.stringify(columns));
    }
  }
  return texts;
}

/** Returns the body of a hand-in for some tasks. */
export function bodyOf(
  bot: string,
  tasks: readonly Task[],
  texts: ReadonlyMap<string, string>,
  next?: { games: string[]; count: number },
): string {
  const results = tasks.map(
    ({ subtask_id, lease, kingdom_id, from_rank }) =>
      `{"subtask_id":${subtask_id},"lease":"${lease}","captured_at":${Date.now()},"source":"bench",` +
      `"columns":${texts.get(`${kingdom_id}/${from_rank}`)}}`,
  );
  const wish = next ? `,"next":${JSON.stringify(next)}` : '';
  return `{"bot_id":"${bot}","results":[${results.join(',')}]${wish}}`;
}

/** Leases and hands in until nothing is left to lease, or `most` calls were made. */
export async function workAs(
  bot: string,
  {
    url,
    token,
    texts,
    most = Infinity,
  }: { url: string; token: string; texts: ReadonlyMap<string, string>; most?: number },
): Promise<void> {
  const next = { games: ['rok'], count: 5 };
  const first = await call(`${url}/v1/fleet/lease`, JSON.stringify({ bot_id: bot, ...next }), token);
  let { tasks } = JSON.parse(first).data as { tasks: Task[] };
  for (let calls = 0; tasks.length > 0 && calls < most; calls++) {
    const body = bodyOf(bot, tasks, texts, calls + 1 < most ? next : undefined);
    const { data } = JSON.parse(await call(`${url}/v1/fleet/rows`, body, token));
    if ((data.results as { outcome: string }[]).some(({ outcome }) => outcome !== 'accepted'))
      throw new Error(JSON.stringify(data));
    tasks = data.tasks;
  }
}
