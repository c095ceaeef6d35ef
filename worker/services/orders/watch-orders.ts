import type { Env } from '../../env.ts';
import { Refusal } from '../../errors.ts';
import { orderObject } from '../../gateways/order-objects.ts';

/**
 * One socket for a page of orders: opens a socket to each order's object and passes on what they tell. The objects
 * hibernate; this end only lives as long as the page.
 */
export async function watchOrders(request: Request, env: Env, orderIds: readonly number[]): Promise<Response> {
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket')
    throw new Refusal('invalid', 'This address speaks WebSocket only.');
  const open = (orderId: number) =>
    orderObject(env, orderId).fetch('https://object/', { headers: { upgrade: 'websocket' } });
  const [only] = orderIds;
  if (orderIds.length === 1 && only !== undefined) return open(only);

  const { 0: client, 1: page } = new WebSocketPair();
  const sources = (await Promise.all(orderIds.map(open))).flatMap(({ webSocket }) => webSocket ?? []);
  page.accept();
  const close = () => {
    for (const socket of [page, ...sources]) socket.close(1000);
  };
  for (const source of sources) {
    source.accept();
    source.addEventListener('message', ({ data }) => page.send(data));
    // Half a page that silently stands still is worse than a page that connects again.
    source.addEventListener('close', close);
    source.addEventListener('error', close);
  }
  page.addEventListener('message', ({ data }) => {
    if (data === 'ping') page.send('pong');
  });
  page.addEventListener('close', close);
  page.addEventListener('error', close);
  return new Response(null, { status: 101, webSocket: client });
}
