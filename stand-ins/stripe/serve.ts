import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Books } from './books.ts';
import { StripeStandIn } from './stand-in.ts';

async function requestOf(message: IncomingMessage, base: string): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) headers.set(name, String(value));
  const method = message.method ?? 'GET';
  return new Request(base + (message.url ?? '/'), {
    method,
    headers,
    ...(method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.concat(chunks) }),
  });
}

export interface ServeOptions {
  key: string;
  webhookSecret: string;
  webhookUrl: string;
  /** Books from the previous run; empty ones if omitted. */
  books?: Books | undefined;
  /** Stores the books after every change. */
  keep: (books: Books) => void;
}

/** Serves the stand-in on a free port of 127.0.0.1 while this process lives. Returns its address. */
export async function serveStandIn({ keep, ...options }: ServeOptions): Promise<string> {
  const standIn = new StripeStandIn({ ...options, onChange: keep });
  let base = '';
  const server = createServer(async (message, response) => {
    try {
      const answer = await standIn.fetch(await requestOf(message, base));
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    } catch (error) {
      console.error(error);
      response.writeHead(500).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return base;
}
