import createClient from 'openapi-fetch';
import type { paths } from './api.ts';

/**
 * A program as a customer would write it, against the types that openapi-typescript makes of the API's description:
 * test/e2e/api-client.test.ts generates them beside a copy of this file, compiles both and runs this.
 */
export async function tenCalls(baseUrl: string, key: string): Promise<string[]> {
  const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}`, accept: 'application/json' } });
  const read: string[] = [];

  const health = await api.GET('/v1/health');
  read.push(`health: ${health.data?.data.database}`);
  const products = await api.GET('/v1/products/list');
  read.push(`products: ${products.data?.data.flatMap(({ items }) => items.map(({ id }) => id)).length}`);
  const stats = await api.GET('/v1/stats/global');
  read.push(`stats: ${typeof stats.data?.data.rok.kingdoms}`);

  const board = await api.GET('/v1/governor/rankings/{game}', {
    params: { path: { game: 'rok' }, query: { type: 'power', count: '10', page: '0' } },
  });
  const [first] = board.data?.data.rankings ?? [];
  read.push(`board: ${first?.rank}`);
  const kingdoms = await api.GET('/v1/kingdom/rankings/{game}', { params: { path: { game: 'rok' } } });
  const bare = kingdoms.data?.data;
  const kingdom = Array.isArray(bare) ? bare[0] : bare?.rankings[0];
  read.push(`kingdoms: ${typeof kingdom?.total_power}`);

  const found = await api.GET('/v1/search', { params: { query: { q: String(kingdom?.kingdom_id) } } });
  read.push(`search: ${found.data?.data.kingdoms[0]?.kingdom_id === kingdom?.kingdom_id}`);
  const page = await api.GET('/v1/kingdoms/{id}', { params: { path: { id: kingdom?.kingdom_id ?? 0 } } });
  const player = page.data?.data.players[0];
  read.push(`kingdom: ${page.data?.data.players.length}`);
  const governor = await api.GET('/v1/governors/{id}', {
    params: { path: { id: player?.id ?? 0 }, query: { game: 'rok', days: '7' } },
  });
  read.push(`governor: ${governor.data ? governor.data.data.free.name === player?.name : governor.error.msg}`);

  const orders = await api.GET('/v1/orders', { params: { query: {} } });
  read.push(`orders: ${orders.data?.data.orders.length}`);
  const placed = await api.POST('/v1/order/create', {
    params: { header: { 'Idempotency-Key': 'ten-calls' } },
    body: {
      orders: [
        {
          type: 'rok-kingdom-scan',
          price: 0.5,
          params: { kingdoms: [String(kingdom?.kingdom_id)], governors: 100, full_profile: true },
        },
      ],
    },
  });
  read.push(`placed: ${placed.data ? placed.data.data.total : placed.error.msg}`);
  return read;
}
