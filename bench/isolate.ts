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

export interface Isolate {
  /** Bytes held at most since the last call of this, or since the watch began. */
  most(): number;
  close(): void;
}

/** Watches the isolate of the Worker `name`, of a workerd whose inspectors are at that port. */
export async function watchIsolate(inspectorPort: number, name: string): Promise<Isolate> {
  const socket = new WebSocket(`ws://127.0.0.1:${inspectorPort}/core:user:${name}`);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error(`no isolate ${name}`)), { once: true });
  });
  let most = 0;
  socket.addEventListener('message', ({ data }) => {
    const { result } = JSON.parse(String(data)) as { result?: Usage };
    if (result) most = Math.max(most, result.totalSize + result.embedderHeapUsedSize + result.backingStorageSize);
  });
  let id = 0;
  const timer = setInterval(() => socket.send(JSON.stringify({ id: ++id, method: 'Runtime.getHeapUsage' })), EVERY_MS);
  return {
    most: () => {
      const now = most;
      most = 0;
      return now;
    },
    close: () => {
      clearInterval(timer);
      socket.close();
    },
  };
}
