import { setTimeout as sleep } from 'node:timers/promises';
import { createClient, createConfig } from './hey-api/client/index.ts';
import {
  getGovernorRankingsByGame,
  getOrderById,
  getOrderByIdDownload,
  postOrderCreate,
  postScansImport,
  postScansImportByImportIdSave,
} from './hey-api/index.ts';

/** A customer's program with the functions that @hey-api/openapi-ts makes of the API's description. */
export async function mainJob(baseUrl: string, key: string, file: Blob, name: string): Promise<string[]> {
  const client = createClient(createConfig({ baseUrl, auth: ({ type }) => (type === 'http' ? key : undefined) }));
  const always = { client, throwOnError: true } as const;
  const done: string[] = [];

  const board = await getGovernorRankingsByGame({
    ...always,
    path: { game: 'rok' },
    query: { type: 'power', count: '10', page: '0' },
  });
  done.push(`board: ${board.data.data.rankings[0]?.rank}`);

  const placed = await postOrderCreate({
    ...always,
    headers: { 'Idempotency-Key': 'hey-api' },
    body: {
      orders: [
        { type: 'rok-kingdom-scan', price: 0.5, params: { kingdoms: ['1001'], governors: 100, full_profile: true } },
      ],
    },
  });
  const { order_uuid: id, total } = placed.data.data;
  // A schedule's first order comes later.
  if (id === null) throw new Error('There is no order.');
  done.push(`placed: ${total}`);

  while (!(await getOrderById({ ...always, path: { id } })).data.data.is_done_loading) await sleep(500);
  const csv = await getOrderByIdDownload({ ...always, path: { id }, query: { type: 'csv' }, parseAs: 'text' });
  done.push(`csv: ${String(csv.data).trim().split('\n').length}`);
  const json = await getOrderByIdDownload({ ...always, path: { id }, query: { type: 'json' } });
  const results = json.data.data;
  done.push(`json: ${typeof results === 'object' ? results.rows.length : results}`);

  const preview = await postScansImport({ ...always, query: { name }, body: file });
  const saved = await postScansImportByImportIdSave({
    ...always,
    path: { import_id: preview.data.data.import_id },
    body: {},
  });
  done.push(`saved: ${saved.data.data.scan_ids.length}`);
  return done;
}
