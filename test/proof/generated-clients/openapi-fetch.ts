import { setTimeout as sleep } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import type { paths } from './openapi-typescript/api.ts';

/** A customer's program with the types that openapi-typescript makes of the API's description. */
export async function mainJob(baseUrl: string, key: string, file: Blob, name: string): Promise<string[]> {
  const api = createClient<paths, 'application/json'>({ baseUrl, headers: { authorization: `Bearer ${key}` } });
  const done: string[] = [];

  const board = await api.GET('/v1/governor/rankings/{game}', {
    params: { path: { game: 'rok' }, query: { type: 'power', count: '10', page: '0' } },
  });
  done.push(`board: ${board.data?.data.rankings[0]?.rank}`);

  const placed = await api.POST('/v1/order/create', {
    params: { header: { 'Idempotency-Key': 'openapi-fetch' } },
    body: {
      orders: [
        { type: 'rok-kingdom-scan', price: 0.5, params: { kingdoms: ['1001'], governors: 100, full_profile: true } },
      ],
    },
  });
  if (placed.error) throw new Error(placed.error.msg);
  const id = placed.data.data.order_uuid;
  // A schedule's first order comes later.
  if (id === null) throw new Error('There is no order.');
  done.push(`placed: ${placed.data.data.total}`);

  for (let ready = false; !ready; ) {
    const order = await api.GET('/v1/order/{id}', { params: { path: { id } } });
    if (order.error) throw new Error(order.error.msg);
    ready = order.data.data.is_done_loading;
    if (!ready) await sleep(500);
  }
  const csv = await api.GET('/v1/order/{id}/download', {
    params: { path: { id }, query: { type: 'csv' } },
    parseAs: 'text',
  });
  done.push(`csv: ${String(csv.data).trim().split('\n').length}`);
  const json = await api.GET('/v1/order/{id}/download', { params: { path: { id }, query: { type: 'json' } } });
  const results = json.data?.data;
  done.push(`json: ${typeof results === 'object' ? results.rows.length : results}`);

  const preview = await api.POST('/v1/scans/import', {
    params: { query: { name } },
    headers: { 'content-type': 'application/octet-stream' },
    // The types have no word for bytes: what is sent is the file itself.
    body: file as unknown as string,
    bodySerializer: (body) => body as unknown as Blob,
  });
  if (preview.error) throw new Error(preview.error.msg);
  const saved = await api.POST('/v1/scans/import/{import_id}/save', {
    params: { path: { import_id: preview.data.data.import_id } },
    body: {},
  });
  if (saved.error) throw new Error(saved.error.msg);
  done.push(`saved: ${saved.data.data.scan_ids.length}`);
  return done;
}
