/**
 * What one isolate holds by V8's own account, asked for over its inspector while it works: the heap it has taken, with its
 * garbage, and the buffers beside it. The simulators of D1 and R2 are isolates of their own and are not in it.
 */

const EVERY_MS = 10;

interface Usage {
  totalSize: number;
  embedderHeapUsedSize: number;
  backingStorageSize: number;
}

const heldIn = ({ totalSize, embedderHeapUsedSize, backingStorageSize }: Usage): number =>
  totalSize + embedderHeapUsedSize + backingStorageSize;

const opened = (address: string): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(address);
    socket.addEventListener('open', () => resolve(socket), { once: true });
    socket.addEventListener('error', () => reject(new Error(`no isolate at ${address}`)), { once: true });
  });

const ASK = 'Runtime.getHeapUsage';

export interface Isolate {
  /** Bytes held at most since the last call of this, or since the watch began. */
  most(): number;
  close(): void;
}

/** Watches the isolate of the Worker `name`, of a workerd whose inspectors are at that port. */
export async function watchIsolate(inspectorPort: number, name: string): Promise<Isolate> {
  const socket = await opened(`ws://127.0.0.1:${inspectorPort}/core:user:${name}`);
  let [most, last] = [0, 0];
  socket.addEventListener('message', ({ data }) => {
    const { result } = JSON.parse(String(data)) as { result?: Usage };
    if (!result) return;
    last = heldIn(result);
    most = Math.max(most, last);
  });
  let id = 0;
  const timer = setInterval(() => socket.send(JSON.stringify({ id: ++id, method: ASK })), EVERY_MS);
  return {
    most: () => {
      const now = most;
      // What ends before it is looked at again held no more than was there.
      most = last;
      return now;
    },
    close: () => {
      clearInterval(timer);
      socket.close();
    },
  };
}

/** What each isolate of a workerd still needs, without its garbage, in bytes by its name: the Workers' and the simulators'. */
export async function isolatesOf(inspectorPort: number): Promise<Map<string, number>> {
  const list = (await (await fetch(`http://127.0.0.1:${inspectorPort}/json`)).json()) as {
    id: string;
    webSocketDebuggerUrl: string;
  }[];
  const held = new Map<string, number>();
  for (const { id, webSocketDebuggerUrl } of list) {
    const socket = await opened(webSocketDebuggerUrl);
    const asked = (number: number, method: string) =>
      new Promise<unknown>((resolve) => {
        const listen = ({ data }: MessageEvent) => {
          const answer = JSON.parse(String(data)) as { id?: number; result?: unknown };
          if (answer.id !== number) return;
          socket.removeEventListener('message', listen);
          resolve(answer.result);
        };
        socket.addEventListener('message', listen);
        socket.send(JSON.stringify({ id: number, method }));
      });
    await asked(1, 'HeapProfiler.collectGarbage');
    held.set(id, heldIn((await asked(2, ASK)) as Usage));
    socket.close();
  }
  return held;
}
