import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/** HTTP/2 and Brotli in front of a copy of the service, as the platform provides them. */

const PACKED = /text|json|javascript|svg|manifest/;
const HOP = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-encoding'];

/** A certificate of this run, for a browser that ignores who signed it. */
function certificate(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'muster-cert-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const names = ['-subj', '/CN=localhost', '-days', '2', '-nodes', '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', ...names], {
    stdio: 'ignore',
  });
  const pair = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(folder, { recursive: true });
  return pair;
}

export interface Front {
  origin: string;
  /** Compressed bytes sent of each path since the start. */
  sent: Map<string, number>;
  close(): void;
}

/** Starts it. `own` are pages besides those of the service, by path. */
export async function startFront(service: string, own: Readonly<Record<string, string>>): Promise<Front> {
  const sent = new Map<string, number>();
  const packed = new Map<string, Buffer>();
  const server: Http2SecureServer = createSecureServer(certificate(), async (request, response) => {
    try {
      const page = own[request.url];
      const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !name.startsWith(':')));
      const answer = page
        ? new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } })
        : await fetch(service + request.url, {
            headers: { ...headers, 'accept-encoding': 'identity', host: new URL(service).host } as Record<
              string,
              string
            >,
            redirect: 'manual',
          });
      let body: Buffer = Buffer.from(await answer.arrayBuffer());
      const kept = Object.fromEntries([...answer.headers].filter(([name]) => !HOP.includes(name)));
      if (PACKED.test(answer.headers.get('content-type') ?? '') && body.length > 0) {
        const key = request.url.startsWith('/assets/') ? request.url : null;
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: key ? 9 : 5 } };
        const small = (key && packed.get(key)) || brotliCompressSync(body, quality);
        if (key) packed.set(key, small);
        body = small;
        kept['content-encoding'] = 'br';
      }
      sent.set(request.url, body.length);
      response.writeHead(answer.status, kept);
      response.end(body);
    } catch {
      if (!response.headersSent) response.writeHead(502);
      response.end();
    }
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return { origin: `https://localhost:${port}`, sent, close: () => server.close() };
}
