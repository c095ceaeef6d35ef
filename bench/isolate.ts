/**
 * What one isolate holds by V8's own account, asked for over its inspector while it works: the heap it has taken, with its
 * garbage, and the buffers beside it. The simulators of D1 and R2 are isolates of their own and are not in it.
 */

const EVERY_MS = 10;

interface Usage {
  usedSize: number;
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

/** What each isolate of a workerd uses now, in bytes by its name: the Workers' and the simulators'. Not what V8 took for it. */
export async function isolatesOf(inspectorPort: number): Promise<Map<string, number>> {
  const list = (await (await fetch(`http://127.0.0.1:${inspectorPort}/json`)).json()) as {
    id: string;
    webSocketDebuggerUrl: string;
  }[];
  const used = new Map<string, number>();
  for (const { id, webSocketDebuggerUrl } of list) {
    const socket = await opened(webSocketDebuggerUrl);
    const answer = new Promise<Usage>((resolve) => {
      socket.addEventListener(
        'message',
        ({ data }) => resolve((JSON.parse(String(data)) as { result: Usage }).result),
        {
          once: true,
        },
      );
    });
    socket.send(JSON.stringify({ id: 1, method: ASK }));
    const { usedSize, embedderHeapUsedSize, backingStorageSize } = await answer;
    used.set(id, usedSize + embedderHeapUsedSize + backingStorageSize);
    socket.close();
  }
  return used;
}
