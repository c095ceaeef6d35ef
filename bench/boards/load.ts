import { connect } from 'node:net';
import { median } from '../report.ts';

/** A server's throughput and latency under load. */
export interface Load {
  perSecond: number;
  /** Median in ms. */
  latency: number;
}

const CONNECTIONS = 16;
const END_OF_HEAD = Buffer.from('\r\n\r\n');

/**
 * Requests an address repeatedly over persistent connections, one request at a time on each. It counts bytes without
 * parsing them, to keep the client's own cost low.
 */
export async function load(port: number, path: string, ms: number): Promise<Load> {
  const until = performance.now() + ms;
  const latencies: number[] = [];
  await Promise.all(Array.from({ length: CONNECTIONS }, () => ask(port, path, until, latencies)));
  return { perSecond: (latencies.length / ms) * 1000, latency: median(latencies) };
}

function ask(port: number, path: string, until: number, latencies: number[]): Promise<void> {
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: localhost:${port}\r\naccept-encoding: gzip\r\n\r\n`);
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let sent = 0;
    let left = -1;
    let head = Buffer.alloc(0);
    const send = () => {
      sent = performance.now();
      left = -1;
      head = Buffer.alloc(0);
      socket.write(request);
    };
    socket.setNoDelay(true);
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.on('data', (chunk) => {
      if (left < 0) {
        head = head.length ? Buffer.concat([head, chunk]) : chunk;
        const end = head.indexOf(END_OF_HEAD);
        if (end < 0) return;
        const text = head.toString('latin1', 0, end).toLowerCase();
        const length = /content-length: (\d+)/.exec(text)?.[1];
        if (!text.startsWith('http/1.1 200') || !length) {
          socket.destroy(new Error(`${path} answered ${text.slice(0, 200)}`));
          return;
        }
        left = Number(length) - (head.length - end - END_OF_HEAD.length);
      } else left -= chunk.length;
      if (left > 0) return;
      latencies.push(performance.now() - sent);
      if (performance.now() < until) send();
      else socket.end();
    });
  });
}
