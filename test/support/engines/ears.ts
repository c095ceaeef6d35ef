import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/**
 * A door before a service for browsers that tell nobody what their consoles say: pages load one more script, first of
 * all, which tells the door what goes wrong in them.
 */

const SCRIPT = '/ears-of-the-proof.js';
const HEARD = '/heard-by-the-proof';

/** Runs in the page. */
function listen(heard: string): void {
  const tell = (what: string) => void fetch(heard, { method: 'POST', body: what, keepalive: true });
  const words = (said: unknown[]) => said.map((each) => (each instanceof Error ? `${each}` : String(each))).join(' ');
  for (const level of ['error', 'warn'] as const) {
    const say = console[level];
    console[level] = (...said: unknown[]) => {
      tell(`${level}: ${words(said)}`);
      say.apply(console, said);
    };
  }
  addEventListener('error', ({ message, target }) => tell(`error: ${message ?? (target as Element).outerHTML}`), true);
  addEventListener('unhandledrejection', ({ reason }) => tell(`error: unhandled ${words([reason])}`));
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    tell(`error: ${effectiveDirective} does not allow ${blockedURI}`),
  );
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString();
}

export interface Door {
  address: string;
  /** Returns the messages since the last call. */
  troubles(): string[];
  close(): void;
}

/** Opens a door to the service at an address. */
export async function openDoor(service: string): Promise<Door> {
  const { hostname, port } = new URL(service);
  let heard: string[] = [];

  async function pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    if (asked.url === SCRIPT) {
      answer.setHeader('content-type', 'text/javascript').end(`(${listen})(${JSON.stringify(HEARD)})`);
      return;
    }
    if (asked.url === HEARD) {
      heard.push(await textOf(asked));
      answer.writeHead(204).end();
      return;
    }
    // What is asked for is a page or not as its answer says, which is read then.
    const headers = { ...asked.headers, 'accept-encoding': 'identity' };
    const passed = request({ hostname, port, path: asked.url, method: asked.method, headers }, async (came) => {
      const status = came.statusCode ?? 0;
      if (status >= 400) heard.push(`${status}: ${asked.url}`);
      const { 'content-length': _, ...kept } = came.headers;
      if (!came.headers['content-type']?.startsWith('text/html')) {
        answer.writeHead(status, came.headers);
        came.pipe(answer);
        return;
      }
      answer.writeHead(status, kept);
      answer.end((await textOf(came)).replace(/<head[^>]*>/, `$&<script src="${SCRIPT}"></script>`));
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  }

  const server = createServer((asked, answer) => void pass(asked, answer));
  server.on('upgrade', ({ method, url, rawHeaders }: IncomingMessage, socket, head) => {
    const lines = rawHeaders.map((each, place) => (place % 2 === 0 ? `${each}: ` : `${each}\r\n`)).join('');
    const behind = connect(Number(port), hostname, () => {
      behind.write(`${method} ${url} HTTP/1.1\r\n${lines}\r\n`);
      behind.write(head);
      behind.pipe(socket).pipe(behind);
    });
    for (const end of [behind, socket]) end.on('error', () => [behind, socket].map((each) => each.destroy()));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    troubles() {
      const told = heard;
      heard = [];
      return told;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
